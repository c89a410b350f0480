"""The stage as DVC runs it: paths from the plan, params from their sections, one JSON out."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from alignment.dialogues import CLIP, moved, speak
from alignment.films import make_film
from gazeline.alignment.record import read_alignment, read_copy_clock
from gazeline.schema.annotations import CUES, FILMS
from gazeline.tables import from_rows, write_table

PLAN = """
plan:
  films:
    lantern:
      copy: data/films/lantern.mkv
      subtitles: data/films/lantern.mkv
      map: data/films/lantern.mkv
      corpus_1: data/corpora/sample
      corpus_2: data/corpora/sample
"""
PARAMS = """
align: {min_confidence: 0.5}
films:
  lantern: {copy: data/films/lantern.mkv, corpora: [sample]}
"""


@pytest.fixture
def workspace(tmp_path):
    """Return a folder with a plan, params and the tables of one film."""
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "params.yaml").write_text(PARAMS)
    (tmp_path / "data/films").mkdir(parents=True)
    film = {
        "film_id": "lantern", "corpus": "sample", "title": "Lantern", "year": 2003, "genres": [],
        "annotation_fps_num": 24000, "annotation_fps_den": 1001, "duration_s": 42.0,
    }  # fmt: skip
    cues = [
        {
            "cue_id": i, "film_id": "lantern", "start_s": c.start_s, "end_s": c.end_s,
            "start_frame": 0, "end_frame": 0, "text_raw": c.text, "text": c.text,
        }
        for i, c in enumerate(CLIP)
    ]  # fmt: skip
    corpus = tmp_path / "data/corpora/sample"
    write_table(from_rows([film], FILMS), FILMS, corpus / "films.parquet")
    write_table(from_rows(cues, CUES), CUES, corpus / "cues.parquet")
    return tmp_path


def run(project, workspace, film="lantern"):
    return subprocess.run(
        [sys.executable, str(project / "stages/align.py"), film],
        cwd=workspace,
        env={**os.environ, "PYTHONPATH": str(project / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_stage_writes_the_map_and_says_it_in_one_line(project, workspace):
    copy = workspace / "data/films/lantern.mkv"
    make_film(copy, 45.5, tracks={"eng": moved(CLIP, 1, 3.5)})
    done = run(project, workspace)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("align@lantern: sample by text, sure, confidence 0.9")
    assert "has 3.5 s before its start" in done.stdout
    path = workspace / "data/aligned/lantern.json"
    found = read_alignment(path, "sample")
    assert found.time_map.to_copy(10.0) == pytest.approx(13.5, abs=0.002)
    assert read_copy_clock(path).fps == "24000/1001"
    first = path.read_bytes()
    assert run(project, workspace).returncode == 0
    assert path.read_bytes() == first
    assert json.loads(first)["corpora"]["sample"]["pieces"][0]["rate"] == 1.0


def test_wrong_film_fails_and_writes_nothing(project, workspace):
    other = speak(seed=500, count=13, spacing_s=3.0)
    make_film(workspace / "data/films/lantern.mkv", 42, tracks={"eng": other})
    done = run(project, workspace)
    assert done.returncode == 1
    assert "align@lantern failed: The copy does not fit the annotations" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (workspace / "data/aligned").exists()


def test_film_that_the_corpus_does_not_know_is_named(project, workspace):
    for name in ("plan.yaml", "params.yaml"):
        path = workspace / name
        path.write_text(path.read_text().replace("  lantern:", "  kite:"))
    done = run(project, workspace, "kite")
    assert done.returncode == 1
    assert "Corpus sample has no film kite" in done.stderr
