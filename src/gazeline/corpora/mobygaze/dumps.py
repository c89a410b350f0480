"""Read the SQL dumps of the release: annotations, movies and subtitles.

Whatever `.sql` files the folder has are read; tables are known by their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gazeline.corpora.mobygaze.sql import SqlError, SqlRow, SqlTable, Value, read_dump
from gazeline.corpora.problems import MAX_FRAME, Problems, read_text
from gazeline.errors import ReleaseError

FOLDERS = ("sql_files", ".")
COLUMNS = {
    "annotations": (
        "movie_id", "annotator", "obj_level", "obj_factors", "comment", "start_frame", "end_frame",
        "start_ts", "end_ts",
    ),
    "movies": ("id", "imdb_key", "title", "release_date", "framerate"),
    "subtitles": (
        "subtitle_id", "movie_id", "start_frame", "end_frame", "start_ts", "end_ts", "text",
    ),
}  # fmt: skip
TODO = "take the dump as published"
MAX_YEAR = 9999
_TIME = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SqlAnnotation:
    """A row of `annotations`; factors as released, times in seconds."""

    line: int
    movie_id: str
    annotator: str
    obj_level: str
    factors: tuple[str, ...]
    comment: str
    start_frame: int
    end_frame: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class SqlMovie:
    """A row of `movies`; `texts` are all its texts as released."""

    movie_id: str
    imdb_key: str
    title: str
    year: int | None
    framerate: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SqlCue:
    """A row of `subtitles`; times in seconds, exact to the millisecond released."""

    cue_id: int
    movie_id: str
    start_frame: int
    end_frame: int
    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class Dumps:
    """The tables of the dumps, None for a table that no dump has."""

    annotations: tuple[SqlAnnotation, ...] | None
    movies: tuple[SqlMovie, ...] | None
    cues: tuple[SqlCue, ...] | None


def read_dumps(folder: Path) -> Dumps:
    """Read every `.sql` file of a release.

    Raises:
        ReleaseError: a file is no dump or is cut off, a table lacks a column, or a value cannot
            be what its column says.
    """
    tables: dict[str, tuple[Path, SqlTable]] = {}
    for path in dump_paths(folder):
        for name, table in _read(path).items():
            if name in COLUMNS and table.rows:
                _check_columns(path, table)
                _check_once(tables, name, path)
                tables[name] = path, table
    _check_cue_ids(tables.get("subtitles"))
    return Dumps(
        _typed(tables.get("annotations"), _annotation),
        _typed(tables.get("movies"), _movie),
        _typed(tables.get("subtitles"), _cue),
    )


def dump_paths(folder: Path) -> list[Path]:
    """Return the SQL files of a release, sorted."""
    return sorted(path for name in FOLDERS for path in (folder / name).glob("*.sql"))


def seconds(value: Value) -> float | None:
    """Return the seconds of a MySQL time, or None where it is none.

    >>> seconds("01:55:57.100"), seconds("00:00:01"), seconds("now")
    (6957.1, 1.0, None)
    """
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    hours, minutes, whole, fraction = match.groups()
    total = (int(hours) * 60 + int(minutes)) * 60 + int(whole)
    # One division of whole numbers: the nearest double of the decimal that was written.
    return int(f"{total}{(fraction or '').ljust(6, '0')}") / 1_000_000


def _read(path: Path) -> dict[str, SqlTable]:
    try:
        return read_dump(read_text(path))
    except SqlError as error:
        raise ReleaseError(
            f"{path.name} is not a whole MySQL dump: {error.problem}",
            where=f"{path}, line {error.line}",
            todo=TODO,
        ) from error


def _check_columns(path: Path, table: SqlTable) -> None:
    there = table.rows[0].values
    missing = [column for column in COLUMNS[table.name] if column not in there]
    if missing:
        raise ReleaseError(
            f"Table {table.name} lacks the columns {', '.join(missing)}",
            where=f"{path}, line {table.rows[0].line}",
            todo=TODO,
        )


def _check_once(tables: dict[str, tuple[Path, SqlTable]], name: str, path: Path) -> None:
    if name in tables:
        raise ReleaseError(
            f"Table {name} is in {tables[name][0].name} and in {path.name}",
            where=str(path.parent),
            todo="leave one of the two dumps in the folder",
        )


def _check_cue_ids(found: tuple[Path, SqlTable] | None) -> None:
    if found is None:
        return
    path, table = found
    problems, seen = Problems(path), set()
    for row in table.rows:
        number = row.values["subtitle_id"]
        if number in seen:
            problems.add("cues with the number of another", row.line, repr(number))
        seen.add(number)
    problems.check(TODO)


def _typed(
    found: tuple[Path, SqlTable] | None, make: Callable[[_Fields], T]
) -> tuple[T, ...] | None:
    if found is None:
        return None
    path, table = found
    problems = Problems(path)
    rows = tuple(make(_Fields(row, problems)) for row in table.rows)
    problems.check(TODO)
    return rows


class _Fields:
    """Read the values of one row; note what cannot be read and go on with a stand-in."""

    def __init__(self, row: SqlRow, problems: Problems) -> None:
        self.values, self.line, self.problems = row.values, row.line, problems

    def text(self, column: str) -> str:
        value = self.values[column]
        return "" if value is None else str(value)

    def whole(self, column: str) -> int:
        value = self.values[column]
        if isinstance(value, int) and 0 <= value <= MAX_FRAME:
            return value
        self.problems.add(f"{column} that is no whole number", self.line, repr(value))
        return 0

    def interval(self) -> tuple[float, float]:
        times = []
        for column in ("start_ts", "end_ts"):
            time_s = seconds(self.values[column])
            if time_s is None:
                self.problems.add(f"{column} that is no time", self.line, repr(self.values[column]))
            times.append(time_s or 0.0)
        if times[0] > times[1]:
            shown = f"{self.values['start_ts']} > {self.values['end_ts']}"
            self.problems.add("times that end before they start", self.line, shown)
        return times[0], times[1]


def _annotation(fields: _Fields) -> SqlAnnotation:
    start_s, end_s = fields.interval()
    return SqlAnnotation(
        line=fields.line,
        movie_id=fields.text("movie_id"),
        annotator=fields.text("annotator"),
        obj_level=fields.text("obj_level"),
        factors=tuple(f.strip() for f in fields.text("obj_factors").split(",") if f.strip()),
        comment=fields.text("comment"),
        start_frame=fields.whole("start_frame"),
        end_frame=fields.whole("end_frame"),
        start_s=start_s,
        end_s=end_s,
    )


def _movie(fields: _Fields) -> SqlMovie:
    year = fields.values["release_date"]
    return SqlMovie(
        movie_id=fields.text("id"),
        imdb_key=fields.text("imdb_key"),
        title=fields.text("title"),
        year=year if isinstance(year, int) and year <= MAX_YEAR else None,
        framerate=fields.text("framerate"),
        texts=tuple(v for v in fields.values.values() if isinstance(v, str)),
    )


def _cue(fields: _Fields) -> SqlCue:
    start_s, end_s = fields.interval()
    return SqlCue(
        cue_id=fields.whole("subtitle_id"),
        movie_id=fields.text("movie_id"),
        start_frame=fields.whole("start_frame"),
        end_frame=fields.whole("end_frame"),
        start_s=start_s,
        end_s=end_s,
        text=fields.text("text"),
    )
