"""`gazeline film …`."""

from __future__ import annotations

from pathlib import Path

import click

from gazeline.commands.plan import show_left_out
from gazeline.orchestration.annotating import corpora_annotating
from gazeline.orchestration.films import Copy, add_film, remove_film
from gazeline.orchestration.plan import read_plan
from gazeline.params.whole import load_params

SETTINGS = {"accept_confidence", "map"}


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
    entry = load_params().films.get(film_id)
    removed = remove_film(film_id, copy_only=copy_only)
    what = "copy" if copy_only else "copy and annotations"
    click.echo(f"{film_id}: {what} taken out, {len(removed)} results removed from the workspace")
    settings = {} if entry is None else entry.model_dump(include=SETTINGS, exclude_none=True)
    if settings:
        kept = ", ".join(f"{key}: {value}" for key, value in settings.items())
        click.echo(f"Its settings went with it; to have them back after `film add`: {kept}")
    show_left_out(read_plan()["left_out"])
    click.echo("`gazeline repro` brings the metrics up to date")
