"""What the commands show, and that registering a corpus can be undone."""

from __future__ import annotations

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.slow


def test_status_of_a_finished_repository(repository):
    output = repository.gazeline("status").output
    assert "`dvc repro` would run nothing" in output
    assert "sure 0.9" in output
    assert "1 of 1 folds trained" in output


def test_status_says_what_would_run_and_why(repository):
    repository.replace("learning_rate: 0.001", "learning_rate: 0.002")
    output = repository.gazeline("status").output
    assert "train@sample-speech-text-1" in output
    assert "training.learning_rate" in output or "training modified" in output
    assert "aggregate" in output
    assert "video@sample-lantern" not in output.split("would run")[1]
    assert "roughly" in output


def test_doctor_finds_nothing_wrong_and_then_what_is(repository):
    assert "All is well" in repository.gazeline("doctor").output
    data = repository.params()
    data["encoders"]["mine"] = {"modality": "text", "source": "folder", "location": "nowhere"}
    repository.write_params(data)
    answer = repository.gazeline("doctor", check=False)
    assert answer.status == 1
    assert "encoders.mine.location" in answer.output


def test_summary_shows_scores_and_what_is_left_out(repository):
    data = repository.params()
    data["experiments"]["sample-visual-video"]["folds"] = [1]
    data["corpora"]["sample"]["exclude"] += ["sample-tram"]
    repository.write_params(data)
    output = repository.gazeline("summary").output
    assert "sample-speech-text" in output
    assert "PR AUC macro" in output


def test_a_subset_is_stamped_into_every_figure(repository):
    repository.replace("  share: 1.0", "  share: 0.6")
    repository.gazeline("plan")
    repository.repro()
    for path in (repository.root / "metrics").rglob("*.json"):
        assert '"subset"' in path.read_text(), path
    assert "SUBSET" in repository.gazeline("summary").output
    assert "SUBSET" in repository.gazeline("status").output


def test_a_corpus_is_added_twice_without_change_and_removed_without_trace(repository, tmp_path):
    release = tmp_path / "release"
    shutil.copytree(repository.root / "data/releases/sample", release)
    films = tmp_path / "films"
    films.mkdir()
    shutil.copy(repository.root / "data/films/sample-tram.mkv", films / "sample-tram.mkv")
    (films / "Some Other Film (1999).mkv").write_bytes(b"")
    before = {n: (repository.root / n).read_text() for n in ("params.yaml", "plan.yaml")}
    dry = fake_mobygaze(repository, release, films, "--dry-run")
    assert "sample-tram.mkv" in dry.output
    assert "Some Other Film (1999).mkv" in dry.output
    assert {n: (repository.root / n).read_text() for n in before} == before
    assert not (repository.root / "data/releases/mobygaze").exists()
    added = fake_mobygaze(repository, release, films)
    assert added.status != 0
    assert "folds" in added.output or "no film" in added.output or "encoders" in added.output


def fake_mobygaze(repository, release, films, *options):
    return repository.gazeline(
        "corpus",
        "add",
        "mobygaze",
        "--release",
        str(release),
        "--copies",
        str(films),
        *options,
        check=False,
    )


def test_the_pull_request_report_names_what_ran_and_what_changed(repository):
    repository.run("git", "checkout", "-qb", "change")
    repository.replace("learning_rate: 0.001", "learning_rate: 0.01")
    repository.commit("faster")
    out = repository.root / "report.md"
    repository.gazeline("ci", "report", "--base", "main", "--out", str(out))
    text = out.read_text()
    assert "train@sample-speech-text-1" in text
    assert "| params.yaml" in text
    assert "training.learning_rate" in text
    assert "| metrics/summary.json" in text


def test_a_pull_request_that_changes_no_result_says_so(repository):
    repository.run("git", "checkout", "-qb", "change")
    (repository.root / "README.md").write_text("words\n")
    repository.commit("words")
    out = repository.root.parent / "report.md"
    repository.gazeline("ci", "report", "--base", "main", "--out", str(out))
    assert "No parameter, data or code" in out.read_text()


def test_a_release_comes_from_a_git_repository_at_a_revision(repository, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(repository.root / "data/releases/sample", source / "dataset")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=source, check=True)
    subprocess.run(["git", "add", "-A"], cwd=source, check=True)
    subprocess.run([*git, "commit", "-qm", "one"], cwd=source, check=True)
    subprocess.run(["git", "tag", "v1"], cwd=source, check=True)
    (source / "dataset/mobygaze_dataframe.csv").write_text("later\n")
    subprocess.run([*git, "commit", "-qam", "two"], cwd=source, check=True)
    answer = repository.gazeline(
        *("corpus", "add", "mobygaze", "--release", str(source)),
        *("--rev", "v1", "--path", "dataset"),
    )
    assert "annotates 6 films" in answer.output
    assert (repository.root / "data/releases/mobygaze.dvc").is_file()
    assert (repository.root / "data/releases/mobygaze/mobygaze_dataframe.csv").is_file()
    status = repository.run("git", "status", "--porcelain").output
    assert "data/releases/mobygaze.dvc" in status
    repository.gazeline("corpus", "remove", "mobygaze")
    assert repository.run("git", "status", "--porcelain").output == ""
