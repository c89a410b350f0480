"""Read `MEDIAEVAL18_XX_Valence-Arousal.txt`: a header, then a line of three numbers a second."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gazeline.corpora.numbers import decimal
from gazeline.corpora.problems import Problems, read_text
from gazeline.corpora.release import Reading

MEASURES = ("valence", "arousal")
TODO = "write time, valence and arousal per line, separated by tabs, one line a second"


@dataclass(frozen=True)
class SeriesFile:
    """The readings of one film, in order of measure and time, and what was odd about the file."""

    readings: tuple[Reading, ...]
    n_seconds: int
    gaps: int
    commas: int
    outside: int


def read_series(path: Path, film_id: str) -> SeriesFile:
    """Return the valence and arousal of a film.

    Raises:
        ReleaseError: a line is not time, valence and arousal, or a second stands twice; every
            such line is named.
    """
    problems = Problems(path)
    rows: dict[int, tuple[float, float]] = {}
    commas = 0
    for line, content in enumerate(read_text(path).splitlines(), 1):
        fields = content.split()
        numbers = [decimal(field) for field in fields]
        if not fields or (not rows and all(n is None for n in numbers)):
            continue
        whole = [n for n in numbers if n is not None]
        if len(fields) != 3 or len(whole) != 3 or whole[0] < 0:
            problems.add("lines that are not time, valence and arousal", line, repr(content))
            continue
        commas += any("," in field for field in fields)
        second = int(whole[0])
        if second in rows:
            problems.add("seconds that stand twice", line, fields[0])
        rows[second] = (whole[1], whole[2])
    if not rows:
        problems.add("no value", 1, "the file has no line of numbers")
    problems.check(TODO)
    return _series(film_id, dict(sorted(rows.items())), commas)


def _series(film_id: str, rows: dict[int, tuple[float, float]], commas: int) -> SeriesFile:
    readings = tuple(
        Reading(film_id, measure, second, values[place])
        for place, measure in enumerate(MEASURES)
        for second, values in rows.items()
    )
    seconds = list(rows)
    return SeriesFile(
        readings=readings,
        n_seconds=len(rows),
        gaps=seconds[-1] - seconds[0] + 1 - len(seconds),
        commas=commas,
        outside=sum(abs(value) > 1 for values in rows.values() for value in values),
    )
