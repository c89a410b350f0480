"""Mean and Student interval of a score over folds and seeds (paper Sec. 4.2: a single model)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval, over `n` values; `undefined` others were left out.

    `low` and `high` are None for fewer than two values, `mean` for none.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    undefined: int

    def to_json(self) -> dict[str, float]:
        """Return the numbers there are; metrics files hold no null."""
        numbers = {"mean": self.mean, "low": self.low, "high": self.high}
        return {name: value for name, value in numbers.items() if value is not None}


def student_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """Return mean ± t * s / sqrt(n) of the finite values, s with n - 1 in the denominator."""
    finite = np.array([v for v in values if math.isfinite(v)])
    n, undefined = len(finite), len(values) - len(finite)
    if n == 0:
        return Estimate(None, None, None, 0, undefined)
    mean = float(finite.mean())
    if n == 1:
        return Estimate(mean, None, None, 1, undefined)
    quantile = float(stdtrit(n - 1, 0.5 + confidence / 2))
    half = quantile * float(finite.std(ddof=1)) / math.sqrt(n)
    return Estimate(mean, mean - half, mean + half, n, undefined)
