"""The part every film plays in every fold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gazeline.params.base import problems_error
from gazeline.params.corpora import FoldParams, IngestParams


def check_film_ids(corpus: str, params: IngestParams, known: set[str]) -> None:
    """Check that the films named in the corpus's params are films of its release.

    Raises:
        ParamsError: every name that the release does not know, all at once.
    """
    lines = list(_unknown_names(corpus, params, known))
    if lines:
        raise problems_error(lines)


def _unknown_names(corpus: str, params: IngestParams, known: set[str]) -> Iterator[str]:
    named: list[tuple[str, Iterable[str]]] = [
        ("exclude", params.exclude),
        ("frame_rates", params.frame_rates),
    ]
    for fold in params.folds:
        named += [
            (f"folds: fold {fold.fold}: test", fold.test),
            (f"folds: fold {fold.fold}: validation", fold.validation),
        ]
    for key, films in named:
        for film in films:
            if film not in known:
                yield f"corpora.{corpus}.{key}: {film} is no film of the release"


def fold_rows(folds: Sequence[FoldParams], films: Iterable[str]) -> list[dict[str, int | str]]:
    """Return a row per fold and film of `films`; films that a fold does not name train."""
    listed = sorted(films)
    return [
        {"fold": fold.fold, "film_id": film, "split": _split(fold, film)}
        for fold in folds
        for film in listed
    ]


def _split(fold: FoldParams, film: str) -> str:
    if film in fold.test:
        return "test"
    return "validation" if film in fold.validation else "train"
