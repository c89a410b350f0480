"""Each bad input ends in one clear error: what, where, what to do; nothing half-written."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import time

import pytest

from pipeline_support import SMALL_FILMS, new_repository, shrink

pytestmark = pytest.mark.slow


def state(repository):
    """Return what a refused command must leave as it was."""
    files = ["params.yaml", "plan.yaml", "dvc.yaml"]
    links = sorted(str(p) for p in (repository.root / "data").glob("*/*") if p.is_symlink())
    return [(repository.root / name).read_text() for name in files], links


def assert_clear(answer, *parts):
    assert answer.status != 0
    assert "Traceback" not in answer.output
    for part in parts:
        assert part in answer.output, f"{part!r} is not in:\n{answer.output}"


def test_misspelt_params_stop_everything_with_all_problems_at_once(repository):
    repository.replace("exclude:", "exlude:")
    repository.replace("patience: 10", "patiense: 10")
    answer = repository.gazeline("repro", check=False)
    assert_clear(answer, "params.yaml has 3 problems", "did you mean exclude?", "patiense")
    assert answer.ran == []
    plain = repository.repro(check=False)
    assert plain.status != 0
    assert "train@sample-speech-text-1" not in plain.ran


def test_a_stale_plan_names_the_command(repository):
    repository.replace("  films: []\n", "  films: [sample-lantern]\n")
    answer = repository.repro(check=False)
    assert_clear(answer, "run `gazeline plan`")
    assert [name for name in answer.ran if name.startswith("train")] == []


@pytest.mark.parametrize("fault", ["missing", "delimiter", "truncated"])
def test_a_broken_release_is_refused_and_nothing_changes(repository, tmp_path, fault):
    release = tmp_path / "release"
    shutil.copytree(repository.root / "data/releases/sample", release)
    csv = release / "mobygaze_dataframe.csv"
    if fault == "missing":
        csv.unlink()
    elif fault == "delimiter":
        csv.write_text(csv.read_text().replace(";", ","))
    else:
        csv.write_bytes(csv.read_bytes()[:-40])
    before = state(repository)
    answer = repository.gazeline(
        "corpus", "add", "mobygaze", "--release", str(release), check=False
    )
    assert_clear(answer, "mobygaze_dataframe.csv", "to do:")
    assert state(repository) == before


def test_a_copy_that_is_no_video_is_refused_when_added(repository, tmp_path):
    text = tmp_path / "sample-tram.mkv"
    text.write_text("this is no film")
    before = state(repository)
    answer = repository.gazeline("film", "add", "sample-tram", str(text), check=False)
    assert_clear(answer, "sample-tram.mkv", "to do:")
    assert state(repository) == before


def test_a_copy_that_breaks_later_fails_alone_and_is_named(repository):
    broken = repository.root / f"data/films/{SMALL_FILMS[0]}.mkv"
    data = repository.params()
    own = repository.root / "data/films/own.mkv"
    shutil.copy(broken, own)
    data["films"][SMALL_FILMS[0]]["copy"] = "data/films/own.mkv"
    repository.write_params(data)
    own.write_text("no film any more")
    answer = repository.repro(check=False)
    assert answer.status != 0
    assert f"video@{SMALL_FILMS[0]} failed" in answer.output
    assert "Traceback" not in answer.output
    assert not (repository.root / f"data/features/video/{SMALL_FILMS[0]}.parquet").exists()
    assert (repository.root / f"data/features/video/{SMALL_FILMS[1]}.parquet").exists()
    assert not list((repository.root / "data").rglob("*.tmp"))


def test_an_experiment_that_fails_takes_no_scores_from_the_others(repository):
    """Its own earlier runs are no longer shown; a new one beside it is scored."""
    data = repository.params()
    bad = data["experiments"]["sample-speech-text"]
    data["experiments"]["sample-good"] = {**bad, "training": {"epochs": 2}}
    data["experiments"]["sample-speech-text"] = {**bad, "test_annotators": ["annotator9"]}
    repository.write_params(data)
    answer = repository.gazeline("repro", check=False)
    assert answer.status != 0
    summary = json.loads((repository.root / "metrics/summary.json").read_text())
    assert {"sample-good", "sample-visual-video", "sample-hard-video-audio"} < set(summary)
    assert "sample-speech-text" not in summary
    reason = "dataset@sample-speech-text failed: sample has no annotator annotator9"
    assert summary["missing"] == {"train@sample-speech-text-1": reason}
    compared = (repository.root / "metrics/comparisons.json").read_text()
    assert "sample-good" in compared
    assert json.loads((repository.root / "metrics/ledger.json").read_text())["n"]["published"]
    shown = repository.gazeline("summary")
    for output in (answer.output, shown.output):
        assert "Failed or not run: missing from the figures above" in output
        assert reason in output
        assert "sample-good " in output
    assert "aggregate" in repository.dvc("status").output
    data["experiments"]["sample-speech-text"] = bad
    repository.write_params(data)
    assert "aggregate" in repository.gazeline("repro").ran
    summary = json.loads((repository.root / "metrics/summary.json").read_text())
    assert "sample-speech-text" in summary
    assert "missing" not in summary


def test_a_missing_encoder_folder_is_named(repository):
    data = repository.params()
    data["encoders"]["mine"] = {"modality": "text", "source": "folder", "location": "nowhere/model"}
    data["corpora"]["sample"]["encoders"]["text"] = "mine"
    repository.write_params(data)
    answer = repository.repro(check=False)
    assert answer.status != 0
    assert "encoders@mine failed" in answer.output
    assert "nowhere/model" in answer.output
    assert "Traceback" not in answer.output
    assert not (repository.root / "data/encoders/mine").exists()


def test_a_film_that_no_corpus_knows_is_refused(repository):
    before = state(repository)
    film = str(repository.root / "data/films/sample-tram.mkv")
    answer = repository.gazeline("film", "add", "tt9999999", film, check=False)
    assert_clear(answer, "No corpus knows the film tt9999999", "gazeline status")
    assert_clear(repository.gazeline("film", "remove", "tt9999999", check=False), "No corpus knows")
    assert state(repository) == before


def test_interrupted_in_several_stages_the_next_run_equals_an_undisturbed_one(
    project, reproduced, tmp_path
):
    root = tmp_path / "rough"
    root.mkdir()
    rough = new_repository(project, root)
    shrink(rough)
    for stage in ("sample@films", f"video@{SMALL_FILMS[0]}", "train@sample-visual-video-1"):
        interrupt_in(rough, stage, tmp_path / "log")
        assert not list((root / "data").rglob("*.tmp"))
    rough.repro()
    folders = ("metrics", "data/features", "data/aligned", "data/runs")
    assert digests(rough, folders) == digests(reproduced, folders)


def interrupt_in(repository, stage, log):
    """Run `dvc repro`, send Ctrl-C to its whole process group once the stage has begun."""
    with log.open("w") as sink:
        process = subprocess.Popen(
            ["dvc", "repro"],
            cwd=repository.root,
            env=repository.environment(),
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        deadline = time.monotonic() + 300
        while f"Running stage '{stage}'" not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline
            time.sleep(0.1)
        time.sleep(1.0)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) != 0
    assert "Traceback" not in log.read_text(), log.read_text()


def digests(repository, folders):
    return {
        str(path.relative_to(repository.root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in folders
        for path in sorted((repository.root / folder).rglob("*"))
        if path.is_file()
    }
