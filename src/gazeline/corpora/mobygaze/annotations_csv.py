"""Read `mobygaze_dataframe.csv`, in the generation of 2025 and the older one.

The older one writes `annotator_1`, calls the subtitle text `text`, and has `label_speech` and
`label_audio`.
"""

from __future__ import annotations

import ast
import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gazeline.corpora.mobygaze.vocabulary import annotator, level
from gazeline.corpora.problems import MAX_FRAME, Problems, read_text
from gazeline.errors import ReleaseError
from gazeline.timeline.rates import exact_rate

DELIMITER = ";"
REQUIRED = (
    "clip_index",
    "movie_id",
    "annotator",
    "label",
    "concepts",
    "comment",
    "start_frame",
    "end_frame",
    "imdb_key",
    "movie_title",
    "framerate",
)
TEXT_COLUMNS = ("subtitle", "text")
OPTIONAL = ("start_clip", "end_clip", "label_speech", "label_audio")
CLIP_FRAMES = 16
MAX_FIELD = 2**31 - 1
MAX_RATE = 1000
_FILM_FACTS = (
    ("imdb_key", "movie_id"),
    ("imdb_key", "title"),
    ("imdb_key", "framerate"),
    ("movie_id", "imdb_key"),
)
TODO = "take the file as published; a spreadsheet program may have changed it"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: typed, but with concepts, text and frame rate as released."""

    line: int
    source_row: int
    clip_index: str
    movie_id: str
    annotator: str
    level: str
    concepts: tuple[str, ...]
    comment: str
    start_frame: int
    end_frame: int
    imdb_key: str
    title: str
    framerate: str
    text: str
    start_clip: int | None
    end_clip: int | None
    label_speech: int | None
    label_audio: int | None

    @property
    def name(self) -> str:
        """Return the words that name the row in examples."""
        return f"{self.imdb_key}/{self.annotator}/{self.clip_index}"


@dataclass(frozen=True)
class AnnotationsFile:
    """The rows of the file, the generation it belongs to and the columns nobody reads."""

    path: Path
    generation: Literal["new", "old"]
    unread_columns: tuple[str, ...]
    rows: tuple[Row, ...]


def read_annotations(path: Path) -> AnnotationsFile:
    """Read every row, or report everything that is wrong with the file.

    Raises:
        ReleaseError: other delimiter, missing columns, a cut-off line, a value that cannot be
            what its column says, two rows for one key, or a film described in two ways.
    """
    text = read_text(path)
    header, lines = _records(text, path)
    _check_header(header, path)
    problems = Problems(path)
    rows = [
        row
        for index, (line, fields) in enumerate(lines)
        if (row := _row(line, index, header, fields, problems)) is not None
    ]
    if rows and not problems.found and not text.endswith("\n"):
        _check_last_row(rows[-1], header, problems)
    _check_keys(rows, problems)
    _check_films(rows, problems)
    problems.check(TODO)
    if not rows:
        raise ReleaseError(f"{path.name} has no rows", where=str(path), todo=TODO)
    unread = tuple(c for c in header if c and c not in {*REQUIRED, *TEXT_COLUMNS, *OPTIONAL})
    generation: Literal["new", "old"] = "new" if "subtitle" in header else "old"
    return AnnotationsFile(path, generation, unread, tuple(rows))


def _records(text: str, path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the header, and every record with the line it starts on."""
    # A segment may hold the dialogue of half a film, more than the 128 kB a field may have.
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=DELIMITER, strict=True)
    records, line = [], 1
    try:
        for fields in reader:
            if fields:
                records.append((line, fields))
            line = reader.line_num + 1
    except csv.Error as error:
        raise ReleaseError(
            f"{path.name} is cut off or has a stray quote: {error}",
            where=f"{path}, line {line}",
            todo=TODO,
        ) from error
    if not records:
        raise ReleaseError(f"{path.name} is empty", where=str(path), todo=TODO)
    return records[0][1], records[1:]


def _check_header(header: list[str], path: Path) -> None:
    missing = [c for c in REQUIRED if c not in header]
    if not any(c in header for c in TEXT_COLUMNS):
        missing.append("subtitle (or text)")
    if not missing:
        return
    joined = DELIMITER.join(header)
    other = next((d for d in (",", "\t", "|") if joined.count(d) >= len(REQUIRED)), None)
    if other is not None:
        what = f"{path.name} is separated by {other!r}, not by {DELIMITER!r}"
    else:
        what = f"{path.name} lacks the columns {', '.join(missing)}"
    raise ReleaseError(what, where=f"{path}, line 1", todo=TODO)


