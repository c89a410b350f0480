"""Scores of one run: average precision, trapezoid PR AUC, accuracy, macro F1. Pure.

Two classes are scored as two one-vs-rest problems, like three: the negative class by 1 - p.
A score that is not defined is NaN here; whoever reports it leaves it out and counts it.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

THRESHOLD = 0.5


def class_scores(scores: Floats) -> Floats:
    """Return a score per class, [n, classes], from [n, 1] (probability of class 1) or as given."""
    return np.hstack([1 - scores, scores]) if scores.shape[1] == 1 else scores


def predicted(scores: Floats) -> Ints:
    """Return the predicted class: class 1 from probability 0.5 on, or the likeliest of several."""
    if scores.shape[1] == 1:
        return (scores[:, 0] >= THRESHOLD).astype(np.int64)
    likeliest: Ints = scores.argmax(axis=1)
    return likeliest


def precision_recall(positive: Bools, scores: Floats) -> tuple[Floats, Floats]:
    """Return precision and recall at each distinct score, from the highest down.

    Tied scores are one step, as in scikit-learn's `precision_recall_curve` (there in the opposite
    order and with the point (recall 0, precision 1) added).
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    hits = np.cumsum(positive[order])
    last_of_tie = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    hits = hits[last_of_tie]
    return hits / (last_of_tie + 1), hits / hits[-1]


def average_precision(positive: Bools, scores: Floats) -> float:
    """Return the sum of precision times increase of recall; NaN without both classes."""
    if not _both(positive):
        return math.nan
    precision, recall = precision_recall(positive, scores)
    return float(np.sum(np.diff(recall, prepend=0.0) * precision))


def trapezoid_pr_auc(positive: Bools, scores: Floats) -> float:
    """Return the trapezoid area under the curve from (recall 0, precision 1); NaN as above.

    This is `auc(recall, precision)` of the earlier public code, which joins the points by straight
    lines. Where no scores tie, recall grows only at a hit, which raises precision: the area is then
    at most the average precision. Ties (also with the first point) can make it larger. The two are
    never mixed.
    """
    if not _both(positive):
        return math.nan
    precision, recall = precision_recall(positive, scores)
    return float(np.trapezoid(np.append(1.0, precision), np.append(0.0, recall)))


def accuracy(targets: Ints, scores: Floats) -> float:
    """Return the share of samples whose predicted class is the true one."""
    return float(np.mean(predicted(scores) == targets)) if len(targets) else math.nan


def class_f1(targets: Ints, guesses: Ints, c: int) -> float:
    """Return the F1 of one class; NaN where it is neither there nor predicted."""
    called = int(np.sum(targets == c) + np.sum(guesses == c))
    return float(2 * np.sum((targets == c) & (guesses == c)) / called) if called else math.nan


def macro_f1(targets: Ints, scores: Floats) -> float:
    """Return the mean F1 over the classes that are there or predicted, as scikit-learn does."""
    guesses = predicted(scores)
    values = [class_f1(targets, guesses, c) for c in np.union1d(targets, guesses)]
    return float(np.mean(values)) if values else math.nan


def recall(targets: Ints, guesses: Ints, c: int) -> float:
    """Return the accuracy on the samples of one class; NaN where there are none (paper Fig. 12)."""
    there = targets == c
    return float(np.mean(guesses[there] == c)) if there.any() else math.nan


def run_scores(targets: Ints, scores: Floats, classes: tuple[str, ...]) -> dict[str, float]:
    """Return the scores of one run, keyed as in `metrics/summary.json`.

    Args:
        targets: true classes, [n].
        scores: probabilities, [n, 1] for two classes, else [n, classes].
    """
    of_class, guesses = class_scores(scores), predicted(scores)
    found: dict[str, float] = {}
    for name, estimate in (("ap", average_precision), ("trapezoid", trapezoid_pr_auc)):
        values = [estimate(targets == c, of_class[:, c]) for c in range(len(classes))]
        found |= {f"{name}_{label}": v for label, v in zip(classes, values, strict=True)}
        found[f"{name}_macro"] = float(np.mean(values))
    for c, label in enumerate(classes):
        found[f"recall_{label}"] = recall(targets, guesses, c)
        found[f"f1_{label}"] = class_f1(targets, guesses, c)
        found[f"predicted_{label}"] = float(np.mean(guesses == c)) if len(guesses) else math.nan
    return found | {"accuracy": accuracy(targets, scores), "f1_macro": macro_f1(targets, scores)}


def random_scores(targets: Ints, classes: tuple[str, ...]) -> dict[str, float]:
    """Return what a score without information reaches: the share of each class, and their mean.

    The accuracy is that of a coin thrown between the classes (paper Sec. 4.2).
    """
    shares = [
        float(np.mean(targets == c)) if len(targets) else math.nan for c in range(len(classes))
    ]
    return {
        **{f"ap_{label}": share for label, share in zip(classes, shares, strict=True)},
        "ap_macro": float(np.mean(shares)),
        "accuracy": 1 / len(classes),
    }


def film_accuracies(
    film_ids: npt.NDArray[np.object_], targets: Ints, scores: Floats
) -> dict[str, float]:
    """Return the accuracy on each film, films in order."""
    right = predicted(scores) == targets
    return {str(film): float(np.mean(right[film_ids == film])) for film in np.unique(film_ids)}


def heterogeneity(accuracies: dict[str, float]) -> float:
    """Return the deviation (population) of accuracy over a run's test films; NaN for one film.

    The paper averages it over the folds (Table 11).
    """
    return float(np.std(list(accuracies.values()))) if len(accuracies) > 1 else math.nan


def _both(positive: Bools) -> bool:
    return bool(positive.any() and not positive.all())
