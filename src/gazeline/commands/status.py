"""`gazeline status`."""

from __future__ import annotations

import click

from gazeline.commands.tables import duration_text, show_table
from gazeline.orchestration.pending import Pending, expected_seconds, pending_stages
from gazeline.orchestration.plan import check_plan
from gazeline.orchestration.repro import absent_files
from gazeline.orchestration.running import RunInProgress
from gazeline.orchestration.status import corpora_states, experiment_states, film_states
from gazeline.params.whole import load_params

SHOWN = 25


def show_status() -> None:
    """Print corpora, films, experiments and what a run would do."""
    params = load_params()
    if params.subset.active:
        click.echo(params.subset.caption())
    corpora = [
        (c.name, _count(c.n_films), _count(c.n_segments), c.n_copies)
        for c in corpora_states(params)
    ]
    show_table("Corpora", ["corpus", "films", "segments", "copies"], corpora)
    films = [(f.film_id, f.title, f.copy, f.alignment, f.features) for f in film_states(params)]
    show_table("Films", ["film", "title", "copy", "alignment (confidence)", "features"], films)
    experiments = [(e.name, e.state) for e in experiment_states(params)]
    show_table("Experiments", ["experiment", "state"], experiments)
    check_plan(params)
    for file in absent_files(params):
        click.echo(f"\n{file.owner}: {file.path} is absent; `gazeline repro` keeps its results")
    try:
        _show_pending(pending_stages())
    except RunInProgress as error:
        click.echo(f"\n{error.what}; what is out of date is known when it has ended.")


def _count(value: int | None) -> str:
    return "not yet" if value is None else str(value)


def _show_pending(pending: list[Pending]) -> None:
    if not pending:
        click.echo("\nEverything is up to date: `dvc repro` would run nothing.")
        return
    certain = [item for item in pending if item.certain]
    rows = [(item.stage, item.reason) for item in pending[:SHOWN]]
    show_table("`dvc repro` would run", ["stage", "why"], rows)
    if len(pending) > SHOWN:
        click.echo(f"… and {len(pending) - SHOWN} more")
    low = expected_seconds(item.stage for item in certain)
    high = expected_seconds(item.stage for item in pending)
    click.echo(
        f"\n{len(certain)} stages are out of date, {len(pending) - len(certain)} follow if their "
        f"inputs come out different: roughly {duration_text(low)} to {duration_text(high)}."
    )
