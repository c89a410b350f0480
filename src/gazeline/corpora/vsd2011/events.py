"""Read the event files of one film: `<Film>_violence.txt` and those of the concepts.

Visual files hold `start_frame end_frame [tag …]` at 25 frames a second, the end frame inclusive;
audio files `start_s end_s [tag …]` in seconds (VSD2014 package, README). Only what is present is
listed; a file may be empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from gazeline.corpora.numbers import decimal, frame_number
from gazeline.corpora.problems import Problems, read_text

FPS = Fraction(25)
VIOLENCE = "violence"
VISUAL = (VIOLENCE, "blood", "carchase", "coldarms", "fights", "fire", "firearms", "gore")
AUDIO = ("explosions", "gunshots", "screams")
KINDS = (*VISUAL, *AUDIO)
TODO = "write each line as start, end and tags, separated by spaces, as the release has them"


@dataclass(frozen=True, slots=True)
class Event:
    """One event [start_s, end_s) with its tags; frames as counted, `end_frame` inclusive.

    Frames of an audio event are those that its seconds touch. `line` counts from 1.
    """

    kind: str
    start_s: float
    end_s: float
    start_frame: int
    end_frame: int
    tags: tuple[str, ...]
    line: int
    comma: bool = False


Row = Callable[[str, list[str], int, Fraction, Problems], Event | None]


def read_events(path: Path, kind: str, fps: Fraction = FPS) -> tuple[Event, ...]:
    """Return the events of one file, in the order they stand in.

    Args:
        fps: rate that frames are counted at.

    Raises:
        ReleaseError: a line is not start, end and tags, or an event ends before it starts; every
            such line is named.
    """
    problems = Problems(path)
    row: Row = _seconds if kind in AUDIO else _frames
    found = tuple(
        event
        for number, fields in _lines(path)
        if (event := row(kind, fields, number, fps, problems)) is not None
    )
    problems.check(TODO)
    return found


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip():
            yield number, line.split()


def _frames(
    kind: str, fields: list[str], line: int, fps: Fraction, problems: Problems
) -> Event | None:
    numbers = [frame_number(text) for text in fields[:2]]
    if len(numbers) < 2 or numbers[0] is None or numbers[1] is None:
        problems.add("lines without two frame numbers", line, repr(" ".join(fields)))
        return None
    start, end = numbers[0], numbers[1]
    if end < start:
        problems.add("events that end before they start", line, f"{start} {end}")
        return None
    start_s, end_s = float(start / fps), float((end + 1) / fps)
    return Event(kind, start_s, end_s, start, end, tuple(fields[2:]), line)


def _seconds(
    kind: str, fields: list[str], line: int, fps: Fraction, problems: Problems
) -> Event | None:
    numbers = [decimal(text) for text in fields[:2]]
    if len(numbers) < 2 or numbers[0] is None or numbers[1] is None or numbers[0] < 0:
        problems.add("lines without two times in seconds", line, repr(" ".join(fields)))
        return None
    start_s, end_s = numbers[0], numbers[1]
    if end_s <= start_s:
        problems.add("events that end before they start", line, f"{start_s:g} {end_s:g}")
        return None
    first, stop = int(start_s * fps), -int(-(end_s * fps) // 1)
    comma = any("," in text for text in fields[:2])
    return Event(kind, start_s, end_s, first, max(first, stop - 1), tuple(fields[2:]), line, comma)
