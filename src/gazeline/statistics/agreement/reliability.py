"""Krippendorff's alpha and sigma from observed and expected distances (paper Sec. 3.2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from gazeline.statistics.agreement.pairs import PairSample
from gazeline.statistics.overlaps import Floats

SIGNIFICANT = 0.05
COMPARED = " with the levels or concepts compared"


@dataclass(frozen=True)
class Reliability:
    """Alpha and sigma; None, each with its reason, where they are not defined."""

    alpha: float | None
    sigma: float | None
    n_observed: int
    n_expected: int
    alpha_reason: str | None
    sigma_reason: str | None


def reliability(sample: PairSample) -> Reliability:
    """Return alpha and sigma of one definition of distance.

    Alpha is 1 - mean(observed) / mean(expected). Sigma is the share of observed distances that
    are significantly small under the expected ones (see `chance_probability`).
    """
    alpha_reason = no_alpha_reason(sample)
    sigma_reason = alpha_reason or no_sigma_reason(sample)
    alpha = sigma = None
    if alpha_reason is None:
        alpha = float(1 - sample.observed.mean() / sample.expected.mean())
    if sigma_reason is None:
        p = chance_probability(sample.observed, sample.expected)
        sigma = float((p < SIGNIFICANT).mean())
    sizes = len(sample.observed), len(sample.expected)
    return Reliability(alpha, sigma, *sizes, alpha_reason, sigma_reason)


def no_alpha_reason(sample: PairSample) -> str | None:
    """Say why neither figure is defined; None where alpha is."""
    if not len(sample.observed):
        return "no film has two annotations" + (COMPARED if sample.n_observed_left_out else "")
    if not len(sample.expected):
        return "no two films have an annotation" + (COMPARED if sample.n_expected_left_out else "")
    if not sample.expected.mean() > 0:
        return "every expected distance is 0"
    return None


def no_sigma_reason(sample: PairSample) -> str | None:
    """Say why sigma is not defined where alpha is; None where both are."""
    if not scott_bandwidth(sample.expected) > 0:
        return "the expected distances do not vary"
    return None


def no_interval_reason(sample: PairSample) -> str | None:
    """Say why films cannot be drawn again; None where they can."""
    if len(np.unique(sample.observed_film)) < 2:
        return "only one film has an observed distance"
    return None


def chance_probability(observed: Floats, expected: Floats) -> Floats:
    """Return the probability of a distance in [0, observed] under the expected distances.

    The expected distances are smoothed by a Gaussian kernel of Scott's bandwidth, as
    `scipy.stats.gaussian_kde` does, and integrated from 0.

    Args:
        observed: shape [o]. expected: shape [e], not all equal.
    """
    width = scott_bandwidth(expected)
    upper = ndtr((observed[:, None] - expected[None, :]) / width)
    p: Floats = (upper - ndtr(-expected / width)[None, :]).mean(axis=1)
    return p


def scott_bandwidth(expected: Floats) -> float:
    """Return Scott's bandwidth n^(-1/5) · s; 0 where the values do not vary."""
    n = len(expected)
    if n < 2 or np.ptp(expected) == 0:
        return 0.0
    return float(n ** (-1 / 5) * expected.std(ddof=1))
