"""`gazeline repro` and `gazeline demo`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from gazeline.commands.summary import show_summary
from gazeline.media.probing.binaries import find_binaries
from gazeline.orchestration.dvc import Reproduction, reproduce
from gazeline.orchestration.pending import pending_stages
from gazeline.orchestration.plan import check_plan
from gazeline.orchestration.repro import repro
from gazeline.orchestration.unfinished import (
    forget_failures,
    known_failures,
    waits_in_vain,
    write_finished,
)
from gazeline.params.whole import load_params


def run_repro(arguments: Sequence[str]) -> int:
    """Reproduce; then show the figures and say what was left out or failed."""
    if not arguments:
        forget_failures()
    done = repro(arguments)
    if done.status:
        _show_what_is_finished(everything=not arguments)
    else:
        show_summary(fresh=True)
        _show_idle(done)
    return done.status


def _show_idle(done: Reproduction) -> None:
    if not done.n_stages:
        click.echo("\nEverything is up to date: nothing had to run")


def _show_what_is_finished(*, everything: bool) -> None:
    """Say that stages failed; after a run of everything, score the rest."""
    click.echo("\nSome stages failed (named above); what depends on them did not run.")
    if everything and known_failures() and waits_in_vain(pending := pending_stages()):
        write_finished(pending)
        show_summary()
    else:
        click.echo("Figures shown by `gazeline summary` may be those of an earlier run.")


def run_demo() -> int:
    """Run `dvc repro` and show the metrics and where to look next."""
    check_plan(load_params())
    binaries = find_binaries()
    click.echo(f"ffmpeg from the {binaries.source}: {binaries.ffmpeg}")
    done = reproduce(["--keep-going"])
    if done.status:
        return done.status
    show_summary(fresh=True)
    click.echo(
        "\nThe sample is drawn by code and its encoders are random: these figures show that the "
        "pipeline works, nothing else.\n"
        "\nWhere to look next\n"
        "  data/films/            the six sample films: open one\n"
        "  metrics/               every figure as JSON; docs/metrics.md says what each means\n"
        "  gazeline status        what is aligned, extracted and trained\n"
        "  dvc plots show         learning curves, precision and recall\n"
        "  params.yaml            every setting, with its meaning\n"
        "  README.md              your own films, and the MObyGaze corpus"
    )
    _show_idle(done)
    return 0
