"""Call DVC of the same environment, so that stages find it too."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

RWLOCK = Path(".dvc/tmp/rwlock")
PATIENCE_S = 5.0
_STAGE = re.compile(r"Running stage '|Stage '.*' is cached - skipping run")
_CHATTER = re.compile(
    r"(Stage )?'.*' didn't change, skipping$|Data and pipelines are up to date\.$"
    r"|To track the changes with git, run:$|\tgit add |To enable auto staging, run:$"
    r"|\tdvc config core\.autostage true$|Use `dvc push` to send your updates"
)


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


@dataclass(frozen=True)
class Reproduction:
    """How `dvc repro` ended, and how many stages it ran or took from its cache."""

    status: int
    n_stages: int


def reproduce(options: Sequence[str]) -> Reproduction:
    """Run `dvc repro` and show what it says but for its chatter.

    It goes on where nobody reads any more. Interrupted, DVC is given `PATIENCE_S` to put its files
    in order.
    """
    mend_rwlock()
    process = subprocess.Popen(
        [sys.executable, "-m", "dvc", "repro", *options],
        env=stage_environment() | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    n_stages = 0
    with process:
        try:
            for line in without_chatter(process.stdout or ()):
                n_stages += bool(_STAGE.match(line))
                with suppress(BrokenPipeError):
                    print(line, end="", flush=True)
            return Reproduction(process.wait(), n_stages)
        finally:
            with suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE_S)
            process.kill()


def without_chatter(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of `dvc repro` that tell something, with at most one empty one between.

    Stages that need not run are passed over in silence, and so are DVC's hints on git and pushing.
    """
    begun = empty = False
    for line in lines:
        if not line.strip():
            empty = True
        elif not _CHATTER.match(line):
            if empty and begun:
                yield "\n"
            yield line
            begun, empty = True, False


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
