"""The visual concept score: each step by hand, then from shards on a copy's clock."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.statistics.consistency.placement import frames_in, half_a_frame_s, windows_in
from gazeline.statistics.consistency.visual import (
    PromptVectors,
    centre_prompts,
    centre_windows,
    centred,
    film_scores,
    peak_similarity,
    similarities,
    unit,
)
from gazeline.timeline.maps import Piece, TimeMap


def test_rows_are_scaled_to_length_one_and_zeros_stay():
    np.testing.assert_allclose(unit(np.array([[3.0, 4.0], [0.0, 0.0]])), [[0.6, 0.8], [0, 0]])


def test_centring_subtracts_and_scales_again():
    found = centred(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.5, 0.5]))
    half = np.sqrt(0.5)
    np.testing.assert_allclose(found, [[half, -half], [-half, half]])


def test_prompts_are_centred_by_the_mean_of_all_negatives_included():
    found = centre_prompts(
        {"Body": np.array([[2.0, 0.0]]), "Look": np.array([[0.0, 5.0]])},
        np.array([[-3.0, 0.0], [0.0, 1.0]]),
    )
    background = np.array([0.0, 0.5])  # mean of (1, 0), (0, 1), (-1, 0), (0, 1)
    expected = np.array([1.0, 0.0]) - background
    np.testing.assert_allclose(found.concepts["Body"], [expected / np.linalg.norm(expected)])
    np.testing.assert_allclose(found.concepts["Look"], [[0.0, 1.0]])
    assert found.negatives.shape == (2, 2)


def test_windows_are_centred_by_their_own_film():
    windows = np.array([[2.0, 0.0], [0.0, 1.0]])
    half = np.sqrt(0.5)
    np.testing.assert_allclose(centre_windows(windows), [[half, -half], [-half, half]])
    assert centre_windows(np.zeros((0, 3))).shape == (0, 3)


def test_the_quantile_is_taken_over_windows_then_the_largest_over_prompts():
    cosines = np.array([[0.0, 0.5], [0.2, 0.5], [1.0, 0.4]])
    assert peak_similarity(cosines, 0.5) == 0.5
    assert peak_similarity(cosines, 1.0) == 1.0
    assert peak_similarity(cosines, 0.9) == pytest.approx(0.2 + 0.8 * 0.8)


def test_a_film_is_scored_as_by_hand():
    windows = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    prompts = PromptVectors({"Body": np.array([[1.0, 0.0]])}, np.array([[0.0, 1.0]]))
    segments = [np.array([0]), np.array([0, 1]), np.array([], dtype=np.int64)]
    found = film_scores(windows, segments, prompts, 1.0)
    # The windows' mean is zero, so the cosines are the coordinates: 1 - 0, then 1 - 1.
    np.testing.assert_allclose(found, [[1.0], [0.0], [np.nan]])


def test_scores_equal_a_direct_computation():
    rng = np.random.default_rng(2)
    windows, raw = rng.normal(size=(12, 5)), rng.normal(size=(7, 5))
    prompts = centre_prompts({"A": raw[:3], "B": raw[3:5]}, raw[5:])
    found = film_scores(windows, [np.arange(4, 9)], prompts, 0.9)

    def normalised(rows):
        return np.array([row / np.sqrt((row**2).sum()) for row in rows])

    p = normalised(normalised(raw) - normalised(raw).mean(axis=0))
    w = normalised(normalised(windows) - normalised(windows).mean(axis=0))[4:9]
    best = [
        max(np.quantile([w_i @ p_k for w_i in w], 0.9) for p_k in group)
        for group in (p[:3], p[3:5], p[5:])
    ]
    np.testing.assert_allclose(found, [[best[0] - best[2], best[1] - best[2]]])


def test_similarity_is_a_matrix_of_windows_and_prompts():
    assert similarities(np.eye(3), np.eye(3)[:2]).shape == (3, 2)


def test_a_segment_over_an_inserted_scene_touches_windows_on_both_sides():
    time_map = TimeMap((Piece(0, 10, 1.0, 0.0), Piece(10, 20, 1.0, 5.0)))
    starts = np.arange(26, dtype=float)
    touched = windows_in(time_map.intervals_to_copy(8, 12), starts, starts + 1, 0.02)
    assert list(touched) == [8, 9, 15, 16]
    assert list(windows_in([], starts, starts + 1, 0.02)) == []


def test_analysis_frames_belong_where_their_centre_lies():
    times = np.array([0.0, 0.5, 1.0, 1.5])
    assert list(frames_in([(0.5, 1.5)], times)) == [1, 2]
    assert list(frames_in([], times)) == []


def test_half_a_frame_is_that_of_the_copy():
    assert half_a_frame_s("25") == 0.02
    assert half_a_frame_s("24000/1001") == pytest.approx(0.0208541667)
    assert half_a_frame_s(None) == 1 / 48
