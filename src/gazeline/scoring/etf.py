"""Run files of the violent scenes task (ETF): an interval, a score and a decision per line.

`<source> 1 <start_s> <duration_s> event - violence [<score>|-] [t|f]`, separated by tabs or spaces.
Which of the two the official tool wants is not documented: tabs are written, both are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gazeline.corpora.numbers import decimal
from gazeline.corpora.problems import Problems, read_text
from gazeline.corpora.vsd2011.titles import film_of
from gazeline.files import atomic_path

EVENT = "violence"
DECISIONS = {"t": True, "f": False}
TODO = "write `<source> 1 <start_s> <duration_s> event - violence <score or -> <t or f>` per line"
LEAST_FIELDS = 7
ADDED = re.compile(r"movie|(?:19|20)\d\d|dvd(?:\d{4})?|mediaeval", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One interval [start_s, end_s) of a source; `score` is None where the run gives none.

    `undecided` says that the line has no decision, and so counts as decided for.
    """

    source: str
    start_s: float
    end_s: float
    score: float | None
    decided: bool
    undecided: bool = False


def read_etf(path: Path) -> tuple[Line, ...]:
    """Return the lines of a run, in the order they stand in.

    A line without a decision is decided for: it would not be listed otherwise. An empty file is a
    run that finds nothing.

    Raises:
        ReleaseError: lines that have another form, or no length; each is named.
    """
    problems = Problems(path)
    found = [
        line
        for number, text in enumerate(read_text(path).splitlines(), 1)
        if text.strip() and (line := _line(text.split(), number, problems)) is not None
    ]
    problems.check(TODO)
    return tuple(found)


def _line(fields: list[str], number: int, problems: Problems) -> Line | None:
    if len(fields) < LEAST_FIELDS or fields[4] != "event" or fields[6].lower() != EVENT:
        problems.add("lines of another form", number, repr(" ".join(fields)))
        return None
    start_s, duration_s = decimal(fields[2]), decimal(fields[3])
    if start_s is None or duration_s is None or start_s < 0 or duration_s <= 0:
        problems.add("starts or durations that are none", number, " ".join(fields[2:4]))
        return None
    score: float | None = None
    decision: bool | None = None
    for field in fields[7:]:
        if field.lower() in DECISIONS:
            decision = DECISIONS[field.lower()]
        elif field != "-":
            score = decimal(field)
            if score is None:
                problems.add("scores that are no number", number, field)
                return None
    end_s = start_s + duration_s
    return Line(fields[0], start_s, end_s, score, decision is not False, decision is None)


def write_etf(lines: Iterable[Line], path: Path) -> None:
    """Write a run: every line whole, or no file at all."""
    with atomic_path(path) as temporary:
        text = "".join(f"{row}\n" for row in map(_row, lines))
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _row(line: Line) -> str:
    score = "-" if line.score is None else repr(line.score)
    # Never 0.000: what is shorter than a millisecond would not be read again.
    times = (f"{line.start_s:.3f}", f"{max(line.end_s - line.start_s, 0.001):.3f}")
    decision = "t" if line.decided else "f"
    return "\t".join((line.source, "1", *times, "event", "-", EVENT, score, decision))


def film_of_source(source: str, known: Iterable[str]) -> str | None:
    """Return the film among those known that a source names, or None.

    What the task's own files add to a film's name (movie, year, dvd, MediaEval) is left out; all
    that remains must name the film.

    >>> film_of_source("movie-KillBill1-2003-dvd2006-MediaEval.mpg", ["kill-bill-vol-1"])
    'kill-bill-vol-1'
    """
    films = set(known)
    stem = re.sub(r"\.[A-Za-z]\w{1,3}$", "", source)
    if stem in films:
        return stem
    rest = "-".join(part for part in stem.split("-") if not ADDED.fullmatch(part))
    film = film_of(rest).film_id
    return film if film in films else None
