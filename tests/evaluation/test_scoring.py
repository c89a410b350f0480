"""Scores of the MediaEval tasks against known answers, scipy and scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.metrics import average_precision_score, det_curve, mean_squared_error

from gazeline.evaluation.scoring import affect, spans, violence
from gazeline.scoring import events


def units(violent, decided=None, scores=None, weights=None):
    n = len(violent)
    return violence.Units(
        np.array(violent, dtype=bool),
        np.array(decided if decided is not None else [False] * n, dtype=bool),
        np.array(scores if scores is not None else [-math.inf] * n, dtype=float),
        np.array(weights if weights is not None else [1.0] * n),
    )


def test_calling_everything_violent_costs_one_and_nothing_ten():
    truth = [True, False, False, True]
    assert violence.decision_scores(units(truth, [True] * 4))["cost"] == 1.0
    assert violence.decision_scores(units(truth, [False] * 4))["cost"] == 10.0


def test_the_cost_that_the_official_tool_printed():
    """NBFA 5855 of NBNREF 5855, NBMISSED 1 of NREF 715."""
    truth = [True] * 715 + [False] * 5855
    decided = [False] + [True] * 714 + [True] * 5855
    assert round(violence.decision_scores(units(truth, decided))["cost"], 6) == 1.013986


def test_time_weighs_by_seconds():
    scores = violence.decision_scores(
        units([True, True, False], [True, False, True], weights=[6.0, 2.0, 4.0])
    )
    assert scores["p_miss"] == 0.25
    assert scores["precision"] == 0.6
    assert scores["recall"] == 0.75
    assert scores["f"] == pytest.approx(2 * 0.6 * 0.75 / 1.35)


@pytest.mark.parametrize("truth", [[True, True], [False, False]])
def test_a_rate_that_nothing_can_raise_is_undefined(truth):
    scores = violence.decision_scores(units(truth, [True, False], [0.9, 0.1]))
    assert math.isnan(scores["cost"])
    assert violence.det(units(truth, [True, False], [0.9, 0.1])) is None


def test_det_points_are_those_of_scikit_learn():
    rng = np.random.default_rng(3)
    truth, scores = rng.random(200) < 0.3, rng.integers(0, 40, 200) / 40
    ours = violence.det(units(truth, scores=scores))
    p_fa, p_miss, thresholds = det_curve(truth, scores)
    found = dict(zip(ours.thresholds, zip(ours.p_fa, ours.p_miss, strict=True), strict=True))
    for alarm, miss, threshold in zip(p_fa, p_miss, thresholds, strict=True):
        assert found[threshold] == pytest.approx((alarm, miss))


def test_what_a_run_leaves_out_stays_peaceful_at_every_threshold():
    curve = violence.det(units([True, True, False], scores=[0.8, -math.inf, 0.4]))
    assert curve.p_miss.tolist() == [1.0, 0.5, 0.5]
    assert curve.p_fa.tolist() == [0.0, 0.0, 1.0]
    assert curve.least_cost() == (5.0, 0.8)


def test_least_cost_may_be_to_call_nothing():
    truth = [True] + [False] * 9
    assert violence.det(units(truth, scores=[-math.inf] + [0.5] * 9)).least_cost() == (
        10.0,
        math.inf,
    )


@pytest.mark.parametrize("seed", range(5))
def test_average_precision_of_a_film_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    truth, scores = rng.random(60) < 0.2, rng.permutation(60) / 60
    truth[0] = True
    ours = violence.precision_at_ranks(truth, scores)
    assert ours == pytest.approx(average_precision_score(truth, scores))


def test_average_precision_at_a_rank_by_hand():
    truth = np.array([False, True, True, False, True])
    scores = np.array([0.9, 0.8, 0.1, 0.7, 0.6])
    # Ranked: no, yes, no, yes | yes. Of the first four: 1/2 and 2/4, of 3 violent.
    assert violence.precision_at_ranks(truth, scores, 4) == pytest.approx((0.5 + 0.5) / 3)
    assert math.isnan(violence.precision_at_ranks(np.zeros(3, dtype=bool), scores[:3], 2))


def test_events_meet_by_their_centres():
    true, found = [(0.0, 10.0), (20.0, 22.0)], [(4.0, 8.0), (9.0, 30.0), (40.0, 50.0)]
    counts = events.event_counts(true, found)
    assert counts == {"n_right": 2, "n_called": 3, "n_found": 2, "n_true": 2}
    scores = events.event_scores(true, found)
    assert scores["event_f"] == pytest.approx(2 * (2 / 3) * 1 / (2 / 3 + 1))


def test_unions_and_what_they_share():
    first = spans.union([(5, 6), (0, 2), (1, 3), (3, 4), (7, 7)])
    assert first == ((0, 4), (5, 6))
    assert spans.common(first, ((3, 5.5),)) == ((3, 4), (5, 5.5))
    assert spans.intersection_over_union(first, ((3, 5.5),)) == pytest.approx(1.5 / 6)
    assert spans.intersection_over_union((), ()) == 1.0
    assert spans.intersection_over_union(((0, 1),), ()) == 0.0


@pytest.mark.parametrize("seed", range(20))
def test_shared_time_is_that_of_a_fine_grid(seed):
    rng = np.random.default_rng(seed)

    def draw():
        starts = rng.integers(0, 80, 6)
        return spans.union((int(s), int(s + rng.integers(0, 25))) for s in starts)

    first, second = draw(), draw()
    grid = [
        [any(a <= t + 0.5 < b for a, b in these) for t in range(120)] for these in (first, second)
    ]
    both, either = np.logical_and(*grid).sum(), np.logical_or(*grid).sum()
    assert spans.intersection_over_union(first, second) == pytest.approx(both / either)


def test_series_scores_are_those_of_scipy_and_scikit_learn():
    rng = np.random.default_rng(0)
    pairs = {}
    for film, n in (("a", 50), ("b", 200)):
        true = rng.normal(size=n)
        pairs[film] = affect.Pair(true, 0.3 * true + rng.normal(size=n))
    scores = affect.series_scores(pairs)
    assert scores["mse"] == pytest.approx(
        np.mean([mean_squared_error(p.true, p.answered) for p in pairs.values()])
    )
    assert scores["pearson"] == pytest.approx(
        np.mean([pearsonr(p.true, p.answered)[0] for p in pairs.values()])
    )
    every = [np.concatenate([getattr(p, n) for p in pairs.values()]) for n in ("true", "answered")]
    assert scores["pooled_pearson"] == pytest.approx(pearsonr(*every)[0])
    assert scores["pooled_mse"] == pytest.approx(mean_squared_error(*every))


def test_a_constant_answer_has_no_correlation():
    constant = affect.Pair(np.array([0.1, 0.2, 0.4]), np.full(3, 0.1 + 0.2))
    assert math.isnan(affect.pearson(constant))
    whole = affect.series_scores({"a": constant, "b": affect.Pair(np.arange(3.0), np.arange(3.0))})
    assert whole["pearson"] == 1.0
