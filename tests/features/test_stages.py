"""The stage scripts do their work from the project's root and fail with one message."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from ruamel.yaml import YAML

from gazeline.schema.annotations import SEGMENT_TEXT
from gazeline.schema.features import ACOUSTIC, TEXT, windows
from gazeline.tables import from_rows, read_table, write_table

pytestmark = pytest.mark.slow

PARAMS = {
    "encoders": {
        f"tiny-{m}": {"modality": m, "source": "tiny", "seed": 1}
        for m in ("video", "audio", "text")
    },
    "runtime": {"device": "cpu", "batch_size": 4},
}
ENTRIES = {
    "films": {
        "my-film": {
            "copy": "data/films/my-film.mkv",
            "video_encoder": "data/encoders/tiny-video",
            "audio_encoder": "data/encoders/tiny-audio",
        }
    },
    "corpora": {"mine": {"text_encoder": "data/encoders/tiny-text"}},
}


@pytest.fixture
def run(tmp_path, project, film):
    """Return a function that runs a stage in a small project with one film and one corpus."""
    (tmp_path / "data/films").mkdir(parents=True)
    (tmp_path / "data/films/my-film.mkv").symlink_to(film)
    for name, content in (("params.yaml", PARAMS), ("plan.yaml", {"plan": ENTRIES})):
        with (tmp_path / name).open("w", encoding="utf-8") as file:
            YAML().dump(content, file)

    def stage(name: str, key: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(project / "stages" / f"{name}.py"), key]
        environment = os.environ | {"PYTHONPATH": str(project / "src")}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return stage


def test_encoders_then_video_audio_and_text_write_their_shards(run, tmp_path):
    rows = [{"segment_id": "a", "n_cues": 1, "text": "Hello"}]
    texts = tmp_path / "data/subtitles/mine.parquet"
    write_table(from_rows(rows, SEGMENT_TEXT), SEGMENT_TEXT, texts)
    for modality, key in (("video", "my-film"), ("audio", "my-film"), ("text", "mine")):
        made = run("encoders", f"tiny-{modality}")
        assert made.returncode == 0, made.stderr
        assert made.stdout.startswith(f"encoders@tiny-{modality}: {modality} encoder from tiny")
        done = run(modality, key)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"{modality}@{key}: ")
        assert done.stdout.count("\n") == 1
        assert done.stderr == ""
    features = tmp_path / "data/features"
    assert len(read_table(features / "video/my-film.parquet", windows("video", 64))) == 5
    assert len(read_table(features / "audio/my-film.parquet", windows("audio", 64))) == 2
    assert len(read_table(features / "acoustic/my-film.parquet", ACOUSTIC)) > 0
    assert len(read_table(features / "text/mine.parquet", TEXT)) == 2


def test_a_stage_that_fails_says_what_where_and_what_to_do_without_a_trace(run, tmp_path):
    done = run("video", "my-film")
    assert done.returncode == 1
    assert "video@my-film failed: Encoder tiny-video is not there" in done.stderr
    assert "to do: run `dvc repro encoders@tiny-video`" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "data/features").exists()
