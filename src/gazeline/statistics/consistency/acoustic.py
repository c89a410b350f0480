"""Acoustic curves of segments on a common axis, compared bin by bin (paper Sec. 3.2.2, Fig. 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import false_discovery_control, mannwhitneyu

from gazeline.statistics.annotations import Bools
from gazeline.statistics.consistency.testable import NotTestable, not_testable
from gazeline.statistics.overlaps import Floats

FEATURES = ("zcr", "bandwidth_hz", "rms")
SILENT_RMS = 1e-5
"""Below -100 dBFS in every frame: no sound was recorded, rather than a quiet scene."""


@dataclass(frozen=True)
class CurveComparison:
    """Positives against negatives in each bin of the common axis.

    Attributes:
        positive, negative: mean curves, shape [bins].
        effect: rank-biserial correlation of each bin, shape [bins].
        q: q value of each bin, adjusted over the bins, shape [bins].
    """

    n_positive: int
    n_negative: int
    positive: Floats
    negative: Floats
    effect: Floats
    q: Floats


def resampled(series: Floats, bins: int) -> Floats:
    """Resample the frames of a segment onto `bins` points from its first frame to its last.

    Args:
        series: shape [frames, features], at least two frames.
    """
    axis = np.linspace(0, len(series) - 1, bins)
    frames = np.arange(len(series))
    return np.stack([np.interp(axis, frames, column) for column in series.T], axis=1)


def is_silent(rms: Floats) -> bool:
    """Tell whether no frame holds any sound."""
    return bool((rms < SILENT_RMS).all())


def compare_curves(curves: Floats, positive: Bools) -> CurveComparison | NotTestable:
    """Compare curves bin by bin.

    Args:
        curves: shape [n, bins]. positive: shape [n].
    """
    if lacking := not_testable(positive, "an audio concept", "sound"):
        return lacking
    high, low = curves[positive], curves[~positive]
    test = mannwhitneyu(high, low, alternative="two-sided", axis=0)
    return CurveComparison(
        n_positive=len(high),
        n_negative=len(low),
        positive=high.mean(axis=0),
        negative=low.mean(axis=0),
        effect=2 * test.statistic / (len(high) * len(low)) - 1,
        q=false_discovery_control(test.pvalue, method="bh"),
    )
