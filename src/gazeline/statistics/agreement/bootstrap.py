"""Confidence intervals of alpha and sigma: films are drawn again, with their annotations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from gazeline.statistics.agreement.pairs import PairSample
from gazeline.statistics.agreement.reliability import SIGNIFICANT
from gazeline.statistics.overlaps import Floats

INTERVAL_PERCENT = (2.5, 97.5)
# Bandwidths are rounded to steps of 2 %, so that resamples share the kernel's integrals.
LOG_STEP = 0.02

Interval = tuple[float, float]


@dataclass(frozen=True)
class Intervals:
    """95 % percentile intervals, and the resamples in which both figures are defined."""

    alpha: Interval
    sigma: Interval
    n_resamples: int


def film_weights(n_films: int, resamples: int, seed: int) -> Floats:
    """Return how often each film is drawn in each resample, shape [resamples, n_films]."""
    if not n_films:
        return np.zeros((resamples, 0))
    draws = np.random.default_rng(seed).multinomial(
        n_films, np.full(n_films, 1 / n_films), resamples
    )
    return draws.astype(np.float64)


def bootstrap_intervals(sample: PairSample, weights: Floats) -> Intervals | None:
    """Return the intervals over resamples of the films, None where no resample is defined.

    A film drawn twice counts twice; two draws of one film do not make an expected pair. The
    bandwidth of sigma is that of each resample.

    Args:
        weights: from `film_weights`.
    """
    if not len(sample.observed) or not len(sample.expected):
        return None
    observed = weights[:, sample.observed_film]
    pairs, of_pair = np.unique(sample.expected_films, axis=0, return_inverse=True)
    order = np.argsort(of_pair, kind="stable")
    expected = _Grouped(sample.expected[order], np.searchsorted(of_pair[order], range(len(pairs))))
    pair_weights = weights[:, pairs[:, 0]] * weights[:, pairs[:, 1]]
    count, mean, spread = expected.moments(pair_weights)
    defined = (observed.sum(axis=1) > 0) & (mean > 0) & (spread > 0)
    if defined.sum() < 2:
        return None
    observed, pair_weights = observed[defined], pair_weights[defined]
    drawn = observed.sum(axis=1)
    width = count[defined] ** (-1 / 5) * spread[defined]
    significant = _significant(sample.observed, expected, pair_weights, width)
    return Intervals(
        alpha=_interval(1 - observed @ sample.observed / drawn / mean[defined]),
        sigma=_interval((observed * significant).sum(axis=1) / drawn),
        n_resamples=int(defined.sum()),
    )


@dataclass(frozen=True)
class _Grouped:
    """Values in groups: `values[first[g]:first[g + 1]]` is group g."""

    values: Floats
    first: np.ndarray[tuple[int, ...], np.dtype[np.intp]]

    def sums(self, of_values: Floats) -> Floats:
        """Return the sum over each group along the last axis, shape [..., groups]."""
        sums: Floats = np.add.reduceat(of_values, self.first, axis=-1)
        return sums

    def moments(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """Return count, mean and standard deviation (n - 1) of each weighted resample."""
        count = weights @ self.sums(np.ones_like(self.values))
        safe = np.maximum(count, 1)
        mean = weights @ self.sums(self.values) / safe
        centre = self.values.mean()
        offset = weights @ self.sums(self.values - centre)
        square = weights @ self.sums((self.values - centre) ** 2)
        variance = (square - offset**2 / safe) / np.maximum(count - 1, 1)
        # Rounding leaves a trace of variance where a resample's distances are all equal.
        spread = np.sqrt(np.where(variance > 1e-12, variance, 0.0))
        return count, mean, spread


def _significant(observed: Floats, expected: _Grouped, weights: Floats, width: Floats) -> Floats:
    """Return which observed distances have p < 0.05 in each resample, shape [resamples, o]."""
    total = weights @ expected.sums(np.ones_like(expected.values))
    step = np.round(np.log(width) / LOG_STEP).astype(np.int64)
    significant = np.zeros((len(width), len(observed)))
    for value in np.unique(step):
        rows = step == value
        h = np.exp(value * LOG_STEP)
        mass = ndtr((observed[:, None] - expected.values) / h) - ndtr(-expected.values / h)
        p = weights[rows] @ expected.sums(mass).T / total[rows, None]
        significant[rows] = p < SIGNIFICANT
    return significant


def _interval(values: Floats) -> Interval:
    low, high = np.percentile(values, INTERVAL_PERCENT)
    return float(low), float(high)
