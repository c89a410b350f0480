"""The three stages as DVC runs them: from the root of a project, with its params and plan."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gazeline.orchestration.plan import write_plan
from gazeline.params.whole import load_params
from learning.synthetic import make_toy

PARAMS = """\
corpora:
  toy:
    format: mobygaze
    release: data/releases/toy
    encoders: {video: v, audio: a, text: t}
    concepts: {visual: [Body, Look], speech: [Speech], audio: [Voice, Soundtrack]}
    exclude: []
    frame_rates: {}
    folds:
      - {fold: 1, test: [f0, f1], validation: [f2]}
      - {fold: 2, test: [f2, f3], validation: [f4]}
films:
  f0: {copy: data/films/f0.mkv, corpora: [toy]}
  f1: {copy: data/films/f1.mkv, corpora: [toy]}
  f2: {copy: data/films/f2.mkv, corpora: [toy]}
  f3: {copy: data/films/f3.mkv, corpora: [toy]}
  f4: {copy: data/films/f4.mkv, corpora: [toy]}
encoders:
  v: {modality: video, source: tiny, seed: 1}
  a: {modality: audio, source: tiny, seed: 1}
  t: {modality: text, source: tiny, seed: 1}
training: {seeds: [0, 1], epochs: 3}
experiments:
  seen:
    corpus: toy
    task: visual
    modalities: [video]
    model: mlp
    positives: specific
    train_annotators: [annotator1, annotator2]
    test_annotators: [annotator2]
    folds: [1]
    training: {epochs: 2}
"""
UNWANTED = ("transformers", "sklearn", "librosa", "scipy.stats", "av", "dvc")


@pytest.fixture
def root(tmp_path):
    make_toy(n_segments=4).write(tmp_path)
    (tmp_path / "params.yaml").write_text(PARAMS)
    write_plan(load_params(tmp_path / "params.yaml"), tmp_path / "plan.yaml")
    return tmp_path


def stage(project: Path, root: Path, name: str, *arguments: str):
    environment = {**os.environ, "PYTHONPATH": str(project / "src"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(project / "stages" / f"{name}.py"), *arguments]
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_stages_run_from_tables_to_summary(project, root):
    done = stage(project, root, "dataset", "seen")
    assert done.returncode == 0, done.stderr
    assert "dataset@seen: 40 of 48 segments (8 film without a copy)" in done.stdout
    done = stage(project, root, "train", "seen", "1")
    assert done.returncode == 0, done.stderr
    assert "train@seen-1: mlp of" in done.stdout
    done = stage(project, root, "aggregate")
    assert done.returncode == 0, done.stderr
    assert "aggregate: 1 experiments, 1 runs scored" in done.stdout
    summary = json.loads((root / "metrics/summary.json").read_text())
    assert summary["seen"]["n"] == {
        "films": 2,
        "folds": 1,
        "positives": 4,
        "seeds": 2,
        "segments": 8,
    }


@pytest.mark.slow
def test_a_failing_stage_prints_one_clear_error(project, root):
    done = stage(project, root, "train", "seen", "1")
    assert done.returncode == 1
    assert "train@seen-1 failed: manifest.json does not exist" in done.stderr
    assert "Traceback" not in done.stderr
    done = stage(project, root, "aggregate")
    assert done.returncode == 1
    assert "dvc repro train@seen-1" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "leaves_out"),
    [
        ("dataset", ("torch", "gazeline.params.whole", "gazeline.learning.training.fitting")),
        (
            "train",
            ("gazeline.learning.datasets.dataset", "gazeline.statistics", "gazeline.params.whole"),
        ),
        (
            "aggregate",
            (
                "torch",
                "gazeline.learning.training",
                "gazeline.learning.datasets.dataset",
                "gazeline.params.whole",
            ),
        ),
    ],
)
def test_a_stage_imports_no_more_than_it_uses(project, name, leaves_out):
    """What a stage imports, it depends on: an edit there runs it again."""
    code = f"import sys; sys.path.insert(0, 'stages'); import {name}; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(project / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert not set(done.stdout.split()) & {*UNWANTED, *leaves_out}
