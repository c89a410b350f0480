"""Call DVC of the same environment, so that stages find it too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def stage_environment() -> dict[str, str]:
    """Return an environment in which a stage's `python` is this one, activated or not."""
    binaries = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": binaries + os.pathsep + os.environ.get("PATH", os.defpath)}


def call_dvc(arguments: Sequence[str]) -> int:
    """Run DVC with its output shown; return its exit status."""
    return subprocess.call([sys.executable, "-m", "dvc", *arguments], env=stage_environment())


def capture_dvc(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run DVC and return what it printed."""
    return subprocess.run(
        [sys.executable, "-m", "dvc", *arguments],
        env=stage_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
