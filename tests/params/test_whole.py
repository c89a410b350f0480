"""Bad parameters are reported all at once, with suggestions."""

import pytest

from gazeline.errors import ParamsError
from gazeline.params.base import parse_yaml
from gazeline.params.learning import TrainingOverrides, TrainingParams
from gazeline.params.whole import check_params, load_params


@pytest.fixture
def text(project):
    return (project / "params.yaml").read_text()


def test_the_committed_params_are_valid(project):
    params = load_params(project / "params.yaml")
    assert set(params.corpora) == {"sample"}
    assert len(params.films) == 6


def test_every_problem_is_reported_at_once_and_sorted(text):
    broken = (
        text.replace("  patience: 10", "  patiense: 10")
        .replace("device: auto", "device: gpu")
        .replace("quantile: 0.9", "quantile: 3")
        .replace("task: visual", "task: visul")
        .replace("    model: transformer", "    modle: transformer", 1)
        .replace("{video: tiny-xclip", "{video: tiny-x")
    )
    with pytest.raises(ParamsError) as caught:
        check_params(parse_yaml(broken))
    assert str(caught.value) == (
        "params.yaml has 7 problems:\n"
        "  - corpora.sample.encoders.video: tiny-x is no encoder of this file\n"
        "  - experiments.sample-visual-video.model: is missing\n"
        "  - experiments.sample-visual-video.modle: unknown key; did you mean model?\n"
        "  - experiments.sample-visual-video.task: is no task; take one of visual, speech, audio, "
        "hard, sure, clear, levels, concept/<name>, one by levels with groups of concepts, "
        "as hard/visual+speech, or one over time: shots/<label>, seconds/<measure>+<measure>, "
        "intervals/<label or task> (got 'visul')\n"
        "  - runtime.device: should be 'auto', 'cpu', 'cuda' or 'mps' (got 'gpu')\n"
        "  - statistics.consistency.quantile: should be less than or equal to 1 (got 3)\n"
        "  - training.patiense: unknown key; did you mean patience?\n"
        "  to do: correct params.yaml; the comment over each key says what it takes"
    )


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("corpora: [sample]}\n", "corpora: [simple]}\n", "simple is no corpus of this file"),
        ("folds: [1]", "folds: [9]", "sample has no fold 9"),
        ("task: speech", "task: concept/Hats", "Hats is no concept of corpus sample"),
        ("text: tiny-bert", "text: tiny-ast", "tiny-ast is for audio"),
        ("validation: [sample-kite]", "validation: [sample-tram]", "sample-tram in test and"),
        ("heads: 8", "heads: 7", "heads 7 does not divide width 128"),
        ("    model: mlp", "    model: mpl", "model: should be 'mlp', 'transformer', 'perceiver'"),
        ("model: transformer", "model: late-mlp", "late-mlp needs two modalities or more"),
        ("[video, audio]", "[video, smell]", "modalities.1: should be 'video', 'text' or"),
        ("[video, audio]", "[text, text]", "a modality is given twice: text, text"),
        ("balance: oversample", "balance: even", "balance: should be 'oversample', 'resample'"),
        ("hidden: [512, 256]", "hidden: [512, -1]", "models.mlp.hidden.1: should be greater"),
        ("training: {seeds: [0, 1, 2]", "training: {seeds: []", "training.seeds"),
        ("  sample-speech-text:", "  speech of the sample:", "cannot be a name"),
        ("  sample-speech-text:", "  7:", "experiments.7: 7 cannot be a name"),
        ("  films: []", "  films: [nofilm]", "nofilm is in no fold and has no copy"),
    ],
)
def test_names_that_point_nowhere_are_problems(text, before, after, problem):
    with pytest.raises(ParamsError, match=problem):
        check_params(parse_yaml(text.replace(before, after, 1)))


def test_late_fusion_of_three_classes_is_a_problem(text):
    data = parse_yaml(text)
    data["experiments"]["sample-visual-video"] |= {
        "model": "late-transformer",
        "task": "levels",
        "modalities": ["video", "audio"],
    }
    with pytest.raises(ParamsError, match="takes the larger probability of two classes"):
        check_params(data)


