"""DVC runs what a change reaches, and nothing else; real executions are counted."""

from __future__ import annotations

import json

import pytest

from pipeline_support import SMALL_FILMS

pytestmark = pytest.mark.slow

RUNS = {
    "train@sample-hard-video-audio-1",
    "train@sample-speech-text-1",
    "train@sample-visual-video-1",
}


def test_a_second_and_a_third_run_execute_nothing(repository):
    assert repository.repro().ran == []
    assert repository.repro().ran == []
    assert repository.run("git", "status", "--porcelain").output == ""


def test_a_training_param_runs_only_train_and_aggregate(repository):
    repository.replace("learning_rate: 0.001", "learning_rate: 0.002")
    assert set(repository.repro().ran) == RUNS | {"aggregate"}


def test_runtime_params_run_nothing(repository):
    repository.replace("device: auto", "device: cpu")
    repository.replace("threads: 0", "threads: 1")
    repository.replace("workers: 0", "workers: 2")
    repository.replace("  batch_size: 16", "  batch_size: 4")
    assert repository.repro().ran == []


def test_adding_a_film_runs_its_stages_and_what_uses_its_modalities(repository):
    repository.gazeline("film", "add", "sample-tram", "data/films/sample-tram.mkv")
    ran = set(repository.repro().ran)
    assert ran == {
        "check",
        "align@sample-tram",
        "video@sample-tram",
        "audio@sample-tram",
        "consistency@sample",
        "dataset@sample-visual-video",
        "dataset@sample-hard-video-audio",
        "train@sample-visual-video-1",
        "train@sample-hard-video-audio-1",
        "aggregate",
    }


def test_a_removed_film_leaves_no_trace(repository):
    film = "sample-tram"
    before = repository.root / "metrics/description/sample.json"
    assert film in before.read_text()
    repository.gazeline("film", "remove", film)
    repository.repro()
    for path in (repository.root / "metrics").rglob("*.json"):
        assert film not in path.read_text(), path


def test_a_removed_copy_leaves_its_experiments_and_keeps_its_annotations(repository):
    film = SMALL_FILMS[2]
    repository.gazeline("film", "add", "sample-tram", "data/films/sample-tram.mkv")
    repository.gazeline("film", "remove", film, "--copy-only")
    ran = repository.repro().ran
    assert not [name for name in ran if film in name]
    assert not (repository.root / f"data/features/video/{film}.parquet").exists()
    manifest = (repository.root / "data/datasets/sample-visual-video/manifest.json").read_text()
    shards = json.loads(manifest)["shards"]
    assert film not in json.dumps(shards)
    assert film in (repository.root / "metrics/description/sample.json").read_text()


def test_another_text_encoder_does_not_retrain_a_video_experiment(repository):
    data = repository.params()
    data["encoders"]["second-bert"] = {"modality": "text", "source": "tiny", "seed": 11}
    data["corpora"]["sample"]["encoders"]["text"] = "second-bert"
    repository.write_params(data)
    ran = set(repository.repro().ran)
    assert ran == {
        "check",
        "encoders@second-bert",
        "text@sample",
        "dataset@sample-speech-text",
        "train@sample-speech-text-1",
        "aggregate",
    }


def test_a_changed_join_reaches_text_and_not_video(repository):
    repository.replace("join: midpoint", "join: overlap")
    ran = set(repository.repro().ran)
    assert "subtitles@sample" in ran
    assert not [name for name in ran if name.startswith(("video@", "audio@", "align@"))]
    assert "train@sample-visual-video-1" not in ran
