"""Call DVC of the same environment, so that stages find it too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

RWLOCK = Path(".dvc/tmp/rwlock")


def stage_environment() -> dict[str, str]:
    """Return an environment in which a stage's `python` is this one, activated or not."""
    binaries = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": binaries + os.pathsep + os.environ.get("PATH", os.defpath)}


def mend_rwlock(path: Path = RWLOCK) -> bool:
    """Remove DVC's list of files in use if a killed run left it half-written; return whether.

    DVC rewrites this list before and after every stage; killed in between, it refuses every later
    command. A list that another DVC is just writing is whole again a moment later.
    """
    for _ in range(3):
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return False
        except (json.JSONDecodeError, UnicodeDecodeError):
            time.sleep(0.3)
        else:
            return False
    path.unlink(missing_ok=True)
    print("A killed run had left DVC's lock half-written; it is mended")
    return True


def call_dvc(arguments: Sequence[str]) -> int:
    """Run DVC with its output shown; return its exit status."""
    mend_rwlock()
    return subprocess.call([sys.executable, "-m", "dvc", *arguments], env=stage_environment())


def capture_dvc(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run DVC and return what it printed."""
    mend_rwlock()
    return subprocess.run(
        [sys.executable, "-m", "dvc", *arguments],
        env=stage_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
