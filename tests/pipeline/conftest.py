"""One small repository, reproduced once a test run; each scenario copies it with its cache."""

from __future__ import annotations

import pytest

from pipeline_support import Repository, new_repository, shrink


@pytest.fixture(scope="session")
def reproduced(project, tmp_path_factory) -> Repository:
    """Return the small repository after its first `dvc repro`; do not change it."""
    root = tmp_path_factory.mktemp("small") / "repository"
    root.mkdir()
    repository = new_repository(project, root)
    shrink(repository)
    first = repository.repro()
    (root.parent / "first.log").write_text(first.output)
    repository.commit("reproduced")
    return repository


@pytest.fixture
def repository(reproduced, tmp_path) -> Repository:
    """Return a copy of the reproduced repository that a scenario may change."""
    return reproduced.copy_to(tmp_path / "repository")
