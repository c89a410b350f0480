"""What `dvc repro` would really run, and why.

`dvc repro --dry` lists only the first level of a change in the parameters; here every stage after
a changed one is named too, as one that runs if its inputs come out different.
"""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gazeline.console import TIMINGS
from gazeline.errors import GazelineError
from gazeline.orchestration.dvc import mend_rwlock
from gazeline.orchestration.running import RunInProgress, run_in_progress

DEFAULT_SECONDS = 6.0


@dataclass(frozen=True)
class Pending:
    """A stage that would run: why, and whether only if what it reads comes out different."""

    stage: str
    reason: str
    certain: bool


def pending_stages() -> list[Pending]:
    """Ask DVC which stages are out of date, then follow the graph downstream.

    A stage whose input is absent (a film on a disk that is not plugged in) is not pending.

    Raises:
        RunInProgress: another DVC is running here.
        GazelineError: its files cannot be read.
    """
    from dvc.exceptions import DvcException
    from dvc.lock import LockError
    from dvc.repo import Repo

    mend_rwlock()
    _check_idle()
    try:
        with Repo(".") as repo, repo.lock:
            changed = _changed(repo)
            graph = repo.index.graph
            order = [stage for stage in repo.index.stages if stage.addressing in changed]
            later: set[str] = set()
            for stage in order:
                later |= {node.addressing for node in _dependants(graph, stage)}
    except LockError as error:
        raise RunInProgress("A run is in progress") from error
    except DvcException as error:
        raise GazelineError(
            f"DVC cannot say what is out of date: {str(error).splitlines()[0]}",
            todo="see `dvc status`",
        ) from error
    names = [Pending(name, reason, True) for name, reason in sorted(changed.items())]
    follow = sorted(name for name in later - changed.keys() if not name.endswith(".dvc"))
    return names + [Pending(name, "follows from the above", False) for name in follow]


def _check_idle() -> None:
    """Check that no other DVC runs a stage here: asking for its lock would disturb it.

    Raises:
        RunInProgress: one does.
    """
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    run = run_in_progress()
    if run is None:
        return
    try:
        with Repo(".") as repo:
            stages = run.stages(repo.index.stages)
    except DvcException:  # the run is just writing the files that name the stages
        stages = []
    at = f", at {', '.join(stages)}" if stages else ""
    raise RunInProgress(f"A run is in progress (process {run.pid}{at})")


def _changed(repo: Any) -> dict[str, str]:
    changed = {}
    for stage in repo.index.stages:
        try:
            status = stage.status()
        except FileNotFoundError:
            continue
        for name, details in status.items():
            if not name.endswith(".dvc"):
                changed[name] = describe_change(details)
    return changed


def _dependants(graph: Any, stage: Any) -> Iterable[Any]:
    """Return every stage after `stage` (DVC's edges point from a stage to what it needs)."""
    import networkx

    nodes: Iterable[Any] = networkx.ancestors(graph, stage)
    return nodes


def describe_change(details: Iterable[Any]) -> str:
    """Put DVC's status of one stage into a few words."""
    words: list[str] = []
    for detail in details:
        if not isinstance(detail, Mapping):
            words.append(str(detail))
            continue
        for kind, items in detail.items():
            words += _words(str(kind), items)
    return shortened(list(dict.fromkeys(words)))


def shortened(words: list[str], most: int = 3) -> str:
    """Return the first few reasons; a stage of which nothing is there yet is new.

    >>> shortened(["a.py modified", "b.py modified", "c.py modified", "d.py modified"])
    'a.py modified, b.py modified, c.py modified and 1 more'
    """
    if any(word.endswith("is not there") for word in words) and len(words) > most:
        return "not run yet"
    rest = len(words) - most
    return ", ".join(words[:most]) + (f" and {rest} more" if rest > 0 else "") or "changed"


def _words(kind: str, items: Any) -> list[str]:
    if not isinstance(items, Mapping):
        return [str(kind)]
    found = []
    for name, change in items.items():
        if isinstance(change, Mapping):
            found += [f"{key} {verb}" for key, verb in change.items()]
        elif kind == "changed outs":
            found.append(f"{name} {'is not there' if change == 'deleted' else change}")
        else:
            found.append(f"{name} {'is missing' if change == 'deleted' else change}")
    return found


def expected_seconds(stages: Iterable[str], timings: Path = TIMINGS) -> float:
    """Return roughly how long the stages take, from the earlier runs of their kind."""
    by_stage, by_kind = _timings(timings)
    total = 0.0
    for stage in stages:
        kind = stage.split("@")[0]
        known = by_stage.get(stage) or by_kind.get(kind)
        total += statistics.median(known) if known else DEFAULT_SECONDS
    return total


def _timings(path: Path) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    by_stage: dict[str, list[float]] = defaultdict(list)
    by_kind: dict[str, list[float]] = defaultdict(list)
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:  # cut off by a kill
                continue
            by_stage[record["stage"]].append(record["seconds"])
            by_kind[record["stage"].split("@")[0]].append(record["seconds"])
    return by_stage, by_kind
