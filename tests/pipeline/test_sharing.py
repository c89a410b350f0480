"""Results travel: between commits, to a remote, to a clone without the user's own files."""

from __future__ import annotations

import shutil

import pytest

from pipeline_support import Repository

pytestmark = pytest.mark.slow


def test_diffs_plots_and_graph_between_two_commits(repository):
    repository.replace("learning_rate: 0.001", "learning_rate: 0.01")
    repository.repro()
    repository.commit("faster learning")
    assert "training.learning_rate" in repository.dvc("params", "diff", "HEAD~1").output
    metrics = repository.dvc("metrics", "diff", "HEAD~1", "--md").output
    assert "sample-visual-video.ap_macro.mean" in metrics
    assert "| metrics/summary.json" in metrics
    dag = repository.dvc("dag", "--mermaid").output
    assert "train@sample-visual-video-1" in dag
    repository.dvc("plots", "show")
    page = (repository.root / "dvc_plots/index.html").read_text()
    assert "Loss over epochs" in page
    assert "Precision over recall" in page
    assert "sample-visual-video" in page


def test_push_and_pull_restore_a_clone_that_then_runs_nothing(repository, tmp_path):
    remote = tmp_path / "remote"
    repository.dvc("remote", "add", "-d", "store", str(remote))
    repository.commit("a remote")
    repository.dvc("push")
    repository.run("git", "clone", "-q", str(repository.root), str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    clone.dvc("pull")
    assert clone.repro().ran == []
    assert clone.gazeline("repro").ran == []
    for folder in ("data/features/video", "data/films", "data/runs"):
        assert any((clone.root / folder).iterdir()), folder


def test_without_the_users_own_files_a_pulled_clone_runs_nothing(repository, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    shutil.copy(repository.root / "data/films/sample-tram.mkv", own / "tram.mkv")
    data = repository.params()
    shutil.copytree(repository.root / "data/releases/sample", own / "release")
    corpus = {**data["corpora"]["sample"], "release": "data/releases/mine", "exclude": []}
    (repository.root / "data/releases/mine").symlink_to(own / "release")
    (repository.root / "data/films/sample-tram-own.mkv").symlink_to(own / "tram.mkv")
    data["corpora"]["mine"] = corpus | {"folds": []}
    data["films"]["sample-tram"] = {
        "copy": "data/films/sample-tram-own.mkv",
        "corpora": ["mine"],
    }
    repository.write_params(data)
    repository.repro()
    repository.dvc("remote", "add", "-d", "store", str(tmp_path / "remote"))
    repository.commit("with own files")
    repository.dvc("push")
    repository.run("git", "clone", "-q", str(repository.root), str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    clone.dvc("pull", "--allow-missing", check=False)
    answer = clone.gazeline("repro")
    assert answer.ran == []
    assert "sample-tram-own.mkv is absent" in answer.output
    assert (clone.root / "data/aligned/sample-tram.json").is_file()


def test_with_a_disk_unplugged_finished_results_are_kept_and_nothing_runs(repository, tmp_path):
    own = tmp_path / "disk"
    own.mkdir()
    shutil.copy(repository.root / "data/films/sample-lantern.mkv", own / "lantern.mkv")
    link = repository.root / "data/films/own.mkv"
    link.symlink_to(own / "lantern.mkv")
    data = repository.params()
    data["films"]["sample-lantern"]["copy"] = "data/films/own.mkv"
    repository.write_params(data)
    repository.repro()
    own.rename(tmp_path / "unplugged")
    answer = repository.gazeline("repro")
    assert answer.ran == []
    assert "own.mkv is absent; its finished results are kept" in answer.output
    assert (repository.root / "data/features/video/sample-lantern.parquet").is_file()
    assert link.is_symlink()
    status = repository.gazeline("status").output
    assert "own.mkv is absent" in status
    (tmp_path / "unplugged").rename(own)
    assert repository.gazeline("repro").ran == []
