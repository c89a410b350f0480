"""`gazeline ledger`."""

from __future__ import annotations

from pathlib import Path

import click

from gazeline.commands.ledger_page import count_rows, ledger_page
from gazeline.commands.tables import show_table
from gazeline.files import atomic_path, read_json

LEDGER = Path("metrics/ledger.json")


def show_ledger(out: Path | None) -> None:
    """Print how many published figures are reproduced, or write the page of all of them."""
    found = read_json(LEDGER)
    show_table("The paper's figures", ("status", "figures"), count_rows(found))
    if out is not None:
        with atomic_path(out) as temporary:
            temporary.write_text(ledger_page(found), encoding="utf-8")
        click.echo(f"\n{out} was written")
