"""Scores of the 2011 violent scenes task: cost, rates, DET points, average precision. Pure.

The official measure is C = 1 · P_fa + 10 · P_miss (task paper, equation 1), per shot or per unit of
time. It looks at the decisions alone; scores make the DET curve. Counts are weights here: 1 a shot,
or the seconds of a stretch. How films are pooled is not spelt out: all weights of all films are
added up, and each film is given too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

COST_FALSE_ALARM = 1.0
COST_MISS = 10.0


@dataclass(frozen=True)
class Units:
    """What is judged: `violent` bool [n], `decided` bool [n], `weights` [n] and `scores` [n].

    `scores` is -inf where a run says nothing: not violent at any threshold.
    """

    violent: Bools
    decided: Bools
    scores: Floats
    weights: Floats


def rates(violent: Bools, decided: Bools, weights: Floats) -> tuple[float, float]:
    """Return the rates of false alarm and of miss; NaN where nothing could be one."""
    peaceful, total = weights[~violent].sum(), weights[violent].sum()
    false_alarms = weights[~violent & decided].sum()
    missed = weights[violent & ~decided].sum()
    return (
        float(false_alarms / peaceful) if peaceful else math.nan,
        float(missed / total) if total else math.nan,
    )


def cost(p_fa: float, p_miss: float) -> float:
    """Return C; NaN where a rate is not defined.

    >>> round(cost(5855 / 5855, 1 / 715), 6)
    1.013986
    """
    return COST_FALSE_ALARM * p_fa + COST_MISS * p_miss


def decision_scores(units: Units) -> dict[str, float]:
    """Return cost, rates, precision, recall and F of the decisions; NaN where undefined."""
    p_fa, p_miss = rates(units.violent, units.decided, units.weights)
    hits = units.weights[units.violent & units.decided].sum()
    called, total = units.weights[units.decided].sum(), units.weights[units.violent].sum()
    precision = float(hits / called) if called else math.nan
    recall = float(hits / total) if total else math.nan
    # 2·P·R / (P + R), which is 0 where everything violent is missed, whatever is called.
    f = float(2 * hits / (called + total)) if total else math.nan
    return {
        "cost": cost(p_fa, p_miss),
        "p_fa": p_fa,
        "p_miss": p_miss,
        "precision": precision,
        "recall": recall,
        "f": f,
    }


@dataclass(frozen=True)
class Det:
    """Rates at every threshold, from calling nothing violent to everything that has a score."""

    thresholds: Floats
    p_fa: Floats
    p_miss: Floats

    def least_cost(self) -> tuple[float, float]:
        """Return the least cost over the thresholds, and the threshold (inf: call nothing)."""
        costs = COST_FALSE_ALARM * self.p_fa + COST_MISS * self.p_miss
        best = int(np.argmin(costs))
        return float(costs[best]), float(self.thresholds[best])


def det(units: Units) -> Det | None:
    """Return the DET points, tied scores together; None where a rate is not defined."""
    peaceful, total = units.weights[~units.violent].sum(), units.weights[units.violent].sum()
    if not peaceful or not total:
        return None
    scored = np.flatnonzero(np.isfinite(units.scores))
    order = scored[np.argsort(-units.scores[scored], kind="stable")]
    ranked = units.scores[order]
    ends = np.flatnonzero(np.append(np.diff(ranked) != 0, np.ones(min(1, len(ranked)), dtype=bool)))
    alarms = np.cumsum(units.weights[order] * ~units.violent[order])[ends] / peaceful
    hits = np.cumsum(units.weights[order] * units.violent[order])[ends] / total
    return Det(
        np.concatenate([[math.inf], ranked[ends]]),
        np.concatenate([[0.0], alarms]),
        np.clip(1 - np.concatenate([[0.0], hits]), 0, 1),
    )


def precision_at_ranks(violent: Bools, scores: Floats, n: int | None = None) -> float:
    """Return the average precision of a film's ranked units, of the first `n` where given.

    Mean of the precision at the ranks of violent units; units without a score are not ranked.
    Divided by the violent units, or by `n` where there are more: a perfect list scores 1. Ties keep
    the order of time. NaN where the film has no violent unit.
    """
    total = int(violent.sum()) if n is None else min(int(violent.sum()), n)
    if not total:
        return math.nan
    scored = np.flatnonzero(np.isfinite(scores))
    order = scored[np.argsort(-scores[scored], kind="stable")][:n]
    hits = violent[order]
    precision = np.cumsum(hits) / np.arange(1, len(order) + 1)
    return float(precision[hits].sum() / total)
