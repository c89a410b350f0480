"""Which corpora annotate a film."""

from __future__ import annotations

from pathlib import Path

from gazeline.corpora.registry import adapter
from gazeline.errors import GazelineError
from gazeline.orchestration.matching import FilmKey
from gazeline.params.whole import ParamsFile


def corpora_annotating(film_id: str, params: ParamsFile) -> list[str]:
    """Return the corpora that annotate a film.

    Raises:
        GazelineError: no corpus knows the film.
    """
    named = {name: _named_films(params, name) for name in params.corpora}
    found = [name for name, films in named.items() if film_id in films]
    if not found:
        named = {name: films | _released_films(params, name) for name, films in named.items()}
        found = [name for name, films in named.items() if film_id in films]
    if not found:
        every = sorted(set().union(*named.values()))
        raise GazelineError(
            f"No corpus knows the film {film_id}",
            where=f"{len(every)} films are known, e.g. {', '.join(every[:4])}",
            todo="take a film id from `gazeline status`",
        )
    return found


def release_films(release_format: str, folder: Path) -> tuple[FilmKey, ...]:
    """Return the films that a release annotates.

    Raises:
        ReleaseError: the release cannot be read.
    """
    release = adapter(release_format)(folder, {})
    return tuple(FilmKey(film.film_id, film.title, film.year) for film in release.films)


def _named_films(params: ParamsFile, name: str) -> set[str]:
    """Return the films that params.yaml or the ingested table name; the release is not read."""
    import pyarrow.parquet as pq

    corpus = params.corpora[name]
    films = {f for fold in corpus.folds for f in (*fold.test, *fold.validation)}
    films |= set(corpus.exclude)
    table = Path(f"data/corpora/{name}/films.parquet")
    if table.is_file():
        films |= set(pq.read_table(table, columns=["film_id"]).column("film_id").to_pylist())
    return films


def _released_films(params: ParamsFile, name: str) -> set[str]:
    corpus = params.corpora[name]
    if not Path(corpus.release).is_dir():
        return set()
    return {film.film_id for film in release_films(corpus.format, Path(corpus.release))}
