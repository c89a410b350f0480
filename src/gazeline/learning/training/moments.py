"""Mean and deviation of each feature over chosen rows, in parts that fit in memory."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.models.inputs import Moments

Doubles = npt.NDArray[np.float64]

ROWS_AT_ONCE = 8_192


def row_moments(values: Floats, rows: Ints) -> Moments:
    """Return the moments of `values` [all rows, width] over some rows (of none: the identity)."""
    width = values.shape[1]
    if len(rows) == 0:
        return Moments.identity(width)
    mean = _mean(values, rows, np.zeros(width), power=1)
    variance = _mean(values, rows, mean, power=2)
    return Moments(
        torch.from_numpy(mean.astype(np.float32)),
        torch.from_numpy(np.sqrt(variance).astype(np.float32)),
    )


def _mean(values: Floats, rows: Ints, centre: Doubles, power: int) -> Doubles:
    """Return the mean of (value - centre) ** power over rows."""
    total = np.zeros(values.shape[1])
    for start in range(0, len(rows), ROWS_AT_ONCE):
        part = values[rows[start : start + ROWS_AT_ONCE]].astype(np.float64) - centre
        total += (part**power).sum(axis=0)
    mean: Doubles = total / len(rows)
    return mean
