"""Mean average precision and recall of intervals: hand-computed cases and a brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gazeline.evaluation.detection import (
    Spans,
    average_precision,
    detection_scores,
    overlap_share,
    recall,
)


def spans(rows):
    """Return intervals from (video, start, end, score)."""
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return Spans(table[:, 0].astype(np.int64), table[:, 1:3], table[:, 3])


def test_overlap_of_intervals_by_hand():
    shares = overlap_share(
        np.array([[0.0, 10.0], [5.0, 5.0]]), np.array([[5.0, 15.0], [0.0, 10.0]])
    )
    assert shares == pytest.approx(np.array([[5 / 15, 1.0], [0.0, 0.0]]))


def test_a_true_interval_is_found_once():
    """Two detections of one interval: the better scored is right, the other is not."""
    true = spans([(0, 0, 10, 1), (0, 20, 30, 1)])
    found = spans([(0, 0, 10, 0.9), (0, 1, 10, 0.8), (0, 20, 30, 0.7)])
    # precision 1, 1/2, 2/3 with recall 1/2, 1/2, 1: area 1/2 · 1 + 1/2 · 2/3.
    assert average_precision(true, found, 0.5) == pytest.approx(0.5 + 1 / 3)


def test_the_largest_overlap_is_taken_first_and_another_one_if_it_is_taken():
    true = spans([(0, 0, 10, 1), (0, 2, 12, 1)])
    found = spans([(0, 2, 12, 0.9), (0, 2, 12, 0.8)])
    assert average_precision(true, found, 0.6) == 1.0
    assert average_precision(true, found, 0.7) == 0.5


def test_detections_of_another_video_are_wrong():
    true, found = spans([(0, 0, 10, 1)]), spans([(1, 0, 10, 0.9), (0, 0, 10, 0.5)])
    assert average_precision(true, found, 0.5) == 0.5


@pytest.mark.parametrize(("k", "value"), [(1, 0.5), (2, 1.0)])
def test_recall_looks_at_as_many_detections_as_there_are_true_intervals(k, value):
    """Two true intervals: the best two find one; of the best four, the fourth finds the other."""
    true = spans([(0, 0, 10, 1), (0, 20, 30, 1)])
    found = spans([(0, 0, 10, 0.9), (0, 50, 60, 0.8), (0, 70, 80, 0.7), (0, 20, 30, 0.6)])
    assert recall(true, found, 0.5, k) == value


def test_classes_without_a_true_interval_are_left_out_and_no_detection_scores_nothing():
    none = spans([])
    true = [spans([(0, 0, 10, 1)]), none]
    scores = detection_scores(true, [none, spans([(0, 0, 1, 1)])], ("a", "b"), (0.5,))
    assert (scores["map"], scores["recall_1"], scores["map_of_a"]) == (0.0, 0.0, 0.0)
    assert math.isnan(scores["map_of_b"])
    assert math.isnan(detection_scores([none], [none], ("a",), (0.5,))["map"])


def brute_average_precision(true, found, tiou):
    """Match with plain loops over tuples; integrate the envelope recall step by recall step."""
    left = dict(enumerate(true))
    hits = []
    for video, start, end, _ in sorted(found, key=lambda row: -row[3]):
        best, best_share = None, tiou
        for i, (other, first, last, _) in left.items():
            both = max(0.0, min(end, last) - max(start, first))
            share = both / (end - start + last - first - both)
            if other == video and share >= best_share:
                best, best_share = i, share
        hits.append(best is not None)
        left.pop(best, None)
    area, n = 0.0, len(true)
    for step in range(1, sum(hits) + 1):
        later = [sum(hits[:at]) / at for at in range(1, len(hits) + 1) if sum(hits[:at]) >= step]
        area += max(later) / n
    return area


@pytest.mark.parametrize("seed", range(30))
def test_average_precision_is_that_of_a_brute_force(seed):
    rng = np.random.default_rng(seed)

    def draw(n):
        starts = rng.uniform(0, 40, n)
        lengths, scores = rng.uniform(1, 12, n), rng.permutation(n) / n
        return [
            (int(v), float(s), float(s + length), float(score))
            for v, s, length, score in zip(
                rng.integers(0, 3, n), starts, lengths, scores, strict=True
            )
        ]

    true, found = draw(int(rng.integers(1, 12))), draw(int(rng.integers(1, 40)))
    for tiou in (0.1, 0.3, 0.5):
        ours = average_precision(spans(true), spans(found), tiou)
        assert ours == pytest.approx(brute_average_precision(true, found, tiou))
