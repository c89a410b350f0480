"""`gazeline plan`."""

from __future__ import annotations

import click

from gazeline.commands.tables import show_table
from gazeline.orchestration.plan import PLAN_FILE, check_plan, expand, read_plan, write_plan
from gazeline.orchestration.traces import gone, leftovers, prune_lock, remove_outs
from gazeline.params.whole import load_params


def show_plan(*, check_only: bool) -> None:
    """Write or check the plan, and say what is left out."""
    params = load_params()
    if check_only:
        check_plan(params)
        click.echo("plan.yaml is fresh")
        return
    before = read_plan() if PLAN_FILE.is_file() else {}
    changed = write_plan(params)
    after = read_plan()
    prune_lock(after)
    removed = remove_outs([*gone(before, after), *leftovers(after)])
    click.echo("plan.yaml was written" if changed else "plan.yaml is fresh")
    if removed:
        click.echo(f"{len(removed)} results of what is no more were removed from the workspace")
    show_left_out(expand(params)["plan"]["left_out"])


def show_left_out(left_out: dict[str, str]) -> None:
    """Print the experiments that do not run, and why."""
    show_table("Left out", ["experiment", "why"], sorted(left_out.items()))