@pytest.mark.parametrize(
    ("task", "problem"),
    [
        ("visual", "and visual has those of one modality; take a task by levels"),
        ("concept/Voice", "and concept/Voice has those of one modality"),
        ("hard/visual+speech", "and hard/visual+speech has none for audio; leave it out"),
        ("hard/visual+audio", None),
        ("sure", None),
    ],
)
def test_a_part_of_a_late_fusion_without_positives_is_a_problem(text, task, problem):
    data = parse_yaml(text)
    entry = data["experiments"]["sample-visual-video"]
    entry |= {"model": "late-transformer", "task": task, "modalities": ["video", "audio"]}
    if problem:
        with pytest.raises(ParamsError) as caught:
            check_params(data)
        assert problem in str(caught.value)
        entry["positives"] = "agnostic"
    check_params(data)


def test_tokens_of_a_modality_that_is_not_given_are_capped_as_published(text):
    caps = {"audio": 9}
    data = parse_yaml(text)
    data["models"]["transformer"]["max_tokens"] = caps
    given = check_params(data).models.transformer.max_tokens
    assert given == {"video": 160, "audio": 9, "text": 512}


def test_yaml_that_does_not_parse_names_the_line():
    with pytest.raises(ParamsError, match="line 3"):
        parse_yaml("a: 1\nb: [1\nc: 2\n")


def test_overrides_replace_only_what_they_give():
    training = TrainingOverrides(epochs=3).applied_to(TrainingParams())
    assert (training.epochs, training.patience) == (3, 10)


@pytest.mark.parametrize(
    ("model", "modality", "problem"),
    [
        ("mlp", "text", "only logistic and kernel see neighbouring segments"),
        ("kernel", "video", "neighbouring segments are seen by their text, not video"),
    ],
)
def test_neighbours_are_for_estimators_of_text(text, model, modality, problem):
    data = parse_yaml(text)
    entry = data["experiments"]["sample-speech-text"]
    entry |= {"model": model, "modalities": [modality], "training": {"context": 1}}
    with pytest.raises(ParamsError) as caught:
        check_params(data)
    assert f"experiments.sample-speech-text.training.context: {problem}" in str(caught.value)
    entry |= {"model": "kernel", "modalities": ["text"]}
    check_params(data)


def test_more_neighbours_than_are_listed_are_refused(text):
    data = parse_yaml(text)
    data["experiments"]["sample-speech-text"]["training"] = {"context": 3}
    with pytest.raises(ParamsError, match=r"training.context.*less than or equal to 2.*got 3"):
        check_params(data)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"task": "shots/violence", "modalities": ["text"]}, "text is joined to segments"),
        ({"task": "seconds/valence", "modalities": ["video"]}, "mlp does not answer regression"),
        ({"task": "visual", "model": "temporal"}, "temporal does not answer classification"),
        ({"task": "seconds/valence", "model": "actionformer", "modalities": ["video"]},
         "actionformer does not answer regression"),
        ({"task": "seconds/valence+valence"}, "each once"),
        ({"task": "shots/"}, "names a label"),
        ({"task": "intervals/"}, "names a label of segments or a task"),
        ({"task": "intervals/concept/Moustache", "model": "ridge", "modalities": ["video"]},
         "Moustache is no concept"),
    ],
)  # fmt: skip
def test_tasks_over_time_that_cannot_be_answered_are_problems(text, change, problem):
    data = parse_yaml(text)
    data["experiments"]["sample-speech-text"] |= change
    with pytest.raises(ParamsError, match=problem):
        check_params(data)


def without_a_thesaurus(text, **change):
    data = parse_yaml(text)
    data["corpora"]["sample"]["concepts"] = {}
    name = "sample-visual-video"
    data["experiments"] = {name: data["experiments"][name] | {"model": "ridge"} | change}
    return data


@pytest.mark.parametrize(
    "change",
    [
        {"task": "speech", "modalities": ["text"], "model": "mlp"},
        {"task": "hard", "model": "mlp"},
        {"task": "concept/Body", "model": "mlp"},
        {"task": "intervals/hard"},
    ],
)
def test_a_task_by_concepts_is_refused_where_the_corpus_has_none(text, change):
    with pytest.raises(ParamsError, match=f"{change['task']} goes by concepts, and corpus sample"):
        check_params(without_a_thesaurus(text, **change))


@pytest.mark.parametrize("task", ["seconds/valence", "intervals/fear"])
def test_a_task_over_time_asks_for_no_thesaurus(text, task):
    check_params(without_a_thesaurus(text, task=task))
