"""Read the fear intervals of one film, whose file layout the task paper does not print.

Accepted, and named in the report: `start end` (seconds, or clock times as 1:02:03.5), the same
after a column that counts up, and `time label` with labels 0 and 1 at even steps. A first line of
words without a digit (a header) is passed over. An empty file, or one of a header alone, says that
nothing induces fear; anything else that is not understood is refused, never taken for no fear.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from gazeline.corpora.numbers import decimal
from gazeline.corpora.problems import Problems, read_text

SIXTY = 60
LEAST_LABELS = 3
TODO = "write `start end` in seconds on each line"


@dataclass(frozen=True)
class FearFile:
    """The intervals [start_s, end_s) in order of time; the layout met, in words."""

    intervals: tuple[tuple[float, float], ...]
    layout: str
    overlaps: int = 0
    unsorted: int = 0


def read_fear(path: Path) -> FearFile:
    """Return the intervals of a film that induce fear.

    Raises:
        ReleaseError: the layout is none of those known, or an interval ends before it starts.
    """
    problems = Problems(path)
    rows: list[tuple[int, list[float]]] = []
    lines = [(n, text) for n, text in enumerate(read_text(path).splitlines(), 1) if text.strip()]
    for line, content in lines[1:] if lines and _is_header(lines[0][1]) else lines:
        fields = content.replace(";", " ").split()
        numbers = [_seconds(field) for field in fields]
        whole = [n for n in numbers if n is not None]
        if len(whole) != len(fields) or len(whole) not in (2, 3):
            problems.add("lines of no known layout", line, repr(content))
        else:
            rows.append((line, whole))
    found = _interpret(rows, problems)
    problems.check(TODO)
    return found


def _is_header(line: str) -> bool:
    """Whether a line names columns; a page of markup that a failed download left does not."""
    return "<" not in line and not any(letter.isdigit() for letter in line)


def _seconds(text: str) -> float | None:
    """Return seconds from a number or from [hours:]minutes:seconds."""
    parts = [decimal(part) for part in text.split(":")]
    if len(parts) > 3 or any(part is None or part < 0 for part in parts):
        return None
    total = 0.0
    for part in parts:
        total = total * SIXTY + (part or 0.0)
    return total


def _interpret(rows: list[tuple[int, list[float]]], problems: Problems) -> FearFile:
    widths = {len(numbers) for _, numbers in rows}
    if not rows:
        return FearFile((), "empty: no fear")
    if len(widths) > 1:
        problems.add("lines of two layouts", rows[0][0], "two columns and three")
        return FearFile((), "")
    if widths == {2} and (step := _label_step([numbers for _, numbers in rows])):
        return FearFile(_joined([n for _, n in rows], step), f"label every {step:g} s")
    if widths == {3} and any(b[0] != a[0] + 1 for (_, a), (_, b) in pairwise(rows)):
        problems.add("first of three columns does not count up", rows[0][0], str(rows[0][1]))
        return FearFile((), "")
    for line, numbers in rows:
        if numbers[-1] <= numbers[-2]:
            problems.add("intervals that end before they start", line, f"{numbers[-2:]}")
    spans = [(numbers[-2], numbers[-1]) for _, numbers in rows]
    ordered = sorted(spans)
    return FearFile(
        intervals=tuple(ordered),
        layout="start and end" if widths == {2} else "number, start and end",
        overlaps=sum(b[0] < a[1] for a, b in pairwise(ordered)),
        unsorted=sum(b[0] < a[0] for a, b in pairwise(spans)),
    )


def _label_step(rows: list[list[float]]) -> float | None:
    """Return the step of `time label` lines, or None where the lines are something else."""
    if len(rows) < LEAST_LABELS or any(label not in (0.0, 1.0) for _, label in rows):
        return None
    steps = {round(b[0] - a[0], 6) for a, b in pairwise(rows)}
    return steps.pop() if len(steps) == 1 and min(steps) > 0 else None


def _joined(rows: list[list[float]], step: float) -> tuple[tuple[float, float], ...]:
    joined: list[tuple[float, float]] = []
    for time_s, label in rows:
        if not label:
            continue
        if joined and joined[-1][1] == time_s:
            joined[-1] = (joined[-1][0], time_s + step)
        else:
            joined.append((time_s, time_s + step))
    return tuple(joined)
