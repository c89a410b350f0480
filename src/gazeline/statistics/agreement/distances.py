"""Distances between two annotations, for all pairs of annotations at once (paper A.2.6).

Every function returns a symmetric matrix [K, K] over the K annotations; NaN marks pairs that the
definition leaves out. Checked against a per-segment loop in `benchmarks/agreement.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gazeline.statistics.annotations import Annotations, Bools, Ints
from gazeline.statistics.overlaps import Floats, Overlap, Overlaps, overlapping, union

EmptySide = Literal["zero", "drop"]
UNMATCHED_CONCEPT = 1.0


@dataclass(frozen=True)
class BestOverlaps:
    """The largest overlap of each segment with each annotation, by distance of their labels.

    Attributes:
        of: annotation of each of the n segments that count, shape [n].
        best: best[d][i, k] is the largest overlap of segment i with a segment of annotation k
            at label distance d; 0 where there is none.
        n_annotations: K.
    """

    of: Ints
    best: tuple[Floats, ...]
    n_annotations: int


def best_for_levels(
    annotations: Annotations, overlaps: Overlaps, overlap: Overlap, levels: Sequence[str]
) -> BestOverlaps:
    """Return the best overlaps by distance of level; segments of other levels are dropped."""
    position = np.full(len(annotations.of), -1, dtype=np.int64)
    for i, level in enumerate(levels):
        position[annotations.labels == level] = i
    both = (position[overlaps.a] >= 0) & (position[overlaps.b] >= 0)
    hops = np.abs(position[overlaps.a] - position[overlaps.b])
    pairs = [both & (hops == d) for d in range(len(levels))]
    return _best(annotations, overlaps, overlap, position >= 0, pairs)


def best_for_concepts(
    annotations: Annotations, overlaps: Overlaps, overlap: Overlap, names: Sequence[str]
) -> BestOverlaps:
    """Return the best overlaps among the segments with any of the concepts."""
    has = annotations.with_any(names)
    return _best(annotations, overlaps, overlap, has, [has[overlaps.a] & has[overlaps.b]])


def _best(
    annotations: Annotations,
    overlaps: Overlaps,
    overlap: Overlap,
    counts: Bools,
    pairs: Sequence[Bools],
) -> BestOverlaps:
    rows = np.cumsum(counts) - 1
    share = overlaps.share(overlap)
    k = annotations.n_annotations
    best = []
    for mask in pairs:
        largest = np.zeros(int(counts.sum()) * k)
        cell = rows[overlaps.a[mask]] * k + annotations.of[overlaps.b[mask]]
        np.maximum.at(largest, cell, share[mask])
        best.append(largest.reshape(-1, k))
    return BestOverlaps(annotations.of[counts], tuple(best), k)


def matched_distance(
    best: BestOverlaps, threshold: float, unmatched: float, empty_side: EmptySide
) -> Floats:
    """Return the mean over both directions of the mean distance of a segment to its matches.

    A segment matches those of the other annotation that overlap it by at least `threshold`; its
    distance is the smallest label distance among them, `unmatched` without any. With `empty_side`
    "zero" an annotation without segments counts 0 in its own direction (which is what yields the
    published Table 2); with "drop" its pairs are left out.
    """
    distance = np.full((len(best.of), best.n_annotations), unmatched)
    for hops in reversed(range(len(best.best))):
        distance[best.best[hops] >= threshold] = hops
    directed = _mean_by_annotation(distance, best.of, best.n_annotations)
    if empty_side == "zero":
        directed = np.nan_to_num(directed, nan=0.0)
    symmetric: Floats = (directed + directed.T) / 2
    return symmetric


def _mean_by_annotation(values: Floats, of: Ints, n_annotations: int) -> Floats:
    """Return the mean of the rows of each annotation, NaN without any, shape [K, K]."""
    member = (of[None, :] == np.arange(n_annotations)[:, None]).astype(np.float64)
    counts = member.sum(axis=1, keepdims=True)
    means: Floats = np.full((n_annotations, n_annotations), np.nan)
    np.divide(member @ values, counts, out=means, where=counts > 0)
    return means


def f1_distance_of_labels(annotations: Annotations) -> Floats:
    """Return 1 - F1 of the labels of frames, every label counted (see `_f1_distance`)."""
    names = np.unique(annotations.labels)
    return _f1_distance(annotations, [annotations.labels == name for name in names])


def f1_distance_of_concepts(annotations: Annotations, names: Sequence[str]) -> Floats:
    """Return 1 - F1 of the frames that have any of the concepts (see `_f1_distance`)."""
    return _f1_distance(annotations, [annotations.with_any(names)])


def _f1_distance(annotations: Annotations, classes: Sequence[Bools]) -> Floats:
    """Return 1 - F1, precision and recall being the mean share of a segment's frames that the
    other annotation gives the same class, one for each direction.

    Frames are counted as in the authors' program: a segment's last frame is left out. An
    annotation without segments of any class has F1 0 with one that has some; pairs without any
    are NaN.
    """
    k = annotations.n_annotations
    stop = annotations.stop - 1
    counts = np.asarray(np.any(classes, axis=0) & (stop > annotations.start), dtype=np.bool_)
    shared = np.zeros((len(stop), k))
    for members in classes:
        rows = np.flatnonzero(members & counts)
        for other in range(k):
            targets = rows[annotations.of[rows] == other]
            target_start, target_stop = union(annotations.start[targets], stop[targets])
            i, _, common = overlapping(
                annotations.start[rows], stop[rows], target_start, target_stop
            )
            np.add.at(shared[:, other], rows[i], common / (stop - annotations.start)[rows[i]])
    directed = _mean_by_annotation(shared[counts], annotations.of[counts], k)
    empty = np.bincount(annotations.of[counts], minlength=k) == 0
    precision = np.nan_to_num(directed, nan=0.0)
    total = precision + precision.T
    f1 = np.divide(2 * precision * precision.T, total, out=np.zeros((k, k)), where=total > 0)
    distance: Floats = np.where(empty[:, None] & empty[None, :], np.nan, 1 - f1)
    return distance
