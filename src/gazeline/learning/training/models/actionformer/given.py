"""The class of intervals whose bounds are known (the paper's TClassif): no offsets, no NMS."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from gazeline.learning.training.models.actionformer.decoding import Doubles
from gazeline.learning.training.models.actionformer.network import Level
from gazeline.params.actionformer import ActionFormerParams


@torch.no_grad()
def classify_given(
    levels: Sequence[Level], index: int, bounds: Doubles, params: ActionFormerParams
) -> Doubles:
    """Return the score of each class for each interval of one sequence, [intervals, classes].

    It is the mean probability of the points that training makes answer for such an interval: those
    of the level whose range half its length is in, around its middle. Where none is, it is that of
    the nearest point.

    Args:
        index: the sequence's place in the batch.
        bounds: in cells, [intervals, 2].
    """
    n_classes = levels[0].logits.shape[2]
    scores = np.zeros((len(bounds), n_classes))
    for number, (start, end) in enumerate(bounds):
        level = levels[_level((end - start) / 2, params)]
        n_real = max(1, int(level.mask[index].sum()))
        places = np.arange(n_real, dtype=np.float64) * level.stride
        far = np.abs(places - (start + end) / 2)
        near = (far < params.centre_radius * level.stride) & (places > start) & (places < end)
        points = np.flatnonzero(near) if near.any() else np.array([int(np.argmin(far))])
        probabilities = torch.sigmoid(level.logits[index]).cpu().double().numpy()
        scores[number] = probabilities[points].mean(axis=0)
    return scores


def _level(reach: float, params: ActionFormerParams) -> int:
    """Return the first level whose range reaches so far, or the last."""
    ends = [high for _, high in params.regression_ranges]
    return next((i for i, high in enumerate(ends) if reach <= high), len(ends) - 1)
