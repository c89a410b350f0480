"""`gazeline plan`."""

from __future__ import annotations

import click

from gazeline.commands.tables import show_table
from gazeline.orchestration.plan import check_plan, expand, read_plan, write_plan
from gazeline.orchestration.traces import prune_lock
from gazeline.params.whole import load_params


def show_plan(*, check_only: bool) -> None:
    """Write or check the plan, and say what is left out."""
    params = load_params()
    if check_only:
        check_plan(params)
        click.echo("plan.yaml is fresh")
        return
    changed = write_plan(params)
    prune_lock(read_plan())
    click.echo("plan.yaml was written" if changed else "plan.yaml is fresh")
    show_left_out(expand(params)["plan"]["left_out"])


def show_left_out(left_out: dict[str, str]) -> None:
    """Print the experiments that do not run, and why."""
    show_table("Left out", ["experiment", "why"], sorted(left_out.items()))
