"""Pairs of overlapping intervals are those a direct comparison finds, whatever their order."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.timeline.overlaps import overlapping_pairs


def compared_directly(starts, ends, other_starts, other_ends):
    return [
        (i, j)
        for i in range(len(starts))
        for j in range(len(other_starts))
        if (other_starts[j] < ends[i] and other_ends[j] > starts[i])
        or (other_starts[j] == other_ends[j] and starts[i] <= other_starts[j] < ends[i])
    ]


@pytest.mark.parametrize("seed", range(20))
def test_any_intervals_give_the_pairs_of_a_direct_comparison(seed):
    rng = np.random.default_rng(seed)
    starts = rng.integers(0, 60, 25)
    other_starts = rng.integers(0, 60, 40)
    ends = starts + rng.integers(1, 20, 25)
    other_ends = other_starts + rng.integers(0, 15, 40)
    left, right = overlapping_pairs(starts, ends, other_starts, other_ends)
    found = list(zip(left.tolist(), right.tolist(), strict=True))
    assert found == compared_directly(starts, ends, other_starts, other_ends)


def test_intervals_that_only_touch_do_not_overlap():
    left, _ = overlapping_pairs(
        np.array([0.0, 2.0]), np.array([1.0, 3.0]), np.array([1.0]), np.array([2.0])
    )
    assert left.size == 0


def test_no_intervals_give_no_pairs():
    none, some = np.empty(0), np.array([1.0])
    for pairs in (
        overlapping_pairs(none, none, some, some),
        overlapping_pairs(some, some + 1, none, none),
    ):
        assert [side.size for side in pairs] == [0, 0]
