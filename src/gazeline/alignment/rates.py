"""Which speeds a copy may run at, and which one the anchors speak for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from gazeline.alignment.anchors import Anchors
from gazeline.alignment.dialogue import Floats

FILM_RATES = (
    Fraction(24000, 1001),
    Fraction(24),
    Fraction(25),
    Fraction(30000, 1001),
    Fraction(30),
)
COARSE_STEP, FINE_STEP = 1e-3, 5e-5
COARSE_BIN_S, FINE_BIN_S = 1.0, 0.25
# Below this the difference to a standard speed is 0.1 s over two hours: rounding, not speed.
SAME_RATE = 1.5e-5


def standard_rates(largest_deviation: float) -> list[Fraction]:
    """Return the speeds that come from playing one film rate at another, 1 first.

    >>> [round(float(r), 4) for r in standard_rates(0.06)]
    [1.0, 0.999, 1.001, 0.96, 0.959, 1.0417, 1.0427]
    """
    ratios = {a / b for a in FILM_RATES for b in FILM_RATES}
    near = [r for r in ratios if abs(r - 1) <= largest_deviation]
    return sorted(near, key=lambda r: (abs(r - 1), r))


def most_coherent_rate(anchors: Anchors, largest_deviation: float) -> float:
    """Return the speed at which the anchors agree on the fewest offsets, to about 5e-5.

    Offsets are counted in bins; the sum of the squared counts is highest where they pile up,
    also in several piles, as they do when scenes are missing or added.
    """
    steps = round(largest_deviation / COARSE_STEP)
    grid: Floats = 1 + COARSE_STEP * np.arange(-steps, steps + 1, dtype=np.float64)
    coarse = _best(anchors, grid, COARSE_BIN_S)
    fine: Floats = coarse + FINE_STEP * np.arange(-30, 31, dtype=np.float64)
    inside: Floats = fine[np.abs(fine - 1) <= largest_deviation + 1e-9]
    return _best(anchors, inside if len(inside) else fine, FINE_BIN_S)


def _best(anchors: Anchors, grid: Floats, bin_s: float) -> float:
    """Return the grid's best rate; of equal ones the middle, nearest to 1."""
    scores = np.array([_coherence(anchors, rate, bin_s) for rate in grid])
    best = grid[scores >= scores.max() - 1e-9]
    return float(best[np.argmin(np.abs(best - np.median(best)))])


def _coherence(anchors: Anchors, rate: float, bin_s: float) -> float:
    offsets = (anchors.copy_s - rate * anchors.annotation_s) / bin_s
    total = 0.0
    for shift in (0.0, 0.5):
        bins = np.floor(offsets + shift).astype(np.int64)
        counts = np.bincount(bins - bins.min(), weights=anchors.weight)
        total += float(np.square(counts).sum())
    return total


def within_limit(rate: float, largest_deviation: float) -> float:
    """Return the speed allowed that is nearest to an estimate: few anchors may lead it astray."""
    return min(1 + largest_deviation, max(1 - largest_deviation, rate))


def snapped_rate(
    rate: float, error: float, expected: Fraction | None, largest: float
) -> Fraction | None:
    """Return the standard speed that an estimate stands for, or None where it is none.

    Args:
        error: standard error of `rate`.
        expected: the speed that the frame rates of release and copy imply, preferred.
        largest: largest deviation from 1.
    """
    reach = max(4 * error, SAME_RATE)
    near = [r for r in standard_rates(largest) if abs(float(r) - rate) <= reach]
    for preferred in (expected, Fraction(1)):
        if preferred in near:
            return preferred
    return min(near, key=lambda r: abs(float(r) - rate)) if near else None
