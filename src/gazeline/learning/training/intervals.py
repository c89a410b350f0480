"""Intervals with a class, a score and a decision, and how scores of cells become such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gazeline.learning.training.features import Bools, Floats, Ints
from gazeline.timeline.windows import Times

# Between 0 and the threshold, and between it and 1: where intervals are cut besides.
LEVELS = (0.25, 0.5, 0.75)
# An interval that overlaps a better one by more adds nothing.
SAME_IOU = 0.7
# The share of an interval's length on each side of it that it is told apart from.
FLANK = 0.25


@dataclass(frozen=True)
class Intervals:
    """Intervals found: `samples` is the stretch of each, `bounds_s` float64 [n, 2].

    `targets` is the class, int64 [n]; `scores` float64 [n]; `decided` bool [n].
    """

    samples: Ints
    bounds_s: npt.NDArray[np.float64]
    targets: Ints
    scores: npt.NDArray[np.float64]
    decided: Bools

    @classmethod
    def joined(cls, parts: Sequence[Intervals]) -> Intervals:
        """Return the intervals of several lists as one."""
        none = cls(*_empty())
        return cls(
            *(
                np.concatenate([getattr(part, name) for part in (none, *parts)])
                for name in cls.__dataclass_fields__
            )
        )


def _empty() -> tuple[Ints, npt.NDArray[np.float64], Ints, npt.NDArray[np.float64], Bools]:
    none = np.zeros(0, dtype=np.int64)
    return none, np.zeros((0, 2)), none, np.zeros(0), np.zeros(0, dtype=np.bool_)


def join_cells(
    probabilities: Floats, edges: Times, sample: int, thresholds: Sequence[float]
) -> Intervals:
    """Return the intervals of a stretch in which the cells' probabilities are high.

    Neighbouring cells from the threshold of the class on make a decided interval. Cuts at other
    levels are proposals, for measures that rank: each is scored by how it stands out, and
    dropped where it hardly differs from a better one or a decided one.

    Args:
        probabilities: [cells, classes].
        edges: of the cells, annotation clock, seconds, [cells + 1].
        thresholds: of each class.
    """
    parts = []
    for target, threshold in enumerate(thresholds):
        of_class = probabilities[:, target].astype(np.float64)
        runs = [(run, True) for run in _runs(of_class >= threshold)]
        seen = {run for run, _ in runs}
        proposed = {run for level in _levels(threshold) for run in _runs(of_class >= level)}
        runs += [(run, False) for run in sorted(proposed - seen)]
        parts.append(_scored(runs, of_class, edges, sample, target))
    return Intervals.joined([_without_doubles(part) for part in parts])


def _levels(threshold: float) -> list[float]:
    room = max(0.0, 1 - threshold)
    return [threshold * share for share in LEVELS] + [threshold + room * share for share in LEVELS]


def _runs(chosen: Bools) -> list[tuple[int, int]]:
    """Return [first, stop) of each run of chosen cells."""
    steps = np.diff(np.concatenate([[False], chosen, [False]]).astype(np.int8))
    starts, stops = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    return list(zip(starts.tolist(), stops.tolist(), strict=True))


def _scored(
    runs: Sequence[tuple[tuple[int, int], bool]],
    probabilities: npt.NDArray[np.float64],
    edges: Times,
    sample: int,
    target: int,
) -> Intervals:
    bounds = [(edges[first], edges[stop]) for (first, stop), _ in runs]
    scores = [_contrast(probabilities, first, stop) for (first, stop), _ in runs]
    return Intervals(
        np.full(len(runs), sample, dtype=np.int64),
        np.array(bounds, dtype=np.float64).reshape(-1, 2),
        np.full(len(runs), target, dtype=np.int64),
        np.array(scores, dtype=np.float64),
        np.array([decided for _, decided in runs], dtype=np.bool_),
    )


def _contrast(probabilities: npt.NDArray[np.float64], first: int, stop: int) -> float:
    """Return the mean probability of a run less that of the cells around it, from 0 to 1.

    The mean alone would rank the middle of an interval above the whole (outer-inner contrast, Shou
    et al. 2018). Around it is a quarter of its length on each side, as far as there are cells.
    """
    flank = max(1, round((stop - first) * FLANK))
    around = np.concatenate(
        [probabilities[max(0, first - flank) : first], probabilities[stop : stop + flank]]
    )
    outside = float(around.mean()) if len(around) else 0.0
    return max(0.0, min(1.0, float(probabilities[first:stop].mean()) - outside))


def _without_doubles(found: Intervals) -> Intervals:
    """Drop proposals that overlap a decided interval, or a better proposal, by `SAME_IOU`."""
    kept: list[int] = []
    for index in np.lexsort((-found.scores, ~found.decided)).tolist():
        start, end = found.bounds_s[index]
        if found.decided[index] or not kept:
            kept.append(index)
            continue
        others = found.bounds_s[kept]
        overlaps = np.clip(np.minimum(others[:, 1], end) - np.maximum(others[:, 0], start), 0, None)
        unions = others[:, 1] - others[:, 0] + (end - start) - overlaps
        if (overlaps / unions).max() <= SAME_IOU:
            kept.append(index)
    chosen = np.sort(np.array(kept, dtype=np.int64))
    return Intervals(*(getattr(found, name)[chosen] for name in Intervals.__dataclass_fields__))
