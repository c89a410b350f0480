"""Mean average precision and recall of detected intervals (ActivityNet's definition). Pure.

Of a class, detections are taken in the order of their scores over all videos; each is right where
its overlap with a true interval of its video that no better detection has taken is at least the
threshold, the largest overlap first. Average precision is the area under the precision made
non-increasing. Recall@kx looks at the k·x best detections of a class in a video that has x true
intervals of it, and counts the true intervals that any of them overlaps enough (as the public
evaluation of ActionFormer does).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Spans:
    """Intervals of one class: `videos` int64 [n], `bounds_s` float64 [n, 2], `scores` [n]."""

    videos: Ints
    bounds_s: Floats
    scores: Floats

    def of_video(self, video: int) -> Ints:
        """Return the indices of a video's intervals, best first."""
        there = np.flatnonzero(self.videos == video)
        return there[np.argsort(-self.scores[there], kind="stable")]


def overlap_share(bounds_s: Floats, others_s: Floats) -> Floats:
    """Return the intersection over union of intervals, [n, m]; of two empty ones 0."""
    starts = np.maximum(bounds_s[:, None, 0], others_s[None, :, 0])
    ends = np.minimum(bounds_s[:, None, 1], others_s[None, :, 1])
    both = np.clip(ends - starts, 0, None)
    lengths = np.diff(bounds_s, axis=1), np.diff(others_s, axis=1)
    either = lengths[0] + lengths[1].T - both
    shares: Floats = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
    return shares


def average_precision(true: Spans, found: Spans, tiou: float) -> float:
    """Return the average precision of one class; NaN without a true interval."""
    if not len(true.videos):
        return math.nan
    if not len(found.videos):
        return 0.0
    right = matched(true, found, tiou)
    hits = np.cumsum(right)
    precision = hits / np.arange(1, len(right) + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(envelope[right]) / len(true.videos))


def matched(true: Spans, found: Spans, tiou: float) -> Bools:
    """Return which detections are right, in the order of their scores, [n]."""
    order = np.argsort(-found.scores, kind="stable")
    taken = np.zeros(len(true.videos), dtype=np.bool_)
    shares = {video: _shares(true, found, int(video)) for video in np.unique(found.videos)}
    place = {int(index): row for _, rows, _ in shares.values() for row, index in enumerate(rows)}
    right = np.zeros(len(order), dtype=np.bool_)
    for position, index in enumerate(order.tolist()):
        ours, _, of_video = shares[found.videos[index]]
        row = of_video[place[index]]
        for candidate in np.argsort(-row, kind="stable"):
            if row[candidate] < tiou:
                break
            if not taken[ours[candidate]]:
                taken[ours[candidate]] = right[position] = True
                break
    return right


def _shares(true: Spans, found: Spans, video: int) -> tuple[Ints, Ints, Floats]:
    ours, theirs = np.flatnonzero(true.videos == video), np.flatnonzero(found.videos == video)
    return ours, theirs, overlap_share(found.bounds_s[theirs], true.bounds_s[ours])


def recall(true: Spans, found: Spans, tiou: float, k: int) -> float:
    """Return the recall@kx of one class; NaN without a true interval."""
    if not len(true.videos):
        return math.nan
    n_found = 0
    for video in np.unique(true.videos):
        ours = np.flatnonzero(true.videos == video)
        best = found.of_video(int(video))[: k * len(ours)]
        shares = overlap_share(true.bounds_s[ours], found.bounds_s[best])
        n_found += int((shares >= tiou).any(axis=1).sum())
    return n_found / len(true.videos)


def detection_scores(
    true: Sequence[Spans],
    found: Sequence[Spans],
    classes: Sequence[str],
    tious: Sequence[float],
    ks: Sequence[int] = (1,),
) -> dict[str, float]:
    """Return mAP and recall per threshold and their means, and mAP per class.

    Classes without a true interval are left out of the means (their own entry is NaN).

    Args:
        true, found: of each class.

    Returns:
        `map_<tiou>`, `map`, `recall_<k>_<tiou>`, `recall_<k>`, and `map_of_<class>` where there
        are several classes.
    """
    values = {
        f"map_{tiou:g}": [average_precision(t, f, tiou) for t, f in zip(true, found, strict=True)]
        for tiou in tious
    }
    scores = {name: _mean(of_classes) for name, of_classes in values.items()}
    scores["map"] = _mean(list(scores.values()))
    if len(classes) > 1:
        of_class = np.array(list(values.values()))
        scores |= {f"map_of_{c}": _mean(of_class[:, i].tolist()) for i, c in enumerate(classes)}
    for k in ks:
        recalls = [
            _mean([recall(t, f, tiou, k) for t, f in zip(true, found, strict=True)])
            for tiou in tious
        ]
        scores |= {f"recall_{k}_{t:g}": r for t, r in zip(tious, recalls, strict=True)}
        scores[f"recall_{k}"] = _mean(recalls)
    return scores


def _mean(values: Sequence[float]) -> float:
    finite = [value for value in values if math.isfinite(value)]
    return float(np.mean(finite)) if finite else math.nan
