"""`gazeline summary`: the metrics as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gazeline.commands.comparison_rows import HEADER as COMPARED
from gazeline.commands.comparison_rows import apart_rows, comparison_rows
from gazeline.commands.plan import show_left_out
from gazeline.commands.summary_rows import HEADER, summary_rows, undefined_scores
from gazeline.commands.tables import show_table
from gazeline.commands.timed_rows import (
    INTERVALS_HEADER,
    INTERVALS_TITLE,
    VALUES_HEADER,
    VALUES_TITLE,
    interval_rows,
    value_rows,
)
from gazeline.commands.times import show_times
from gazeline.console import TIMINGS
from gazeline.files import read_json
from gazeline.orchestration.pending import Pending, pending_stages
from gazeline.orchestration.plan import read_plan
from gazeline.orchestration.running import RunInProgress
from gazeline.orchestration.unfinished import score_finished, waits_in_vain

TITLE = "Experiments on their test films, mean [interval] over folds × seeds"
COMPARISONS_TITLE = "Differences in PR AUC macro, paired over (fold, seed)"
COMPARED_OVER_TIME = {
    "mse": "Differences in the squared error of values per second, paired over (fold, seed)",
    "map": "Differences in the mAP of intervals, paired over (fold, seed)",
}
SUMMARY = Path("metrics/summary.json")
COMPARISONS = Path("metrics/comparisons.json")


def show_summary(*, fresh: bool = False) -> None:
    """Print a row per experiment, how long each took, and what was left out and why.

    Args:
        fresh: whether a run has just finished; else it is said above where one is due.
    """
    pending, mark = ([], None) if fresh else _due()
    if waits_in_vain(pending):
        figures = score_finished(pending)
        _show_figures(figures.summary, figures.comparisons)
    elif SUMMARY.is_file():
        if mark:
            click.echo(f"\n{mark}")
        _show_figures(read_json(SUMMARY), read_json(COMPARISONS) if COMPARISONS.is_file() else {})
    else:
        click.echo("\nmetrics/summary.json is not there yet; run `gazeline repro`")
    plan = read_plan()
    show_times(plan)
    show_left_out(plan["left_out"])


def _due() -> tuple[list[Pending], str | None]:
    """Return what is out of date, and what is to be known of figures of no finished run here."""
    if not TIMINGS.is_file():
        return [], "These figures are of the committed run; nothing has run here yet."
    try:
        pending = pending_stages()
    except RunInProgress as error:
        return [], f"{error.what}; these figures may be of an earlier one."
    due = [item for item in pending if item.certain]
    if not due:
        return pending, None
    stages = "1 stage is" if len(due) == 1 else f"{len(due)} stages are"
    return pending, (
        f"These figures are of an earlier run: {stages} out of date "
        "(see `gazeline status`); `gazeline repro` brings them up to date."
    )


def _show_figures(summary: dict[str, Any], compared: dict[str, Any]) -> None:
    """Print the rows, which differences are significant, and what is missing."""
    if "subset" in summary:
        click.echo("\nSUBSET: these figures come from a part of the corpus only")
    show_table(TITLE, HEADER, [row.cells() for row in summary_rows(summary)])
    show_table(VALUES_TITLE, VALUES_HEADER, value_rows(summary))
    show_table(INTERVALS_TITLE, INTERVALS_HEADER, interval_rows(summary))
    show_undefined(undefined_scores(summary))
    show_table(COMPARISONS_TITLE, COMPARED, comparison_rows(compared))
    for score, title in COMPARED_OVER_TIME.items():
        show_table(title, COMPARED, comparison_rows(compared, score))
    show_table("Not compared with each other", ("experiments", "why"), apart_rows(compared))
    missing = sorted(summary.get("missing", {}).items())
    show_table("Failed or not run: missing from the figures above", ("stage", "why"), missing)


def show_undefined(counts: dict[str, int]) -> None:
    """Say which experiments have scores that some run could not have."""
    for experiment, n_undefined in counts.items():
        click.echo(
            f"{experiment}: {n_undefined} scores are undefined and left out of the means "
            "(test films that lack a class; `undefined` in metrics/summary.json counts them)"
        )
