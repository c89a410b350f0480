"""Adjusted intervals, effects and tests against published, hand-worked and scipy's values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from gazeline.commands.comparison_rows import effect_word
from gazeline.evaluation.paired import adjusted_intervals, cohens_d, holm, paired_test

# Loftus and Masson (1994), their example: words recalled by ten people after 1, 2 and 5 seconds.
RECALLED = np.array(
    [
        [10, 13, 13],
        [6, 8, 8],
        [11, 14, 14],
        [22, 23, 25],
        [16, 18, 20],
        [15, 17, 17],
        [1, 1, 4],
        [12, 15, 17],
        [9, 12, 12],
        [8, 9, 12],
    ],
    dtype=float,
)


def test_the_example_of_loftus_and_masson():
    """They print means 11.0, 13.0, 14.2, MS .61 on 18 df and ± .52 (ours: divided by sqrt 2)."""
    table = adjusted_intervals(RECALLED)
    assert table.means == pytest.approx((11.0, 13.0, 14.2))
    assert (table.df_error, table.n) == (18, 10)
    assert round(table.ms_error, 2) == 0.61
    assert round(table.half_width * math.sqrt(2), 2) == 0.52


def test_a_table_worked_by_hand():
    """Two pairs, two models: errors 1, -1, -1, 1 halves, MS_error 1, df 1, t(.975, 1) 12.706."""
    table = adjusted_intervals(np.array([[1.0, 4.0], [3.0, 4.0]]))
    assert table.means == (2.0, 4.0)
    assert table.ms_error == pytest.approx(1.0)
    assert table.half_width == pytest.approx(12.7062 / 2, rel=1e-4)
    assert cohens_d(table, 1, 0) == pytest.approx(2.0)
    assert cohens_d(table, 0, 1) == pytest.approx(-2.0)


def test_with_two_models_the_interval_is_half_that_of_scipys_paired_t_test():
    values = np.random.default_rng(0).normal(0.7, 0.05, (25, 2))
    table = adjusted_intervals(values)
    interval = stats.ttest_rel(values[:, 0], values[:, 1]).confidence_interval(0.95)
    assert table.half_width == pytest.approx((interval.high - interval.low) / 4)
    deviation = (values[:, 0] - values[:, 1]).std(ddof=1) / math.sqrt(2)
    expected = (values[:, 0] - values[:, 1]).mean() / deviation
    assert cohens_d(table, 0, 1) == pytest.approx(expected)


def test_what_a_pair_adds_to_every_model_alike_changes_nothing():
    values = np.random.default_rng(1).normal(0.7, 0.05, (10, 4))
    shifted = values + np.random.default_rng(2).normal(0, 0.3, (10, 1))
    assert adjusted_intervals(shifted).half_width == pytest.approx(
        adjusted_intervals(values).half_width
    )


def test_one_model_or_one_pair_has_no_adjusted_interval():
    with pytest.raises(ValueError, match="10 pairs of 1 models"):
        adjusted_intervals(RECALLED[:, :1])
    with pytest.raises(ValueError, match="1 pairs of 3 models"):
        adjusted_intervals(RECALLED[:1])


def test_effects_without_any_error_are_undefined():
    table = adjusted_intervals(np.array([[0.5, 0.6], [0.7, 0.8], [0.1, 0.2]]))
    assert math.isnan(cohens_d(table, 0, 1))


def test_the_paired_test_is_scipys():
    first, second = np.random.default_rng(3).normal(0.7, 0.05, (2, 25))
    ours, theirs = paired_test(first, second), stats.ttest_rel(first, second)
    assert (ours.t, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.difference == pytest.approx((first - second).mean())
    assert ours.n == 25


@pytest.mark.parametrize("second", [[0.5, 0.6, 0.7], [0.4, 0.5, 0.6]])
def test_a_difference_that_does_not_vary_has_no_p(second):
    test = paired_test(np.array([0.5, 0.6, 0.7]), np.array(second))
    assert math.isnan(test.p)
    assert test.n == 3


def test_holm_by_hand():
    """0.01 * 3, then max(.03, .02 * 2), then max(.04, .03 * 1); nothing exceeds 1."""
    assert holm([0.02, 0.03, 0.01]) == pytest.approx([0.04, 0.04, 0.03])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
    corrected = holm([math.nan, 0.02])
    assert math.isnan(corrected[0])
    assert corrected[1] == 0.02


@pytest.mark.parametrize(
    ("d", "word"), [(0.0, "very small"), (-0.2, "small"), (0.8, "large"), (7.6, "huge")]
)
def test_effects_have_names(d, word):
    assert effect_word(d) == word
