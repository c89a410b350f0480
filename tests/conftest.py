"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers share the cores; so do the stages that they start.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def project() -> Path:
    """Return the root of the checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real inputs beside the checkout, or skip the test and say so."""
    folder = Path(os.environ.get("GAZELINE_SHARED", PROJECT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"real inputs are not there: {folder}")
    return folder
