"""`gazeline align check FILM`."""

from __future__ import annotations

from pathlib import Path

import click

from gazeline.checks.check import Places, check_film
from gazeline.errors import GazelineError
from gazeline.params.whole import load_params

CHECKS = Path("data/checks")


def show_check(film_id: str) -> None:
    """Draw the evidence of a film's map and say what to do about it."""
    params = load_params()
    film = params.films.get(film_id)
    if film is None:
        known = ", ".join(sorted(params.films)) or "none"
        raise GazelineError(
            f"{film_id} is no film with a copy",
            where=f"section films of params.yaml; there: {known}",
            todo="register its copy with `gazeline film add`",
        )
    places = Places(
        copy=Path(film.copy_),
        subtitles=Path(film.subtitles) if film.subtitles else None,
        hand_map=Path(film.map) if film.map else None,
        corpora=[Path("data/corpora") / corpus for corpus in sorted(film.corpora)],
    )
    accounts = check_film(film_id, places, params.align, film, CHECKS / film_id)
    click.echo("\n\n".join("\n".join(account.lines()) for account in accounts))
