"""Scores of values per second: mean squared error and Pearson's correlation. Pure.

Per film and then their mean over films without weights, as the only scorer found does (of 2017),
and pooled over all seconds; the two are never mixed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
# A spread this small beside the size of the values is rounding of a constant.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Pair:
    """What is true of the seconds of a film and what a run answers, both [seconds]."""

    true: Floats
    answered: Floats


def mean_squared_error(pair: Pair) -> float:
    """Return the mean squared error; NaN without a second."""
    return float(np.mean((pair.true - pair.answered) ** 2)) if len(pair.true) else math.nan


def pearson(pair: Pair) -> float:
    """Return Pearson's correlation; NaN where either is constant or has fewer than two seconds."""
    if len(pair.true) < 2 or _constant(pair.true) or _constant(pair.answered):
        return math.nan
    return float(np.clip(np.corrcoef(pair.true, pair.answered)[0, 1], -1, 1))


def _constant(values: Floats) -> bool:
    return bool(np.ptp(values) <= ROUNDING * max(1.0, float(np.abs(values).max())))


def film_scores(pairs: Mapping[str, Pair]) -> dict[str, dict[str, float]]:
    """Return error, correlation and n of each film."""
    return {
        film: {
            "mse": mean_squared_error(pair),
            "pearson": pearson(pair),
            "seconds": float(len(pair.true)),
        }
        for film, pair in pairs.items()
    }


def series_scores(pairs: Mapping[str, Pair]) -> dict[str, float]:
    """Return `mse` and `pearson`, means over films, and `pooled_…` over all seconds together.

    Films without a correlation are left out of its mean.
    """
    of_films = film_scores(pairs)
    pooled = Pair(
        *(
            np.concatenate([np.empty(0), *(getattr(pair, name) for pair in pairs.values())])
            for name in ("true", "answered")
        )
    )
    return {
        "mse": _mean([scores["mse"] for scores in of_films.values()]),
        "pearson": _mean([scores["pearson"] for scores in of_films.values()]),
        "pooled_mse": mean_squared_error(pooled),
        "pooled_pearson": pearson(pooled),
    }


def _mean(values: Sequence[float]) -> float:
    finite = [value for value in values if math.isfinite(value)]
    return float(np.mean(finite)) if finite else math.nan
