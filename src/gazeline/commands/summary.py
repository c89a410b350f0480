"""`gazeline summary`: the metrics as tables."""

from __future__ import annotations

from pathlib import Path

import click

from gazeline.commands.plan import show_left_out
from gazeline.commands.summary_rows import HEADER, summary_rows
from gazeline.commands.tables import show_table
from gazeline.commands.times import show_times
from gazeline.files import read_json
from gazeline.orchestration.pending import pending_stages
from gazeline.orchestration.plan import read_plan

TITLE = "Experiments on their test films, mean [interval] over folds × seeds"
SUMMARY = Path("metrics/summary.json")


def show_summary(*, fresh: bool = False) -> None:
    """Print a row per experiment, how long each took, and what was left out and why.

    Args:
        fresh: whether a run has just finished; else it is said when one is due.
    """
    if SUMMARY.is_file():
        summary = read_json(SUMMARY)
        if "subset" in summary:
            click.echo("\nSUBSET: these figures come from a part of the corpus only")
        rows = [row.cells() for row in summary_rows(summary)]
        show_table(TITLE, HEADER, rows)
    else:
        click.echo("\nmetrics/summary.json is not there yet; run `gazeline repro`")
    if not fresh and (due := [item for item in pending_stages() if item.certain]):
        click.echo(
            f"\nThese figures are of an earlier run: {len(due)} stages are out of date "
            "(see `gazeline status`); `gazeline repro` brings them up to date."
        )
    plan = read_plan()
    show_times(plan)
    show_left_out(plan["left_out"])
