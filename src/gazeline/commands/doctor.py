"""`gazeline doctor`."""

from __future__ import annotations

import click

from gazeline.orchestration.doctor import diagnose


def show_diagnosis() -> int:
    """Print a line per finding; return 1 when something is wrong."""
    findings = diagnose()
    for finding in findings:
        mark = "ok  " if finding.fine else "BAD "
        click.echo(f"{mark} {finding.topic:<10} {finding.text}")
        if finding.todo:
            click.echo(f"     {'':<10} to do: {finding.todo}")
    wrong = sum(not finding.fine for finding in findings)
    click.echo(f"\n{wrong} thing{'s' if wrong != 1 else ''} to mend" if wrong else "\nAll is well")
    return 1 if wrong else 0
