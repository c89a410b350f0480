"""Mann-Whitney, Benjamini-Hochberg and effect sizes, by hand and under the null."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, mannwhitneyu

from gazeline.statistics.consistency.acoustic import compare_curves
from gazeline.statistics.consistency.hypotheses import (
    adjusted,
    compare,
    effect_word,
    family_counts,
    family_metrics,
    family_words,
    n_significant,
)
from gazeline.statistics.consistency.testable import NotTestable


def test_a_comparison_equals_one_worked_by_hand():
    values = np.array([5.0, 4.0, 1.0, 3.0, 2.0])
    positive = np.array([True, True, False, False, True])
    found = compare(values, positive)
    # Of the 3 · 2 pairs of a positive with a negative the positive is higher in 5.
    assert found is not None
    assert found.effect == pytest.approx(2 * 5 / 6 - 1)
    assert found.difference == pytest.approx(11 / 3 - 2)
    assert (found.n_positive, found.n_negative) == (3, 2)
    assert found.p == mannwhitneyu([5, 4, 2], [1, 3]).pvalue


def test_a_side_without_segments_is_not_compared():
    none = compare(np.arange(3.0), np.zeros(3, dtype=bool), "Body", "words")
    every = compare(np.arange(3.0), np.ones(3, dtype=bool), "Body", "words")
    nothing = compare(np.zeros(0), np.zeros(0, dtype=bool), "Body", "words")
    reasons = [
        "no segment with Body among those with words",
        "no segment without Body among those with words",
        "no segment with words",
    ]
    assert [none, every, nothing] == [NotTestable(reason) for reason in reasons]
    assert family_metrics({"Body": none}) == {"Body": {"undefined": 1, "reason": reasons[0]}}


def test_only_tests_that_could_be_made_are_counted():
    family = {"love": {"q": 0.01}, "war": {"q": 0.9}, "money": {"undefined": 1, "reason": "r"}}
    assert family_counts(family, 0.05) == {
        "n_tested": 2,
        "n_not_testable": 1,
        "n_significant": 1,
        "reason": "r",
    }
    assert family_words(family, 0.05) == "1 of the 2 tested (1 not testable: r)"
    assert family_words({"money": family["money"]}, 0.05) == "not testable: r"


def test_equal_values_are_no_difference():
    found = compare(np.zeros(40), np.arange(40) < 10)
    assert found is not None
    assert (found.p, found.effect) == (1.0, 0.0)


def test_q_values_equal_those_worked_by_hand():
    # Sorted .01 .02 .04: times 3/1, 3/2, 3/3, then the minimum from the right.
    assert adjusted([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.03])
    assert adjusted([]) == []


def test_q_values_are_adjusted_over_the_defined_tests_only():
    values = np.arange(30.0)
    both = {
        "a": compare(values, values > 14),
        "b": NotTestable("r"),
        "c": compare(values, values % 2 > 0),
    }
    family = family_metrics(both)
    assert family["a"]["q"] == pytest.approx(2 * family["a"]["p"], rel=1e-5)
    assert family["a"]["effect_size"] == "large"
    assert n_significant(family, 0.05) == 1


@pytest.mark.parametrize(
    ("effect", "word"),
    [(0.099, "negligible"), (0.1, "small"), (-0.29, "small"), (0.3, "medium"), (-0.5, "large")],
)
def test_effects_are_named_as_in_the_paper(effect, word):
    assert effect_word(effect) == word


def test_published_effect_words_follow_from_the_published_effects():
    """Table 3, annotator 1."""
    table = {0.402: "medium", 0.201: "small", 0.015: "negligible", 0.293: "small"}
    assert {r: effect_word(r) for r in table} == table


def test_shuffled_labels_are_significant_at_the_nominal_rate_only():
    rng = np.random.default_rng(11)
    runs, tests, n = 300, 8, 120
    shared = rng.normal(size=(n, 1))
    scores = shared + rng.normal(size=(n, tests))
    labels = rng.random((n, tests)) < [0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 0.4]
    by_p, by_q = 0, 0
    for _ in range(runs):
        shuffled = rng.permutation(labels)
        family = family_metrics(
            {str(c): compare(scores[:, c], shuffled[:, c]) for c in range(tests)}
        )
        by_p += sum(entry["p"] < 0.05 for entry in family.values())
        by_q += n_significant(family, 0.05) > 0
    # Without any effect, q < .05 anywhere is an event of at most 5 %; 0.001 of slack.
    assert by_q <= binom.ppf(0.999, runs, 0.05)
    assert abs(by_p / (runs * tests) - 0.05) < 0.02


def test_shuffled_curves_are_shaded_at_the_nominal_rate_only():
    rng = np.random.default_rng(12)
    runs, n, bins = 150, 60, 30
    curves = np.cumsum(rng.normal(size=(n, bins)), axis=1)
    positive = np.arange(n) < 20
    shaded = 0
    for _ in range(runs):
        found = compare_curves(curves, rng.permutation(positive))
        assert found is not None
        shaded += bool((found.q < 0.05).any())
    assert shaded <= binom.ppf(0.999, runs, 0.05)
