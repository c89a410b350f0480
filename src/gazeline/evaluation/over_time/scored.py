"""One seed of one fold, scored on its test films."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Scores = Mapping[str, float]


@dataclass(frozen=True)
class ScoredSeed:
    """Scores of a seed, of each film, and of baselines on the same films; `sizes` count the test.

    NaN is a score that is not defined.
    """

    fold: int
    seed: int
    scores: Scores
    films: Mapping[str, Scores]
    baselines: Mapping[str, Scores]
    sizes: Mapping[str, int]
