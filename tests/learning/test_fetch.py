"""Shards behind a manifest are fetched through DVC, also from within `dvc repro`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from gazeline.errors import FeatureError
from learning.synthetic import Toy, dataset, make_toy, train

STAGES = """\
stages:
  train:
    cmd: {python} train.py
    deps:
      - data/datasets/toy-video
    outs:
      - data/runs/toy-video/fold-1
"""
TRAIN = """\
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from learning.synthetic import train
train(Path(), epochs=1)
"""


def dvc(root, *arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "dvc", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    """Return a DVC project whose shards are tracked and pushed to a local remote."""
    root = tmp_path_factory.mktemp("project")
    make_toy(n_segments=4).write(root)
    dataset(root)
    dvc(root, "init", "--no-scm", "--quiet")
    dvc(root, "remote", "add", "--default", "local", str(tmp_path_factory.mktemp("remote")))
    dvc(root, "add", *(f"data/features/video/{film}.parquet" for film in Toy.films))
    dvc(root, "push")
    return root


@pytest.fixture
def project(pushed, tmp_path):
    """Return a copy of that project without its shards."""
    root = tmp_path / "copy"
    shutil.copytree(pushed, root)
    for path in (root / "data/features/video").glob("*.parquet"):
        path.unlink()
    return root


@pytest.mark.slow
def test_absent_shards_come_from_the_cache(project):
    train(project, epochs=1)
    assert len(list((project / "data/features/video").glob("*.parquet"))) == 6


@pytest.mark.slow
def test_absent_shards_come_from_the_remote(project):
    shutil.rmtree(project / ".dvc/cache")
    train(project, epochs=1)
    assert len(list((project / "data/features/video").glob("*.parquet"))) == 6


@pytest.mark.slow
def test_absent_shards_are_fetched_while_dvc_runs_the_stage(project):
    """`dvc repro` holds locks of its own while the command runs."""
    (project / "dvc.yaml").write_text(STAGES.format(python=sys.executable))
    tests = os.path.dirname(os.path.dirname(__file__))
    (project / "train.py").write_text(TRAIN.format(tests=tests))
    shutil.rmtree(project / ".dvc/cache")
    dvc(project, "repro", "train")
    assert (project / "data/runs/toy-video/fold-1/predictions.parquet").is_file()


@pytest.mark.slow
def test_shards_neither_in_cache_nor_remote_name_the_pull_to_run(project):
    shutil.rmtree(project / ".dvc/cache")
    (project / ".dvc/config").write_text("")
    with pytest.raises(FeatureError, match=r"dvc pull data/features/video/f0.parquet data/"):
        train(project, epochs=1)
    assert not (project / "data/runs").exists()
