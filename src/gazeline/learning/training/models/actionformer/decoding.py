"""From the answers of points to intervals: candidates, Gaussian soft-NMS and voting. numpy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from gazeline.learning.training.models.actionformer.network import Level
from gazeline.params.actionformer import ActionFormerParams

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Found:
    """Intervals of one sequence, best first: `bounds` in cells [n, 2], `labels`, `scores` [n]."""

    bounds: Doubles
    labels: Ints
    scores: Doubles


@torch.no_grad()
def decode(levels: Sequence[Level], params: ActionFormerParams, least_cells: float) -> list[Found]:
    """Return the intervals of each sequence of a batch.

    Args:
        least_cells: intervals that are not longer are dropped.
    """
    n = len(levels[0].mask)
    return [_decode_one(levels, index, params, least_cells) for index in range(n)]


def _decode_one(
    levels: Sequence[Level], index: int, params: ActionFormerParams, least_cells: float
) -> Found:
    parts = [_candidates(level, index, params) for level in levels]
    bounds, labels, scores = (np.concatenate(of) for of in zip(*parts, strict=True))
    long = bounds[:, 1] - bounds[:, 0] > least_cells
    bounds, labels, scores = bounds[long], labels[long], scores[long]
    kept: list[tuple[Doubles, Ints, Doubles]] = []
    for label in np.unique(labels):
        own = labels == label
        suppressed = soft_nms(bounds[own], scores[own], params)
        voted = vote(suppressed[0], bounds[own], scores[own], params.voting)
        kept.append((voted, np.full(len(voted), label, dtype=np.int64), suppressed[1]))
    if not kept:
        return Found(np.zeros((0, 2)), np.zeros(0, dtype=np.int64), np.zeros(0))
    bounds, labels, scores = (np.concatenate(of) for of in zip(*kept, strict=True))
    order = np.argsort(-scores, kind="stable")[: params.max_segments]
    return Found(bounds[order], labels[order], scores[order])


def _candidates(
    level: Level, index: int, params: ActionFormerParams
) -> tuple[Doubles, Ints, Doubles]:
    """Return the best answers of one level above the least score."""
    scores = torch.sigmoid(level.logits[index]) * level.mask[index][:, None]
    flat = scores.flatten().cpu().double().numpy()
    order = np.argsort(-flat, kind="stable")[: params.candidates]
    order = order[flat[order] > params.min_score]
    points, labels = np.divmod(order, scores.shape[1])
    reach = level.offsets[index].cpu().double().numpy()[points] * level.stride
    places = points.astype(np.float64) * level.stride
    bounds = np.stack([places - reach[:, 0], places + reach[:, 1]], axis=1)
    return bounds, labels.astype(np.int64), flat[order]


def shares(bounds: Doubles, one: Doubles) -> Doubles:
    """Return the intersection over union of intervals [n, 2] with one."""
    both = np.clip(np.minimum(bounds[:, 1], one[1]) - np.maximum(bounds[:, 0], one[0]), 0, None)
    either = (bounds[:, 1] - bounds[:, 0]) + (one[1] - one[0]) - both
    found: Doubles = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
    return found


def soft_nms(
    bounds: Doubles, scores: Doubles, params: ActionFormerParams
) -> tuple[Doubles, Doubles]:
    """Return intervals and lowered scores, best first (Bodla et al. 2017, Gaussian).

    The best interval is kept, and the others are multiplied by exp(-IoU² / sigma); again, until
    none is above the least score or there are enough.
    """
    bounds, scores = bounds.copy(), scores.copy()
    kept: list[tuple[Doubles, float]] = []
    while len(bounds) and len(kept) < params.max_segments:
        best = int(np.argmax(scores))
        if scores[best] <= params.min_score:
            break
        chosen = bounds[best].copy()
        kept.append((chosen, float(scores[best])))
        rest = np.arange(len(bounds)) != best
        bounds, scores = bounds[rest], scores[rest]
        scores = scores * np.exp(-(shares(bounds, chosen) ** 2) / params.nms_sigma)
        alive = scores > params.min_score
        bounds, scores = bounds[alive], scores[alive]
    return (
        np.array([interval for interval, _ in kept]).reshape(-1, 2),
        np.array([score for _, score in kept]),
    )


def vote(bounds: Doubles, every: Doubles, scores: Doubles, least: float) -> Doubles:
    """Return intervals moved to the mean of all candidates that overlap them, by score and IoU."""
    voted = bounds.copy()
    for index, interval in enumerate(bounds):
        overlap = shares(every, interval)
        weights = np.where(overlap >= least, overlap * scores, 0.0)
        if weights.sum() > 0:
            voted[index] = weights @ every / weights.sum()
    return voted
