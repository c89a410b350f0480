"""Presets: the experiments behind the paper's tables, merged into params.yaml and taken back."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from gazeline.errors import GazelineError, ParamsError
from gazeline.orchestration.params_text import remove_entry
from gazeline.orchestration.plan import expand
from gazeline.orchestration.presets import preset_names, read_preset, use_preset, with_preset
from gazeline.orchestration.templates import with_template
from gazeline.params.base import parse_yaml
from gazeline.params.learning import TrainingParams
from gazeline.params.whole import check_params

NAMES = [*(f"table{n}" for n in range(4, 13)), "fig15"]
# Models or cells of each table of the paper, guessing left out; Fig. 15's bars.
SIZES = dict(zip(NAMES, (2, 4, 8, 2, 2, 2, 3, 2, 8, 15), strict=True))


@pytest.fixture(scope="module")
def text(project):
    return with_template((project / "params.yaml").read_text(), "mobygaze", "minilm")


@pytest.fixture
def workspace(project, text, tmp_path, monkeypatch):
    """Return a folder with params.yaml, its plan and the presets, as the current folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(project / "presets", tmp_path / "presets")
    (tmp_path / "params.yaml").write_text(text)
    return tmp_path


def test_there_is_a_preset_for_every_table_and_none_else(project):
    assert preset_names(project / "presets") == NAMES


@pytest.mark.parametrize(
    ("name", "corpus"), [*((name, "mobygaze") for name in NAMES), ("table7", "sample")]
)
def test_every_preset_passes_the_checks_and_the_planner(project, text, name, corpus):
    preset = read_preset(name, corpus, project / "presets")
    new_text, added = with_preset(text, preset, corpus)
    assert len(added) == SIZES[name]
    plan = expand(check_params(parse_yaml(new_text)))["plan"]
    for experiment in added:
        assert experiment.startswith(f"{corpus}-")
        assert (experiment in plan["experiments"]) != (experiment in plan["left_out"])
    comments = Counter(line for line in text.splitlines() if line.lstrip().startswith("#"))
    assert comments <= Counter(new_text.splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_every_published_setting_is_written_out(project, name):
    """A changed `training:` of the project then leaves the preset as published."""
    for experiment in read_preset(name, folder=project / "presets").experiments.values():
        other = TrainingParams(seeds=(7,), epochs=1, patience=1, batch_size=2, balance="none")
        training = experiment.training.applied_to(other)
        assert training.seeds == (0, 1, 2, 3, 4)
        assert (training.epochs, training.patience, training.batch_size) == (100, 10, 32)
        assert training.balance == "oversample"
        assert not training.standardise
        assert experiment.training.learning_rate
        assert experiment.training.schedule


def test_what_two_tables_share_is_one_experiment(project):
    tables = [read_preset(f"table{n}", folder=project / "presets") for n in (4, 5, 11, 12)]
    shared = {p.experiments["mobygaze-visual-video-transformer"].model_dump_json() for p in tables}
    assert len(shared) == 1


def test_using_a_preset_twice_changes_nothing_the_second_time(workspace):
    first = use_preset("table7")
    assert first.added == ("mobygaze-speech-text-mlp", "mobygaze-speech-text-transformer")
    assert first.can_run == first.added
    before = (workspace / "params.yaml").read_text(), (workspace / "plan.yaml").read_text()
    second = use_preset("table7")
    assert second.added == ()
    assert second.present == first.added
    assert (
        (workspace / "params.yaml").read_text(),
        (workspace / "plan.yaml").read_text(),
    ) == before


def test_what_needs_copies_is_named(workspace):
    used = use_preset("table10")
    assert used.can_run == ("mobygaze-hard-vt-text-transformer",)
    reason = "needs video: no film of the corpus has a copy"
    assert used.left_out["mobygaze-hard-vt-video-transformer"] == reason


def test_a_preset_taken_out_again_leaves_the_file_as_it_was(project, text):
    preset = read_preset("table7", folder=project / "presets")
    new_text, added = with_preset(text, preset, "mobygaze")
    for name in added:
        new_text = remove_entry(new_text, "experiments", name)
    assert new_text == text


def test_an_entry_with_other_settings_is_a_clash_and_nothing_changes(workspace):
    use_preset("table7")
    path = workspace / "params.yaml"
    changed = path.read_text().replace(
        "learning_rate: 0.00001, weight", "learning_rate: 0.5, weight"
    )
    path.write_text(changed)
    with pytest.raises(ParamsError) as caught:
        use_preset("table7")
    assert "experiments.mobygaze-speech-text-transformer" in str(caught.value)
    assert "training.learning_rate 0.5, not 1e-05" in str(caught.value)
    assert path.read_text() == changed


def test_an_unknown_preset_lists_the_known_ones(workspace):
    with pytest.raises(GazelineError, match=r"no preset table3(.|\n)*table4, table5"):
        use_preset("table3")
    shutil.rmtree(workspace / "presets")
    with pytest.raises(GazelineError, match="there is no folder presets/ here"):
        use_preset("table4")


def test_a_preset_of_a_corpus_that_is_not_there_says_how_to_add_it(workspace):
    with pytest.raises(ParamsError, match=r"needs corpus other(.|\n)*gazeline corpus add other"):
        use_preset("table4", "other")


def test_a_damaged_preset_names_its_file(workspace):
    (workspace / "presets/table4.yaml").write_text("about: x\nexperiments:\n  a: {task: smell}\n")
    with pytest.raises(ParamsError, match=r"table4.yaml"):
        use_preset("table4")
