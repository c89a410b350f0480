"""`gazeline corpus …`."""

from __future__ import annotations

import click

from gazeline.commands.plan import show_left_out
from gazeline.commands.tables import show_table
from gazeline.orchestration.corpora import Outcome, Request, add_corpus, preview, remove_corpus


def add(request: Request, *, dry_run: bool) -> None:
    """Show what was matched, and register it unless `dry_run`."""
    outcome = preview(request) if dry_run else add_corpus(request)
    _show_matches(outcome, asked=bool(request.copies or request.settled))
    if dry_run:
        show_left_out(dict(outcome.left_out))
        click.echo("\nNothing was changed (--dry-run)")
        return
    if not outcome.changed:
        click.echo(f"\n{request.name} is registered already; nothing changed")
        return
    click.echo(f"\n{request.name} is registered; text encoder: {outcome.text_encoder}")
    show_left_out(dict(outcome.left_out))
    click.echo("\nNext: `gazeline status`, then `gazeline repro`")


def remove(name: str) -> None:
    """Undo and say what was removed."""
    removed = remove_corpus(name)
    click.echo(
        f"{name} is out: {len(removed)} links and results removed; your own files are untouched"
    )
    click.echo("`gazeline repro` brings the metrics up to date")


def _show_matches(outcome: Outcome, *, asked: bool) -> None:
    if outcome.films:
        click.echo(f"The release annotates {len(outcome.films)} films")
    if not asked:
        return
    titles = {film.film_id: film.title for film in outcome.films}
    matches = outcome.matches
    rows = [
        (film, titles.get(film, ""), path.name, _subtitles_of(film, outcome))
        for film, path in sorted(matches.matched.items())
    ]
    show_table("Copies found", ["film", "title", "file", "subtitles beside it"], rows)
    unsettled = [
        (", ".join(path.name for path in item.files), ", ".join(item.film_ids), item.reason)
        for item in matches.ambiguous
    ]
    show_table("Not settled: choose with --copy FILM=FILE", ["files", "films", "why"], unsettled)
    unknown = [(item.file.name, item.reason) for item in matches.unknown]
    show_table("Files of no film", ["file", "why"], unknown)
    without = [(film, titles.get(film, "")) for film in matches.without_copy]
    show_table("Films without a copy", ["film", "title"], without)


def _subtitles_of(film: str, outcome: Outcome) -> str:
    choices = outcome.matches.subtitle_choices.get(film, ())
    if film in outcome.matches.subtitles:
        return outcome.matches.subtitles[film].name
    if choices:
        return f"{len(choices)} files; settle with `gazeline film add … --subtitles FILE`"
    return "-"
