"""Scores of the violent scenes task for a run that classifies shots (task paper 2011). Pure."""

from __future__ import annotations

import math

import numpy as np

from gazeline.evaluation.runs import SeedScores
from gazeline.evaluation.scores import THRESHOLD
from gazeline.evaluation.scoring.violence import Units, decision_scores, det, precision_at_ranks

RANKS = (20, 100)


def shot_scores(run: SeedScores) -> dict[str, float]:
    """Return cost and rates at .5, the least cost over thresholds, MAP and MAP@20 and @100.

    Costs and rates pool the shots of all test films; MAP is the mean over films that have a
    positive shot. NaN is a score that is not defined.
    """
    positive, scores = run.targets == 1, run.scores[:, 0]
    units = Units(positive, scores >= THRESHOLD, scores, np.ones(len(scores)))
    decided = decision_scores(units)
    curve = det(units)
    return {
        "mediaeval_cost": decided["cost"],
        "mediaeval_least_cost": math.nan if curve is None else curve.least_cost()[0],
        "p_fa": decided["p_fa"],
        "p_miss": decided["p_miss"],
        "film_map": _film_map(run, None),
        **{f"film_map_at_{n}": _film_map(run, n) for n in RANKS},
    }


def _film_map(run: SeedScores, n: int | None) -> float:
    found = []
    for film in np.unique(run.film_ids):
        here = run.film_ids == film
        found.append(precision_at_ranks(run.targets[here] == 1, run.scores[here, 0], n))
    finite = [value for value in found if math.isfinite(value)]
    return float(np.mean(finite)) if finite else math.nan
