"""The plan holds what can run, and says what cannot and why."""

import pytest

from gazeline.errors import PlanError
from gazeline.orchestration.plan import check_plan, expand, write_plan
from gazeline.orchestration.templates import with_template
from gazeline.orchestration.traces import gone, leftovers, stage_names
from gazeline.params.base import parse_yaml
from gazeline.params.whole import check_params, load_params


@pytest.fixture
def text(project):
    return (project / "params.yaml").read_text()


def plan_of(text):
    return expand(check_params(parse_yaml(text)))["plan"]


def test_the_committed_plan_is_fresh(project):
    check_plan(load_params(project / "params.yaml"), project / "plan.yaml")


def test_the_sample_has_at_most_40_stages(text):
    assert len(stage_names(plan_of(text))) <= 40


def test_an_experiment_without_any_copy_is_left_out_with_the_reason(text):
    films = "films:\n" + text.split("\nfilms:\n")[1].split("\n# Run a part")[0]
    plan = plan_of(text.replace(films, "films: {}\n"))
    both = "needs audio and video: no film of the corpus has a copy"
    assert plan["left_out"] == {
        "sample-affect-seconds": both,
        "sample-violence-intervals": "needs video: no film of the corpus has a copy",
        "sample-violence-shots": both,
        "sample-visual-video": "needs video: no film of the corpus has a copy",
    }
    assert set(plan["experiments"]) == {"sample-speech-text"}
    assert plan["films"] == {}
    assert plan["encoders"].keys() == {"tiny-bert"}


def test_an_experiment_waits_for_the_features_of_each_of_its_modalities(text):
    entries = plan_of(text)["experiments"]
    assert entries["sample-violence-shots"] == {
        "corpus": "sample",
        "video": "data/features/video",
        "audio": "data/features/audio",
        "aligned": "data/aligned",
        "text": "data/corpora/sample/segments.parquet",
    }
    assert entries["sample-speech-text"]["video"] == "data/corpora/sample/segments.parquet"


def test_a_fold_without_test_films_is_left_out_alone(text):
    every = text.replace("    folds: [1]\n", "    folds: []\n")
    plan = plan_of(every.replace("exclude: []", "exclude: [sample-lantern, sample-ferry]"))
    assert plan["left_out"]["sample-speech-text-1"] == "fold 1 has no test film left"
    assert "sample-speech-text-2" in plan["runs"]
    assert "sample-speech-text-1" not in plan["runs"]


def test_the_subset_keeps_only_its_films(text):
    chosen = "films: [sample-lantern, sample-orchard, sample-kite]"
    plan = plan_of(text.replace("  films: []\n", f"  {chosen}\n"))
    assert set(plan["films"]) == {"sample-lantern", "sample-orchard", "sample-kite"}


def test_a_film_in_two_corpora_with_other_encoders_is_an_error(text):
    data = parse_yaml(text)
    data["corpora"]["other"] = {**data["corpora"]["sample"], "release": "data/releases/other"}
    data["encoders"]["second"] = {"modality": "video", "source": "tiny", "seed": 9}
    data["corpora"]["other"]["encoders"] = {
        **data["corpora"]["sample"]["encoders"],
        "video": "second",
    }
    data["films"]["sample-tram"]["corpora"] = ["sample", "other"]
    with pytest.raises(PlanError, match="different video encoders: second, tiny-xclip"):
        expand(check_params(data))


def test_a_stale_plan_is_an_error_that_names_the_command(text, tmp_path):
    path = tmp_path / "plan.yaml"
    write_plan(check_params(parse_yaml(text)), path)
    changed = check_params(parse_yaml(text.replace("folds: [1]", "folds: [2]")))
    with pytest.raises(PlanError, match="gazeline plan"):
        check_plan(changed, path)


def test_values_need_no_new_plan(text, tmp_path):
    path = tmp_path / "plan.yaml"
    write_plan(check_params(parse_yaml(text)), path)
    changed = text.replace("learning_rate: 0.001", "learning_rate: 0.01")
    assert not write_plan(check_params(parse_yaml(changed)), path)


def test_what_a_removed_film_left_is_named(text):
    before = plan_of(text)
    after = plan_of(text.replace("exclude: []", "exclude: [sample-tram]"))
    assert [str(path) for path in gone(before, after)] == [
        "data/aligned/sample-tram.json",
        "data/features/acoustic/sample-tram.parquet",
        "data/features/audio/sample-tram.parquet",
        "data/features/video/sample-tram.parquet",
    ]


def test_results_of_films_and_folds_that_are_no_more_are_found_on_disk(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = ["data/features/video/sample-tram.parquet", "data/runs/sample-speech-text/fold-1/x"]
    stale = ["data/aligned/old.json", "data/features/audio/old.parquet"]
    for name in [*kept, *stale, "data/runs/sample-violence-shots/fold-2/x"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [path.as_posix() for path in leftovers(plan_of(text))]
    assert found == [*stale, "data/runs/sample-violence-shots/fold-2"]


def test_the_ledger_waits_for_the_statistics_of_the_papers_corpus_alone(text):
    """Without that corpus the dependencies repeat one that is there."""
    scored = {"runs", "agreement", "description", "consistency"}
    unknown = {"corpus": False, "copies": False, "encoders": {}}
    assert plan_of(text)["aggregate"] == {
        **dict.fromkeys(scored | {"segments", "folds"}, "data/runs"),
        "published": unknown,
    }
    plan = plan_of(with_template(text, "mobygaze", "minilm"))
    assert plan["aggregate"] == {
        "runs": "data/runs",
        **{kind: f"metrics/{kind}/mobygaze.json" for kind in scored - {"runs"}},
        **{name: f"data/corpora/mobygaze/{name}.parquet" for name in ("segments", "folds")},
        "published": {
            "corpus": True,
            "copies": False,
            "encoders": {"video": "xclip-base", "audio": "ast", "text": "minilm"},
        },
    }
