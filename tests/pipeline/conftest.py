"""One small repository, reproduced once a test run; each scenario copies it with its cache."""

from __future__ import annotations

import os

import pytest
from filelock import FileLock

from pipeline_support import Repository, new_repository, shrink


@pytest.fixture(scope="session")
def reproduced(project, tmp_path_factory) -> Repository:
    """Return the small repository after its first `dvc repro`; do not change it."""
    base = tmp_path_factory.getbasetemp()
    # A worker's folder lies in that of the run; without workers it is the run's own.
    shared_by_workers = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "small"
    root = shared_by_workers / "repository"
    with FileLock(str(shared_by_workers) + ".lock"):
        if not (shared_by_workers / "done").is_file():
            build(project, root)
            (shared_by_workers / "done").touch()
    return Repository(root)


def build(project, root):
    """Reproduce once and commit."""
    root.mkdir(parents=True)
    repository = new_repository(project, root)
    shrink(repository)
    (root.parent / "first.log").write_text(repository.repro().output)
    repository.commit("reproduced")


@pytest.fixture
def repository(reproduced, tmp_path) -> Repository:
    """Return a copy of the reproduced repository that a scenario may change."""
    return reproduced.copy_to(tmp_path / "repository")
