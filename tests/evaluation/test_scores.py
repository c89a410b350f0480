"""Scores against golden vectors and scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn import metrics

from gazeline.evaluation.scores import (
    accuracy,
    average_precision,
    film_accuracies,
    heterogeneity,
    macro_f1,
    predicted,
    random_scores,
    run_scores,
    trapezoid_pr_auc,
)

BINARY = ("negative", "positive")
GOLDEN = [
    ([0.9, 0.8, 0.7, 0.6, 0.5], [1, 0, 1, 0, 0], 0.833333, 0.791667),
    ([0.9, 0.8, 0.7, 0.6, 0.5], [1, 1, 0, 0, 0], 1.0, 1.0),
    ([0.5, 0.4, 0.3, 0.2, 0.1], [0, 0, 0, 0, 1], 0.2, 0.1),
    ([0.9, 0.8, 0.7, 0.6, 0.5], [0, 1, 1, 0, 1], 0.588889, 0.461111),
    ([0.5, 0.5, 0.3, 0.2], [1, 0, 1, 0], 0.583333, 0.666667),
]


@pytest.mark.parametrize(("scores", "labels", "ap", "trapezoid"), GOLDEN)
def test_golden_vectors(scores, labels, ap, trapezoid):
    positive, values = np.array(labels) == 1, np.array(scores)
    assert average_precision(positive, values) == pytest.approx(ap, abs=1e-6)
    assert trapezoid_pr_auc(positive, values) == pytest.approx(trapezoid, abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_both_pr_aucs_agree_with_sklearn_also_on_ties(seed):
    rng = np.random.default_rng(seed)
    positive = rng.random(60) < 0.3
    positive[:2] = True, False
    scores = np.round(rng.random(60), 1 + seed % 3)
    precision, recall, _ = metrics.precision_recall_curve(positive, scores)
    assert average_precision(positive, scores) == pytest.approx(
        metrics.average_precision_score(positive, scores), abs=1e-12
    )
    assert trapezoid_pr_auc(positive, scores) == pytest.approx(
        metrics.auc(recall, precision), abs=1e-12
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_binary_run_agrees_with_sklearn(seed):
    rng = np.random.default_rng(seed)
    targets = np.append([0, 1], rng.integers(0, 2, 50))
    p = rng.random(52)
    found = run_scores(targets, p[:, None], BINARY)
    positive = metrics.average_precision_score(targets, p)
    negative = metrics.average_precision_score(1 - targets, 1 - p)
    assert found["ap_positive"] == pytest.approx(positive)
    assert found["ap_negative"] == pytest.approx(negative)
    assert found["ap_macro"] == pytest.approx((positive + negative) / 2)
    assert found["accuracy"] == metrics.accuracy_score(targets, p >= 0.5)
    assert found["f1_macro"] == pytest.approx(metrics.f1_score(targets, p >= 0.5, average="macro"))


def test_three_classes_agree_with_sklearn_one_against_the_rest():
    rng = np.random.default_rng(3)
    targets = np.append([0, 1, 2], rng.integers(0, 3, 60))
    scores = rng.dirichlet([1, 1, 1], 63)
    found = run_scores(targets, scores, ("EN", "HN", "S"))
    one_hot = np.eye(3)[targets]
    expected = metrics.average_precision_score(one_hot, scores, average=None)
    assert [found["ap_EN"], found["ap_HN"], found["ap_S"]] == pytest.approx(expected.tolist())
    assert found["ap_macro"] == pytest.approx(expected.mean())
    assert found["accuracy"] == metrics.accuracy_score(targets, scores.argmax(axis=1))
    assert found["f1_macro"] == pytest.approx(
        metrics.f1_score(targets, scores.argmax(axis=1), average="macro")
    )


def test_half_is_positive():
    assert predicted(np.array([[0.5], [0.4999]])).tolist() == [1, 0]


def test_macro_f1_leaves_out_a_class_neither_there_nor_predicted_as_sklearn_does():
    targets, scores = np.array([0, 0, 1]), np.array([[0.8, 0.1, 0.1]] * 3)
    expected = metrics.f1_score(targets, [0, 0, 0], average="macro")
    assert macro_f1(targets, scores) == pytest.approx(expected)


@pytest.mark.parametrize("target", [0, 1])
def test_one_class_alone_has_no_pr_auc_but_an_accuracy(target):
    targets, scores = np.full(4, target), np.array([[0.9], [0.8], [0.2], [0.7]])
    found = run_scores(targets, scores, BINARY)
    for name in ("ap_positive", "ap_negative", "ap_macro", "trapezoid_macro"):
        assert math.isnan(found[name])
    assert found["accuracy"] == pytest.approx(0.75 if target else 0.25)


def test_the_random_baseline_is_the_prevalence_and_its_complement():
    found = random_scores(np.array([1, 0, 0, 0]), BINARY)
    assert found == {
        "ap_negative": 0.75,
        "ap_positive": 0.25,
        "ap_macro": 0.5,
        "accuracy": 0.5,
    }


def test_random_scores_do_reach_the_random_baseline():
    rng = np.random.default_rng(0)
    targets = (rng.random(20_000) < 0.2).astype(np.int64)
    found = run_scores(targets, rng.random((20_000, 1)), BINARY)
    baseline = random_scores(targets, BINARY)
    for name in ("ap_positive", "ap_negative", "ap_macro", "accuracy"):
        assert found[name] == pytest.approx(baseline[name], abs=0.02)


def test_heterogeneity_is_the_deviation_of_accuracy_over_films():
    films = np.array(["a", "a", "b", "b"], dtype=object)
    scores = np.array([[0.9], [0.9], [0.9], [0.1]])
    accuracies = film_accuracies(films, np.array([1, 1, 1, 1]), scores)
    assert accuracies == {"a": 1.0, "b": 0.5}
    assert heterogeneity(accuracies) == 0.25
    assert math.isnan(heterogeneity({"a": 1.0}))
    assert accuracy(np.array([1, 1, 1, 1]), scores) == 0.75


def test_the_trapezoid_is_at_most_the_average_precision_where_no_scores_tie():
    rng = np.random.default_rng(0)
    for _ in range(50):
        positive = rng.random(40) < 0.4
        scores = rng.permutation(40) / 40
        assert trapezoid_pr_auc(positive, scores) <= average_precision(positive, scores) + 1e-12
    tied = np.array([True, False]), np.array([0.5, 0.5])
    assert trapezoid_pr_auc(*tied) > average_precision(*tied)
