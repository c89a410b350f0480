"""`gazeline repro` and `gazeline demo`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from gazeline.commands.summary import show_summary
from gazeline.media.probing.binaries import find_binaries
from gazeline.orchestration.plan import check_plan
from gazeline.orchestration.repro import repro, run_dvc
from gazeline.params.whole import load_params


def run_repro(arguments: Sequence[str]) -> int:
    """Reproduce; then say what was left out."""
    status = repro(arguments)
    if status == 0:
        show_summary()
    return status


def run_demo() -> int:
    """Run `dvc repro` and show the metrics and where to look next."""
    check_plan(load_params())
    binaries = find_binaries()
    click.echo(f"ffmpeg from the {binaries.source}: {binaries.ffmpeg}")
    status = run_dvc(["repro", "--keep-going"])
    if status:
        return status
    show_summary()
    click.echo(
        "\nWhere to look next\n"
        "  data/films/            the six sample films: open one\n"
        "  metrics/               every figure as JSON (`dvc metrics show`, `dvc metrics diff`)\n"
        "  gazeline status        what is aligned, extracted and trained\n"
        "  dvc plots show         learning curves, precision and recall\n"
        "  params.yaml            every setting, with its meaning\n"
        "  README.md              your own films, and the MObyGaze corpus"
    )
    return 0
