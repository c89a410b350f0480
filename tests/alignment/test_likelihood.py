"""How edges are scored: by hand-computed values and by direct sums."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gazeline.alignment.activity import Edges, activity_of
from gazeline.alignment.likelihood import MODELS, Grid, chunk_scores, log_ratio


def edges(*times):
    return Edges(np.array(times), np.ones(len(times)))


def test_edge_far_from_every_other_counts_against_by_the_share_that_is_near():
    assert log_ratio(edges(100.0), np.array([150.0]), 0.6, 0.2) == pytest.approx(math.log(0.4))


def test_edge_on_a_lonely_one_counts_by_how_much_denser_it_is_there():
    # Normal density at its middle, 1 / (sigma sqrt(2 pi)), over that of the neighbourhood.
    near, around = 1 / (0.2 * math.sqrt(2 * math.pi)), 1 / (15 * math.sqrt(2 * math.pi))
    expected = math.log(1 + 0.6 * (near / around - 1))
    assert log_ratio(edges(100.0), np.array([100.0]), 0.6, 0.2) == pytest.approx(expected, abs=0.02)


def test_edges_at_random_places_count_against_on_the_whole():
    rng = np.random.default_rng(1)
    pattern = edges(*np.sort(rng.uniform(0, 3600, 900)))
    assert log_ratio(pattern, rng.uniform(0, 3600, 5000), 0.6, 0.24).mean() < -0.2


def test_chunk_is_worth_the_sum_over_the_edges_of_the_copy_in_it():
    rng = np.random.default_rng(2)
    starts = np.sort(rng.uniform(0, 95, 20))
    corpus = activity_of([(s, s + 1.0) for s in starts], "cues")
    copy = activity_of([(10.0, 12.0), (31.2, 33.6), (70.4, 71.2)], "cues")
    grid, model = Grid(0.4, 25), MODELS["cues"]
    scores = chunk_scores(corpus, copy, model, grid)
    sigma = math.hypot(model.sigma_s, 0.2)
    chunk, position = 3, 100
    start_s = grid.copy_time(position)
    expected = 0.0
    pairs = ((corpus.starts, copy.starts, 0.6), (corpus.ends, copy.ends, 0.5))
    for ours, theirs, share in pairs:
        inside = theirs.time_s[(theirs.time_s > start_s - 0.1) & (theirs.time_s < start_s + 9.9)]
        assert len(inside)
        expected += log_ratio(ours, inside - start_s + 30.0, share, sigma).sum()
    assert scores[chunk, position] == pytest.approx(expected, abs=0.05)


def test_edges_within_speech_count_for_less_than_those_at_pauses():
    activity = activity_of([(1.0, 2.0), (2.1, 3.0), (4.0, 5.0)], "speech")
    assert list(activity.starts.weight) == [1.0, 0.4, 1.0]
    assert list(activity.ends.weight) == [0.4, 1.0, 1.0]
    assert list(activity_of([(1.0, 2.0), (2.1, 3.0)], "cues").starts.weight) == [1.0, 1.0]
