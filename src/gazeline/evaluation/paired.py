"""Compare models over the (fold, seed) pairs that they share (paper A.3). Pure.

After Loftus and Masson (1994): the pairs play the part of subjects, the models that of conditions;
what a pair adds to every model alike is taken out before intervals and effects are computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from gazeline.evaluation.intervals import CONFIDENCE
from gazeline.evaluation.scores import Floats

# Scores lie in [0, 1]; a variance below this is rounding.
ROUNDING = 1e-20


@dataclass(frozen=True)
class Adjusted:
    """Means of K models over n pairs, with the half width of every mean's adjusted interval."""

    means: tuple[float, ...]
    half_width: float
    ms_error: float
    df_error: int
    n: int


@dataclass(frozen=True)
class PairedTest:
    """A two-sided t-test of a mean difference over n pairs; t and p are NaN where undefined."""

    difference: float
    t: float
    p: float
    n: int


def adjusted_intervals(values: Floats, confidence: float = CONFIDENCE) -> Adjusted:
    """Return means ± sqrt(MS_error / (2n)) * t(df_error), df_error = (K - 1)(n - 1).

    Intervals that do not overlap stand for a significant difference of two models.

    Args:
        values: a finite score per pair and model, [n, K], n and K at least 2.

    Raises:
        ValueError: there are fewer pairs or models.
    """
    n, k = values.shape
    if n < 2 or k < 2:
        raise ValueError(f"{n} pairs of {k} models: intervals need 2 of each")
    means = values.mean(axis=0)
    # SS_within - SS_subject, from the normalised data: no digits are lost to subtraction.
    normalised = values - values.mean(axis=1, keepdims=True) + values.mean()
    df_error = (k - 1) * (n - 1)
    ms_error = float(np.sum((normalised - means) ** 2)) / df_error
    half = math.sqrt(ms_error / (2 * n)) * float(stdtrit(df_error, 0.5 + confidence / 2))
    return Adjusted(tuple(means.tolist()), half, ms_error, df_error, n)


def cohens_d(table: Adjusted, first: int, second: int) -> float:
    """Return the difference of two means in deviations of the normalised data; NaN without any."""
    if table.ms_error <= ROUNDING:
        return math.nan
    return (table.means[first] - table.means[second]) / math.sqrt(table.ms_error)


def paired_test(first: Floats, second: Floats) -> PairedTest:
    """Return the paired t-test of first - second, [n] each; undefined where nothing varies."""
    differences = first - second
    n = len(differences)
    difference = float(differences.mean()) if n else math.nan
    if n < 2 or float(differences.var(ddof=1)) <= ROUNDING:
        return PairedTest(difference, math.nan, math.nan, n)
    t = difference / (float(differences.std(ddof=1)) / math.sqrt(n))
    return PairedTest(difference, t, 2 * float(stdtr(n - 1, -abs(t))), n)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p after Holm's correction over the defined ones; NaN stays NaN."""
    defined = sorted((p, index) for index, p in enumerate(p_values) if not math.isnan(p))
    corrected, highest = [math.nan] * len(p_values), 0.0
    for rank, (p, index) in enumerate(defined):
        highest = max(highest, min(1.0, (len(defined) - rank) * p))
        corrected[index] = highest
    return corrected
