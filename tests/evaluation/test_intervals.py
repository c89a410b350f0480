"""Student intervals against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from gazeline.evaluation.intervals import student_interval


@pytest.mark.parametrize("n", [2, 3, 25])
def test_interval_agrees_with_scipy(n):
    values = np.random.default_rng(n).normal(0.7, 0.05, n).tolist()
    low, high = stats.t.interval(0.95, n - 1, loc=np.mean(values), scale=stats.sem(values))
    found = student_interval(values)
    assert (found.mean, found.low, found.high) == pytest.approx((np.mean(values), low, high))


def test_one_value_has_a_mean_and_no_interval():
    assert student_interval([0.5]).to_json() == {"mean": 0.5}


def test_undefined_values_are_left_out_and_counted():
    found = student_interval([0.4, math.nan, 0.6])
    assert (found.mean, found.n, found.undefined) == (0.5, 2, 1)
    assert student_interval([math.nan]).to_json() == {}
