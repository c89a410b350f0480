"""`gazeline film …`."""

from __future__ import annotations

from pathlib import Path

import click

from gazeline.orchestration.annotating import corpora_annotating
from gazeline.orchestration.films import Copy, add_film, remove_film
from gazeline.params.whole import load_params


def add(film_id: str, file: Path, subtitles: Path | None) -> None:
    """Register a copy and say what will run."""
    corpora = corpora_annotating(film_id, load_params())
    changed = add_film(Copy(film_id, file, subtitles), corpora)
    click.echo(
        f"{film_id} has a copy now ({', '.join(corpora)}); `gazeline repro` runs its stages"
        if changed
        else f"{film_id} already has this copy; nothing changed"
    )


def remove(film_id: str, *, copy_only: bool) -> None:
    """Take a film out and say what was deleted."""
    removed = remove_film(film_id, copy_only=copy_only)
    what = "copy" if copy_only else "copy and annotations"
    click.echo(f"{film_id}: {what} taken out, {len(removed)} results removed from the workspace")
    click.echo("`gazeline repro` brings the metrics up to date")
