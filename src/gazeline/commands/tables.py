"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click
from tabulate import tabulate


def show_table(title: str, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a titled table; nothing where there are no rows."""
    if not rows:
        return
    click.echo(f"\n{title}")
    click.echo(tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True))


def duration_text(seconds: float) -> str:
    """Return seconds in words.

    >>> duration_text(42), duration_text(600), duration_text(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