def _row(
    line: int, index: int, header: list[str], fields: list[str], problems: Problems
) -> Row | None:
    if len(fields) != len(header):
        few = "rows with too few fields (is the file cut off?)"
        kind = few if len(fields) < len(header) else "rows with too many fields"
        problems.add(kind, line, f"{len(fields)} fields instead of {len(header)}")
        return None
    values = _Values(dict(zip(header, fields, strict=True)), line, problems)
    start, end = values.whole("start_frame"), values.whole("end_frame")
    if start > end >= 0:
        problems.add("rows that end before they start", line, f"{start} > {end}")
    return Row(
        line=line,
        source_row=index,
        clip_index=values.filled("clip_index"),
        movie_id=values.filled("movie_id"),
        annotator=annotator(values.filled("annotator")),
        level=values.level(),
        concepts=values.texts("concepts"),
        comment="; ".join(values.texts("comment")),
        start_frame=start,
        end_frame=end,
        imdb_key=values.filled("imdb_key"),
        title=values.filled("movie_title"),
        framerate=values.rate("framerate"),
        text=values.get("subtitle") if "subtitle" in header else values.get("text"),
        start_clip=values.optional("start_clip"),
        end_clip=values.optional("end_clip"),
        label_speech=values.optional("label_speech"),
        label_audio=values.optional("label_audio"),
    )


class _Values:
    """Read the fields of one row; note what cannot be read and go on with a stand-in.

    The stand-ins never leave `read_annotations`: it raises when anything was noted.
    """

    def __init__(self, values: dict[str, str], line: int, problems: Problems) -> None:
        self.values, self.line, self.problems = values, line, problems

    def get(self, column: str) -> str:
        return self.values[column]

    def filled(self, column: str) -> str:
        value = self.values[column].strip()
        if not value:
            self.problems.add(f"empty {column}", self.line, "nothing stands there")
        return value

    def whole(self, column: str) -> int:
        value = self.values[column].strip()
        if value.isascii() and value.isdigit() and len(value) <= len(str(MAX_FRAME)):
            return int(value)
        self.problems.add(f"{column} that is no frame number", self.line, repr(value))
        return -1

    def optional(self, column: str) -> int | None:
        return self.whole(column) if column in self.values else None

    def level(self) -> str:
        value = self.values["label"]
        found = level(value)
        if found is None:
            self.problems.add("unknown label", self.line, repr(value))
        return found or ""

    def texts(self, column: str) -> tuple[str, ...]:
        value = self.values[column].strip()
        try:
            items = ast.literal_eval(value) if value else []
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            items = None
        if isinstance(items, list) and all(isinstance(item, str) for item in items):
            return tuple(items)
        self.problems.add(f"{column} that is no list of texts", self.line, repr(value[:40]))
        return ()

    def rate(self, column: str) -> str:
        value = self.values[column].strip()
        try:
            credible = (
                exact_rate(value) <= MAX_RATE and exact_rate(value).denominator <= MAX_RATE**2
            )
        except (ValueError, ZeroDivisionError):
            credible = False
        if not credible:
            self.problems.add(f"{column} that is no frame rate", self.line, repr(value))
        return value


def _check_last_row(row: Row, header: list[str], problems: Problems) -> None:
    """Check a last line without a line break: its last number may have lost digits."""
    ends = {row.end_frame // CLIP_FRAMES, (row.end_frame - 1) // CLIP_FRAMES}
    if header[-1] == "end_clip" and row.end_clip not in ends:
        detail = f"end_clip is {row.end_clip} where end_frame is {row.end_frame}"
        problems.add("a last line that is cut off", row.line, detail)


def _check_keys(rows: list[Row], problems: Problems) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        first = seen.setdefault(row.name, row.line)
        if first != row.line:
            problems.add("rows with the key of another", row.line, f"{row.name}, as line {first}")


def _check_films(rows: list[Row], problems: Problems) -> None:
    """Check that a film has one number, title and frame rate, and a number one film."""
    for key, fact in _FILM_FACTS:
        seen: dict[str, str] = {}
        for row in rows:
            name, value = getattr(row, key), getattr(row, fact)
            first = seen.setdefault(name, value)
            if first != value:
                detail = f"{name} has {value!r} here and {first!r} before"
                problems.add(f"{key} with more than one {fact}", row.line, detail)
