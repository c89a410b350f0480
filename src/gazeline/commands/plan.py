"""`gazeline plan`."""

from __future__ import annotations

import click

from gazeline.commands.tables import show_table
from gazeline.orchestration.edits import replan
from gazeline.orchestration.plan import check_plan, read_plan
from gazeline.params.whole import load_params


def show_plan(*, check_only: bool) -> None:
    """Write or check the plan, and say what is left out."""
    params = load_params()
    if check_only:
        check_plan(params)
        click.echo("plan.yaml is fresh")
        return
    applied = replan(params)
    click.echo("plan.yaml was written" if applied.changed else "plan.yaml is fresh")
    if applied.removed:
        click.echo(
            f"{len(applied.removed)} results of what is no more were removed from the workspace"
        )
    show_left_out(read_plan()["left_out"])


def show_left_out(left_out: dict[str, str]) -> None:
    """Print the experiments that do not run, and why."""
    show_table("Left out", ["experiment", "why"], sorted(left_out.items()))
