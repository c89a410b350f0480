"""From a rough course to an exact speed and exact offsets: pair the edges that lie near it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gazeline.alignment.activity import Activity, Edges
from gazeline.alignment.course import NOWHERE, Course
from gazeline.alignment.dialogue import Flags, Floats, Ints
from gazeline.alignment.likelihood import Grid, Model

FEWEST_PAIRS = 4
# Pairs are looked for this far from the rough place, then ever nearer to the fit.
REACHES_S = (1.2, 1.0, 0.8, 0.7, 0.6, 0.6)
# Edges are moved by hand or by a detector; few that agree by chance are not more exact than this.
SMALLEST_ERROR_S = 0.1


@dataclass(frozen=True)
class Run:
    """Chunks in a row that lie one after the other in the copy, also with some lacking between.

    Times in seconds of the annotation clock; the copy is near `rate * annotation + offset_s`.
    """

    start_s: float
    end_s: float
    offset_s: float


@dataclass(frozen=True)
class Pairs:
    """Edges of the corpus and of the copy that may be the same moment; arrays [n].

    `run` is the index of the run that an annotation time lies in.
    """

    annotation_s: Floats
    copy_s: Floats
    weight: Floats
    run: Ints

    def __len__(self) -> int:
        return len(self.annotation_s)

    def select(self, kept: Flags) -> Pairs:
        """Return the pairs that are kept."""
        return Pairs(self.annotation_s[kept], self.copy_s[kept], self.weight[kept], self.run[kept])


@dataclass(frozen=True)
class LineFit:
    """One speed with its standard error, and an offset per run (the old one without pairs)."""

    rate: float
    error: float
    offset_s: Floats


def course_runs(course: Course, grid: Grid, rate: float) -> list[Run]:
    """Return the runs of a course that was found at `rate`."""
    length_s = grid.step_s * grid.chunk
    groups: list[list[int]] = []
    for chunk in np.flatnonzero(course.position != NOWHERE):
        if groups and _follows(course, grid, groups[-1][-1], int(chunk)):
            groups[-1].append(int(chunk))
        else:
            groups.append([int(chunk)])
    return [
        Run(
            group[0] * length_s / rate,
            (group[-1] + 1) * length_s / rate,
            float(np.median([_offset_s(course, grid, chunk) for chunk in group])),
        )
        for group in groups
    ]


def course_slope(course: Course, grid: Grid, rate: float) -> float:
    """Return the speed that the drift of the course speaks for."""
    length_s = grid.step_s * grid.chunk
    placed = np.flatnonzero(course.position != NOWHERE)
    offset = np.array([_offset_s(course, grid, int(chunk)) for chunk in placed])
    near = np.abs(np.diff(offset)) <= 1.01 * grid.step_s * np.diff(placed)
    steps = float(np.sum(np.diff(offset)[near]))
    time_s = float(np.sum(np.diff(placed)[near])) * length_s
    return rate * (1 + steps / time_s) if time_s else rate


def _follows(course: Course, grid: Grid, before: int, after: int) -> bool:
    moved = _offset_s(course, grid, after) - _offset_s(course, grid, before)
    return abs(moved) <= 1.01 * grid.step_s * min(after - before, 3)


def _offset_s(course: Course, grid: Grid, chunk: int) -> float:
    begin = chunk * grid.chunk * grid.step_s
    return grid.copy_time(int(course.position[chunk])) - begin


def edge_pairs(
    corpus: Activity, copy: Activity, model: Model, runs: list[Run], rate: float, reach_s: float
) -> Pairs:
    """Pair edges of one kind that lie within `reach_s` of each other on the runs."""
    kinds = [(corpus.starts, copy.starts)]
    if model.ends_are_exact:
        kinds.append((corpus.ends, copy.ends))
    parts = [
        _pairs(ours, theirs, run, index, rate, reach_s)
        for index, run in enumerate(runs)
        for ours, theirs in kinds
    ]
    if not parts:
        return Pairs(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64))
    table = np.concatenate(parts)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    return Pairs(table[:, 0], table[:, 1], table[:, 2], table[:, 3].astype(np.int64))


def _pairs(ours: Edges, theirs: Edges, run: Run, index: int, rate: float, reach_s: float) -> Floats:
    inside = (ours.time_s >= run.start_s) & (ours.time_s < run.end_s)
    time_s, weight = ours.time_s[inside], ours.weight[inside]
    expected = rate * time_s + run.offset_s
    low = np.searchsorted(theirs.time_s, expected - reach_s)
    count = np.searchsorted(theirs.time_s, expected + reach_s) - low
    which = np.repeat(np.arange(len(time_s)), count)
    rank = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    partner = theirs.time_s[low[which] + rank]
    return np.column_stack(
        [time_s[which], partner, weight[which], np.full(len(which), float(index))]
    )


def fit_lines(pairs: Pairs, runs: list[Run], rate: float, *, fixed: bool = False) -> LineFit:
    """Fit one speed and an offset per run, giving less weight to pairs far from the fit.

    Tukey's biweight, narrowed step by step: pairs that match by chance lie evenly on both sides.
    With `fixed` the speed stays what it is.
    """
    offset = np.array([run.offset_s for run in runs])
    error = 0.01
    for reach in REACHES_S:
        distance = pairs.copy_s - rate * pairs.annotation_s - offset[pairs.run]
        near = np.abs(distance) < reach
        some = pairs.select(near)
        weight = some.weight * np.square(1 - np.square(distance[near] / reach))
        mass: Floats = np.bincount(some.run, weights=weight, minlength=len(runs)).astype(np.float64)
        shift = _means(some.run, weight, distance[near], mass)
        if not fixed:
            change, error = _slope(some, weight, distance[near], mass, shift)
            mean_x = _means(some.run, weight, some.annotation_s, mass)
            rate, shift = rate + change, shift - change * mean_x
        offset = offset + shift
    return LineFit(rate, error, offset)


def _means(group: Ints, weight: Floats, values: Floats, mass: Floats) -> Floats:
    total = np.bincount(group, weights=weight * values, minlength=len(mass))
    return np.divide(total, mass, out=np.zeros(len(mass)), where=mass > 0)


def _slope(
    pairs: Pairs, weight: Floats, distance: Floats, mass: Floats, shift: Floats
) -> tuple[float, float]:
    """Return what to add to the speed, and its standard error."""
    if len(pairs) < FEWEST_PAIRS:
        return 0.0, 0.01
    dx = pairs.annotation_s - _means(pairs.run, weight, pairs.annotation_s, mass)[pairs.run]
    dy = distance - shift[pairs.run]
    sxx = float(np.sum(weight * np.square(dx)))
    if sxx <= 0:
        return 0.0, 0.01
    slope = float(np.sum(weight * dx * dy)) / sxx
    variance = float(np.sum(weight * np.square(dy - slope * dx))) / max(1.0, float(weight.sum()))
    return slope, float(np.sqrt(max(variance, SMALLEST_ERROR_S**2) / sxx))
