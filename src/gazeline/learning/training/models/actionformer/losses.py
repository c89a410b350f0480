"""Which points answer for an interval, and the losses of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from gazeline.learning.training.models.actionformer.network import ActionFormer, Level
from gazeline.params.actionformer import ActionFormerParams

FOCAL_ALPHA, FOCAL_GAMMA = 0.25, 2.0
MOMENTUM = 0.9
TIE = 1e-3
EPSILON = 1e-8


@dataclass(frozen=True)
class Wanted:
    """What points are to answer: `classes` [points, classes] 0 or 1, `offsets` [points, 2].

    Offsets are in strides, and mean something where a class is 1.
    """

    classes: Tensor
    offsets: Tensor


def assign(
    levels: Sequence[Level], bounds: Tensor, labels: Tensor, params: ActionFormerParams
) -> Wanted:
    """Return what the points of all levels are to answer for the intervals of one sequence.

    A point answers for an interval it lies in, at most `centre_radius` strides from its middle,
    where the farther end is as far as the level's range says; of several, for the shortest.

    Args:
        bounds: start and end of each interval in cells, [intervals, 2].
        labels: their classes, int64 [intervals].
    """
    n_classes = levels[0].logits.shape[2]
    points, strides, low, high = _points(levels, params, bounds)
    if len(bounds) == 0:
        return Wanted(bounds.new_zeros(len(points), n_classes), bounds.new_zeros(len(points), 2))
    before = points[:, None] - bounds[None, :, 0]
    after = bounds[None, :, 1] - points[:, None]
    near = (points[:, None] - bounds.mean(dim=1)).abs() < params.centre_radius * strides[:, None]
    farther = torch.maximum(before, after)
    good = (
        (torch.minimum(before, after) > 0)
        & near
        & (farther >= low[:, None])
        & (farther <= high[:, None])
    )
    lengths = (bounds[:, 1] - bounds[:, 0]).expand_as(before).masked_fill(~good, torch.inf)
    shortest, chosen = lengths.min(dim=1)
    answering = good & (lengths <= shortest[:, None] + TIE)
    classes = (answering.to(bounds.dtype) @ F.one_hot(labels, n_classes).to(bounds.dtype)).clamp(
        max=1
    )
    rows = torch.arange(len(points), device=bounds.device)
    offsets = torch.stack([before[rows, chosen], after[rows, chosen]], dim=1) / strides[:, None]
    return Wanted(classes, offsets)


def _points(
    levels: Sequence[Level], params: ActionFormerParams, like: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return place in cells, stride, and least and largest reach of all points."""
    columns: list[list[Tensor]] = [[], [], [], []]
    for level, (low, high) in zip(levels, params.regression_ranges, strict=True):
        n = level.mask.shape[1]
        columns[0].append(torch.arange(n, device=like.device, dtype=like.dtype) * level.stride)
        for column, value in zip(columns[1:], (level.stride, low, high), strict=True):
            column.append(torch.full((n,), float(value), device=like.device, dtype=like.dtype))
    points, strides, lows, highs = (torch.cat(column) for column in columns)
    return points, strides, lows, highs


def detection_loss(
    model: ActionFormer,
    levels: Sequence[Level],
    bounds: Sequence[Tensor],
    labels: Sequence[Tensor],
    params: ActionFormerParams,
) -> Tensor:
    """Return focal loss of the classes plus DIoU loss of the offsets, over the positive points.

    In training a running mean of their number divides, and is moved on; else their own number, so
    that losses of different epochs can be compared.
    """
    wanted = [assign(levels, b, c, params) for b, c in zip(bounds, labels, strict=True)]
    classes = torch.stack([w.classes for w in wanted])
    offsets = torch.stack([w.offsets for w in wanted])
    real = torch.cat([level.mask for level in levels], dim=1)
    logits = torch.cat([level.logits for level in levels], dim=1)[real]
    answered = torch.cat([level.offsets for level in levels], dim=1)
    positive = (classes.sum(dim=2) > 0) & real
    count = positive.sum().clamp(min=1).to(model.normaliser)
    if model.training:
        model.normaliser.mul_(MOMENTUM).add_((1 - MOMENTUM) * count)
    total = focal_loss(logits, classes[real]).sum()
    if positive.any():
        total = total + diou_loss(answered[positive], offsets[positive]).sum()
    return total / (model.normaliser.clamp(min=1) if model.training else count)


def focal_loss(logits: Tensor, classes: Tensor) -> Tensor:
    """Return the sigmoid focal loss of each answer (Lin et al. 2017)."""
    p = torch.sigmoid(logits)
    plain = F.binary_cross_entropy_with_logits(logits, classes, reduction="none")
    right = p * classes + (1 - p) * (1 - classes)
    alpha = FOCAL_ALPHA * classes + (1 - FOCAL_ALPHA) * (1 - classes)
    return alpha * plain * (1 - right) ** FOCAL_GAMMA


def diou_loss(answered: Tensor, wanted: Tensor) -> Tensor:
    """Return 1 - IoU + (distance of centres / enclosing length)² of offsets around one point.

    Args:
        answered, wanted: before and after the point, never negative, [n, 2] (Zheng et al. 2020).
    """
    both = torch.minimum(answered, wanted).sum(dim=1)
    either = answered.sum(dim=1) + wanted.sum(dim=1) - both
    around = torch.maximum(answered, wanted).sum(dim=1)
    centres = ((answered[:, 1] - answered[:, 0]) - (wanted[:, 1] - wanted[:, 0])) / 2
    far = (centres / around.clamp(min=EPSILON)) ** 2
    return 1 - both / either.clamp(min=EPSILON) + far
