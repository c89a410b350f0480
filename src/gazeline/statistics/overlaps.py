"""Which segments of different annotations overlap, and by how much; found for all at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from gazeline.statistics.annotations import Annotations, Bools, Ints
from gazeline.timeline.overlaps import overlapping_pairs

Floats = npt.NDArray[np.float64]
Overlap = Literal["coverage", "iou"]


@dataclass(frozen=True)
class Overlaps:
    """Every pair (a, b) of overlapping segments of different annotations, as row numbers.

    Attributes:
        a, b: rows of the two segments, shape [p]; each pair stands in both orders.
        coverage: |a ∩ b| / |a|, shape [p].
        iou: |a ∩ b| / |a ∪ b|, shape [p].
    """

    a: Ints
    b: Ints
    coverage: Floats
    iou: Floats

    def share(self, overlap: Overlap) -> Floats:
        """Return the overlap by the rule named."""
        return self.coverage if overlap == "coverage" else self.iou


def overlapping(
    start: Ints, stop: Ints, target_start: Ints, target_stop: Ints
) -> tuple[Ints, Ints, Ints]:
    """Return (interval, target, common length) of every interval and target that overlap.

    Args:
        start, stop: half-open intervals in any order, shape [n].
        target_start, target_stop: half-open intervals in any order, shape [m].
    """
    interval, target = overlapping_pairs(start, stop, target_start, target_stop)
    common = np.minimum(stop[interval], target_stop[target]) - np.maximum(
        start[interval], target_start[target]
    )
    kept = common > 0
    return interval[kept], target[kept], common[kept]


def find_overlaps(annotations: Annotations) -> Overlaps:
    """Return the overlapping segments of every two annotations, also of different films."""
    parts = [_overlaps_with(annotations, k) for k in range(annotations.n_annotations)]
    empty = np.empty(0, dtype=np.int64)
    a = np.concatenate([empty, *(part[0] for part in parts)])
    b = np.concatenate([empty, *(part[1] for part in parts)])
    common = np.concatenate([empty, *(part[2] for part in parts)])
    length = annotations.stop - annotations.start
    return Overlaps(a, b, common / length[a], common / (length[a] + length[b] - common))


def _overlaps_with(annotations: Annotations, k: int) -> tuple[Ints, Ints, Ints]:
    first, last = np.searchsorted(annotations.of, [k, k + 1])
    start, stop = annotations.start[first:last], annotations.stop[first:last]
    a, target, common = overlapping(annotations.start, annotations.stop, start, stop)
    other = annotations.of[a] != k
    return a[other], target[other] + first, common[other]


def union(start: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """Return the union of half-open intervals (by ascending start) as disjoint intervals."""
    if not len(start):
        return start, stop
    reach = np.maximum.accumulate(stop)
    opens: Bools = np.concatenate([[True], start[1:] > reach[:-1]])
    closes = np.concatenate([opens[1:], [True]])
    return start[opens], reach[closes]
