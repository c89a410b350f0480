"""`gazeline preset …`."""

from __future__ import annotations

import click

from gazeline.commands.plan import show_left_out
from gazeline.commands.tables import show_table
from gazeline.orchestration.presets import all_presets, read_preset, use_preset


def show_presets() -> None:
    """Print every preset with a line on what it is about."""
    rows = [(p.name, str(len(p.experiments)), p.about) for p in all_presets()]
    show_table("Presets", ("name", "experiments", "about"), rows)
    click.echo("\n`gazeline preset use NAME` enters one in params.yaml")


def show_preset(name: str, corpus: str) -> None:
    """Print a preset as it would be entered."""
    click.echo(read_preset(name, corpus).text.rstrip())


def use(name: str, corpus: str) -> None:
    """Enter a preset, and say what of it can run now."""
    used = use_preset(name, corpus)
    if used.added:
        click.echo(f"{len(used.added)} experiments of {name} are in params.yaml now")
    else:
        click.echo(f"All experiments of {name} are in params.yaml already; nothing changed")
    if used.added and used.present:
        click.echo(f"{len(used.present)} were there already: {', '.join(used.present)}")
    if used.can_run:
        click.echo(f"Can run now: {', '.join(used.can_run)}")
    show_left_out(dict(used.left_out))
    if used.can_run:
        click.echo("\nNext: `gazeline repro`")
