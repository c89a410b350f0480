"""Read the shot boundaries of one film, in any of the layouts that are known.

The official file format is not documented in any source we found. Accepted are frames at 25 a
second, in lines of

- `start_frame end_frame` (the end inclusive), separated by spaces, tabs, commas or semicolons;
- `number start_frame end_frame`, where the numbers count up by one;
- `id #$# start_frame #$# length`, after two lines of names (`.sb`, as used by NII, Tokyo).

A line of words before the first number (a header) is passed over. Anything else is refused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from gazeline.corpora.numbers import frame_number
from gazeline.corpora.problems import Problems, read_text
from gazeline.corpora.release import Shot
from gazeline.corpora.vsd2011.events import FPS

NII = "#$#"
SUFFIXES = ("_shots.txt", "_shot.txt", "_shots.csv", ".shots", ".sb")
TODO = "write `start_frame end_frame` at 25 fps on each line, the end inclusive"

Span = tuple[int, int, int]


def read_shots(path: Path, film_id: str, fps: Fraction = FPS) -> tuple[Shot, ...]:
    """Return the shots of a film in order of time.

    Raises:
        ReleaseError: the layout is none of those known, a shot ends before it starts, or shots
            overlap; the lines are named.
    """
    text, problems = read_text(path), Problems(path)
    spans = _nii(text, problems) if NII in text else _columns(text, problems)
    spans.sort()
    for before, after in pairwise(spans):
        if after[0] <= before[1]:
            problems.add("shots that overlap the one before", after[2], f"{after[0]} {after[1]}")
    if not spans:
        problems.add("no shot", 1, "the file lists none")
    problems.check(TODO)
    return tuple(
        Shot(film_id, number, float(start / fps), float((end + 1) / fps), start, end)
        for number, (start, end, _) in enumerate(spans)
    )


def _nii(text: str, problems: Problems) -> list[Span]:
    spans: list[Span] = []
    for line, content in enumerate(text.splitlines(), 1):
        if NII not in content:
            if content.strip() and line > 2:
                problems.add("lines of another layout", line, repr(content))
            continue
        fields = [field.strip() for field in content.split(NII)]
        numbers = [frame_number(field) for field in fields[1:]]
        if len(numbers) != 2 or numbers[0] is None or not numbers[1]:
            problems.add("lines of another layout", line, repr(content))
        else:
            spans.append((numbers[0], numbers[0] + numbers[1] - 1, line))
    return spans


def _columns(text: str, problems: Problems) -> list[Span]:
    rows: list[tuple[int, list[int]]] = []
    for line, content in enumerate(text.splitlines(), 1):
        fields = [field for field in re.split(r"[\s,;]+", content.strip()) if field]
        numbers = [frame_number(field) for field in fields]
        if not fields or (not rows and not any(n is not None for n in numbers)):
            continue
        whole = [n for n in numbers if n is not None]
        if len(whole) != len(fields) or len(whole) not in (2, 3):
            problems.add("lines of another layout", line, repr(content))
        else:
            rows.append((line, whole))
    return _spans(rows, problems)


def _spans(rows: list[tuple[int, list[int]]], problems: Problems) -> list[Span]:
    widths = {len(numbers) for _, numbers in rows}
    if len(widths) > 1:
        problems.add("lines of two layouts", rows[0][0], "two columns and three")
        return []
    counted = [numbers[0] for _, numbers in rows]
    if widths == {3} and any(b != a + 1 for a, b in pairwise(counted)):
        problems.add("first of three columns does not count up", rows[0][0], str(counted[:3]))
        return []
    spans: list[Span] = []
    for line, numbers in rows:
        start, end = numbers[-2:]
        if end < start:
            problems.add("shots that end before they start", line, f"{start} {end}")
        spans.append((start, end, line))
    return spans
