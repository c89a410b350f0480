"""Whether another DVC is running a stage here, and which."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gazeline.errors import GazelineError
from gazeline.orchestration.dvc import RWLOCK


@dataclass(frozen=True)
class Run:
    """A run under way: the process of DVC and what its stage writes, as absolute paths."""

    pid: int
    writes: frozenset[str]

    def stages(self, there: Iterable[Any]) -> list[str]:
        """Return the names of those of DVC's stages `there` that the run is in."""
        return [s.addressing for s in there if self.writes & {out.fs_path for out in s.outs}]


class RunInProgress(GazelineError):
    """Report that a run is under way, so that what is out of date cannot be said."""


def run_in_progress(rwlock: Path = RWLOCK) -> Run | None:
    """Return the run of another process here, None where there is none.

    DVC keeps the files in use, with the process, in its own list; what a killed run left is none.
    """
    from psutil import pid_exists

    try:
        data = json.loads(rwlock.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError, UnicodeDecodeError):
        return None
    writers = {str(path): int(info["pid"]) for path, info in data.get("write", {}).items()}
    others = sorted({pid for pid in writers.values() if pid != os.getpid() and pid_exists(pid)})
    if not others:
        return None
    first = others[0]
    return Run(first, frozenset(path for path, pid in writers.items() if pid == first))
