"""The part of `gazeline summary` that says how long training took, and where the time went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gazeline.commands.tables import show_table
from gazeline.learning.training.timings import PHASES, read_timings

TITLE = "Time of training on this machine, seconds over the folds that were trained here"
HEADER = ("experiment", "folds", "all", *PHASES)


def show_times(plan: Mapping[str, Any], root: Path = Path()) -> None:
    """Print a row per experiment of the plan that was trained here; nothing where none was."""
    rows = time_rows(plan["runs"].values(), root)
    if rows:
        show_table(TITLE, HEADER, rows)


def time_rows(runs: Iterable[Mapping[str, Any]], root: Path) -> list[list[str]]:
    """Return experiment, folds, seconds, and seconds by phase, of runs with known times."""
    found: dict[str, list[Mapping[str, float]]] = {}
    for run in runs:
        seconds = read_timings(run["experiment"], run["fold"], root)
        if seconds is not None:
            found.setdefault(run["experiment"], []).append(seconds)
    return [_row(name, folds) for name, folds in sorted(found.items())]


def _row(name: str, folds: list[Mapping[str, float]]) -> list[str]:
    totals = [sum(fold[phase] for fold in folds) for phase in PHASES]
    return [name, str(len(folds)), *(f"{seconds:.1f}" for seconds in (sum(totals), *totals))]
