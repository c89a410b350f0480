"""Read `mobygaze_movielist.csv`: title, year and genres by IMDb key."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from gazeline.corpora.problems import Problems, read_text
from gazeline.errors import ReleaseError

COLUMNS = ("movie_title", "imdb_key", "release_date", "genre")
DELIMITER = ";"
YEAR_DIGITS = 4
TODO = "take the file as published; a spreadsheet program may have changed it"


@dataclass(frozen=True, slots=True)
class ListedFilm:
    """A row of the list."""

    title: str
    year: int
    genres: tuple[str, ...]


def read_movielist(path: Path) -> dict[str, ListedFilm]:
    """Return the listed films by IMDb key.

    Raises:
        ReleaseError: another delimiter, missing columns, a cut-off row, a year that is none or a
            film listed twice.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=DELIMITER)
    header = next(reader, [])
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise ReleaseError(
            f"{path.name} lacks the columns {', '.join(missing)} (separated by {DELIMITER!r})",
            where=f"{path}, line 1",
            todo=TODO,
        )
    problems = Problems(path)
    films: dict[str, ListedFilm] = {}
    for fields in reader:
        if fields:
            _add(films, header, fields, reader.line_num, problems)
    problems.check(TODO)
    return films


def _add(
    films: dict[str, ListedFilm],
    header: list[str],
    fields: list[str],
    line: int,
    problems: Problems,
) -> None:
    if len(fields) != len(header):
        problems.add("rows cut off", line, f"{len(fields)} fields instead of {len(header)}")
        return
    values = {name: value.strip() for name, value in zip(header, fields, strict=True)}
    key, year = values["imdb_key"], values["release_date"]
    if not (year.isascii() and year.isdigit() and len(year) == YEAR_DIGITS):
        problems.add("release_date that is no year", line, repr(year))
        return
    if key in films:
        problems.add("films listed twice", line, key)
    genres = tuple(genre.strip() for genre in values["genre"].split(",") if genre.strip())
    films[key] = ListedFilm(values["movie_title"], int(year), genres)
