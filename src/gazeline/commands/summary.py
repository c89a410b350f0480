"""`gazeline summary`: the metrics as tables."""

from __future__ import annotations

from pathlib import Path

import click

from gazeline.commands.comparison_rows import HEADER as COMPARED
from gazeline.commands.comparison_rows import apart_rows, comparison_rows
from gazeline.commands.plan import show_left_out
from gazeline.commands.summary_rows import HEADER, summary_rows, undefined_scores
from gazeline.commands.tables import show_table
from gazeline.commands.times import show_times
from gazeline.console import TIMINGS
from gazeline.files import read_json
from gazeline.orchestration.pending import pending_stages
from gazeline.orchestration.plan import read_plan
from gazeline.orchestration.running import RunInProgress

TITLE = "Experiments on their test films, mean [interval] over folds × seeds"
COMPARISONS_TITLE = "Differences in PR AUC macro, paired over (fold, seed)"
SUMMARY = Path("metrics/summary.json")
COMPARISONS = Path("metrics/comparisons.json")


def show_summary(*, fresh: bool = False) -> None:
    """Print a row per experiment, how long each took, and what was left out and why.

    Args:
        fresh: whether a run has just finished; else it is said above where one is due.
    """
    if SUMMARY.is_file():
        summary = read_json(SUMMARY)
        if not fresh and (mark := _mark()):
            click.echo(f"\n{mark}")
        if "subset" in summary:
            click.echo("\nSUBSET: these figures come from a part of the corpus only")
        rows = [row.cells() for row in summary_rows(summary)]
        show_table(TITLE, HEADER, rows)
        show_undefined(undefined_scores(summary))
        show_comparisons()
    else:
        click.echo("\nmetrics/summary.json is not there yet; run `gazeline repro`")
    plan = read_plan()
    show_times(plan)
    show_left_out(plan["left_out"])


def _mark() -> str | None:
    """Return what is to be known of the figures where they are not those of a finished run here."""
    if not TIMINGS.is_file():
        return "These figures are of the committed run; nothing has run here yet."
    try:
        due = [item for item in pending_stages() if item.certain]
    except RunInProgress as error:
        return f"{error.what}; these figures may be of an earlier one."
    if not due:
        return None
    stages = "1 stage is" if len(due) == 1 else f"{len(due)} stages are"
    return (
        f"These figures are of an earlier run: {stages} out of date "
        "(see `gazeline status`); `gazeline repro` brings them up to date."
    )


def show_comparisons() -> None:
    """Print which differences between experiments are significant, and what is not compared."""
    if COMPARISONS.is_file():
        found = read_json(COMPARISONS)
        show_table(COMPARISONS_TITLE, COMPARED, comparison_rows(found))
        show_table("Not compared with each other", ("experiments", "why"), apart_rows(found))


def show_undefined(counts: dict[str, int]) -> None:
    """Say which experiments have scores that some run could not have."""
    for experiment, n_undefined in counts.items():
        click.echo(
            f"{experiment}: {n_undefined} scores are undefined and left out of the means "
            "(test films that lack a class; `undefined` in metrics/summary.json counts them)"
        )
