"""Smooth what was answered for the cells of a stretch over some seconds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gazeline.learning.training.features import Floats
from gazeline.params.temporal import Smoothing

BUTTERWORTH_ORDER = 2


def smooth(values: Floats, step_s: float, how: Smoothing, over_s: float) -> Floats:
    """Return values [cells, outputs] smoothed along the cells.

    `mean` averages over the odd number of cells next to `over_s`, at the ends over those there are;
    `butterworth` lets pass what is slower than one wave in `over_s`, forwards and backwards. A span
    that is shorter than two cells leaves values as they are.
    """
    if over_s < 2 * step_s or len(values) < 2:
        return values
    if how == "butterworth":
        return _butterworth(values.astype(np.float64), 2 * step_s / over_s)
    return _moving_mean(values.astype(np.float64), 2 * int(over_s / step_s / 2) + 1)


def _moving_mean(values: npt.NDArray[np.float64], n: int) -> Floats:
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    cells = np.arange(len(values))
    first, stop = np.maximum(cells - n // 2, 0), np.minimum(cells + n // 2 + 1, len(values))
    means: Floats = ((sums[stop] - sums[first]) / (stop - first)[:, None]).astype(np.float32)
    return means


def _butterworth(values: npt.NDArray[np.float64], cutoff: float) -> Floats:
    """Filter with a cut-off given as a share of half the rate of the cells."""
    # Brings scipy.stats along, which takes a second to import.
    from scipy.signal import butter, filtfilt

    if cutoff >= 1:
        return values.astype(np.float32)
    b, a = butter(BUTTERWORTH_ORDER, cutoff)
    padding = min(3 * max(len(a), len(b)), len(values) - 1)
    found: Floats = filtfilt(b, a, values, axis=0, padlen=padding).astype(np.float32)
    return found
