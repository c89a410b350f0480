"""From numbers of cells to answers: smoothing, thresholds, intervals, linear models."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from gazeline.learning.training.cells.store import Cells
from gazeline.learning.training.cells.stretches import Stretches, cell_moments
from gazeline.learning.training.intervals import join_cells
from gazeline.learning.training.smoothing import smooth
from gazeline.learning.training.thresholds import best_threshold
from gazeline.learning.training.timed.linear import fit_linear, scaled_parts
from gazeline.learning.training.timed.objectives import stretch_correlations
from gazeline.params.temporal import RidgeParams


def test_a_moving_mean_takes_what_there_is_at_the_ends():
    found = smooth(np.array([[0.0], [3.0], [6.0], [0.0]], np.float32), 1.0, "mean", 3.0)
    np.testing.assert_allclose(found[:, 0], [1.5, 3.0, 3.0, 3.0])


@pytest.mark.parametrize("how", ["mean", "butterworth"])
def test_smoothing_keeps_a_slow_wave_and_takes_a_fast_one(how):
    seconds = np.arange(200)
    slow = np.sin(2 * np.pi * seconds / 100)[:, None].astype(np.float32)
    fast = np.sin(np.pi * seconds * 0.97)[:, None].astype(np.float32)
    assert np.abs(smooth(slow, 1.0, how, 5.0) - slow).max() < 0.07
    assert np.abs(smooth(fast, 1.0, how, 5.0)[10:-10]).mean() < 0.25 * np.abs(fast).mean()


@pytest.mark.parametrize("how", ["mean", "butterworth"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_stretch_of_few_cells_and_no_span_are_smoothed_without_ado(how, n):
    values = np.arange(n, dtype=np.float32)[:, None]
    assert np.isfinite(smooth(values, 1.0, how, 60.0)).all()
    assert smooth(values, 1.0, how, 0.0) is values


def test_the_threshold_is_the_best_of_all_there_are():
    rng = np.random.default_rng(3)
    for _ in range(30):
        scores = rng.integers(0, 8, 20) / 8
        truth = (rng.random(20) < 0.4).astype(np.float64)
        truth[0] = 1
        iou = [
            (truth * (scores >= t)).sum() / np.maximum(truth, scores >= t).sum()
            for t in np.unique(scores)
        ]
        decided = scores >= best_threshold(scores, truth)
        found = (truth * decided).sum() / np.maximum(truth, decided).sum()
        assert found == pytest.approx(max(iou))


def test_without_a_true_cell_nothing_is_decided_and_with_all_true_everything():
    scores = np.array([0.2, 1.0, 0.7])
    assert not (scores >= best_threshold(scores, np.zeros(3))).any()
    assert (scores >= best_threshold(scores, np.ones(3))).all()


def joined(probabilities, threshold=0.5):
    values = np.array(probabilities, np.float32)[:, None]
    return join_cells(values, 10 + 2 * np.arange(len(values) + 1.0), 4, [threshold])


def test_neighbouring_cells_from_the_threshold_on_are_one_interval():
    found = joined([0.1, 0.9, 0.8, 0.1, 0.6, 0.0])
    decided = found.bounds_s[found.decided]
    assert decided.tolist() == [[12.0, 16.0], [18.0, 20.0]]
    assert set(found.samples.tolist()) == {4}
    assert ((found.scores >= 0) & (found.scores <= 1)).all()


def test_an_interval_ranks_above_its_middle_and_above_what_surrounds_it():
    found = joined([0.0, 0.0, 0.8, 0.9, 0.8, 0.8, 0.0, 0.0, 0.2, 0.0])
    assert found.bounds_s[np.argmax(found.scores)].tolist() == [14.0, 22.0]


@pytest.mark.parametrize(("level", "n"), [(0.0, 0), (1.0, 1)])
def test_cells_that_are_all_alike_are_one_interval_or_none(level, n):
    found = joined([level] * 5)
    assert found.decided.sum() == n
    assert len(found.scores) == n


def stretches(truth, splits, n=40, seed=0):
    """Return stretches of ten cells, of which a fifth lacks the second modality."""
    rng = np.random.default_rng(seed)
    values = rng.normal(2, 3, size=(n, 5)).astype(np.float32)
    present = np.ones((n, 2), dtype=bool)
    present[::5, 1] = False
    values[::5, 3:] = 0
    starts = np.arange(0, n, 10)
    cells = Cells(values, present, {"audio": slice(0, 3), "video": slice(3, 5)}, starts,
                  np.full(len(starts), 10))  # fmt: skip
    return Stretches(cells, truth, [], starts * 1.0, starts + 10.0, 1.0, starts // 10, splits,
                     tuple(f"c{i}" for i in range(truth.shape[1])))  # fmt: skip


SPLITS = {"train": np.array([0, 1]), "validation": np.array([2]), "test": np.array([3])}


def test_ridge_is_that_of_scikit_learn_on_the_cells_with_a_value():
    truth = np.random.default_rng(1).normal(size=(40, 2)).astype(np.float32)
    truth[3, 0] = truth[25, 1] = np.nan
    of = stretches(truth, SPLITS)
    moments = cell_moments(of, SPLITS["train"])
    found = fit_linear(of, moments, RidgeParams(penalties=(7.0,)), marks=False)
    features = np.concatenate(list(scaled_parts(of, SPLITS["train"], moments)))
    for output in range(2):
        known = np.isfinite(truth[:20, output])
        expected = Ridge(alpha=7.0).fit(features[known], truth[:20, output][known])
        np.testing.assert_allclose(found.weights[output], expected.coef_, atol=1e-8)
        assert found.intercepts[output] == pytest.approx(expected.intercept_)


def test_moments_are_those_of_the_training_cells_that_the_copy_has():
    of = stretches(np.zeros((40, 1), np.float32), SPLITS)
    moments = cell_moments(of, SPLITS["train"])
    there = of.cells.values[:20][of.cells.present[:20, 1], 3:]
    np.testing.assert_allclose(moments["video"].mean.numpy(), there.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(moments["video"].deviation.numpy(), there.std(axis=0), rtol=1e-5)


def test_the_penalty_is_the_one_that_serves_the_validation_cells_best():
    rng = np.random.default_rng(2)
    truth = rng.normal(size=(40, 1)).astype(np.float32)
    of = stretches(truth, SPLITS)
    moments = cell_moments(of, SPLITS["train"])
    alone = {
        p: fit_linear(of, moments, RidgeParams(penalties=(p,)), marks=False).validation_loss
        for p in (0.1, 10.0, 1e4)
    }
    chosen = fit_linear(of, moments, RidgeParams(penalties=tuple(alone)), marks=False)
    assert chosen.penalty == min(alone, key=alone.__getitem__)
    assert chosen.validation_loss == min(alone.values())


def test_a_class_that_fills_every_training_cell_is_always_answered():
    of = stretches(np.ones((40, 1), np.float32), SPLITS)
    moments = cell_moments(of, SPLITS["train"])
    found = fit_linear(of, moments, RidgeParams(), marks=True)
    assert (found.answer(of, SPLITS["test"]) > 5).all()


def test_correlations_are_those_of_numpy_where_the_truth_varies():
    rng = np.random.default_rng(5)
    answered, truth = rng.normal(size=(2, 3, 12, 2)).astype(np.float32)
    truth[1] = 0.25
    known = rng.random((3, 12, 2)) < 0.8
    found = stretch_correlations(*(torch.from_numpy(of) for of in (answered, truth, known)))
    expected = [
        np.corrcoef(answered[i, known[i, :, m], m], truth[i, known[i, :, m], m])[0, 1]
        for i in (0, 2)
        for m in (0, 1)
    ]
    np.testing.assert_allclose(found, expected, atol=1e-4)
