"""Logistic regression of the classes of single cells, the penalty chosen on validation films."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch

from gazeline.errors import LearningError
from gazeline.learning.training.answers import Joiner, Smoother
from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.cellwise.linear import Doubles, LinearMap, scaled_parts
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Epoch, Settings
from gazeline.learning.training.intervals import Intervals
from gazeline.learning.training.learnt import Learnt
from gazeline.learning.training.objectives.detection import mark_weights, marked_loss

MOST_ITERATIONS = 2_000
# The logit of a class that fills every training cell, or none.
CERTAIN = 10.0


def fit_logistic(
    stretches: Stretches, settings: Settings, seeds: Sequence[int], where: str
) -> list[Learnt[Intervals]]:
    """Fit a logistic regression of each class; chance plays no part, so seeds answer the same.

    Raises:
        LearningError: a loss is not finite.
    """
    params = settings.models.ridge
    found = _solutions(stretches, settings, params.penalties)
    losses = {split: [_loss(m, stretches, settings, split) for m in found] for split in
              ("train", "validation")}  # fmt: skip
    best = int(np.argmin(losses["validation"]))
    epoch = Epoch(1, losses["train"][best], losses["validation"][best], 0.0)
    if not math.isfinite(epoch.train_loss + epoch.validation_loss):
        raise LearningError(f"A loss became {epoch.validation_loss}", where=where)
    chosen = found[best]

    def predict(indices: Ints) -> Floats:
        logits = torch.from_numpy(chosen.answers(stretches, indices))
        probabilities: Floats = torch.sigmoid(logits).numpy()
        return probabilities

    smoother = Smoother(stretches, predict, params.smoothing, params.smoothing_s)
    answer = Joiner.chosen(smoother)
    size = chosen.weight.size + chosen.bias.size
    said = {"penalty": chosen.penalty, **answer.said()}
    return [Learnt(answer, chosen.state(), (epoch,), 1, size, said) for _ in seeds]


def _solutions(
    stretches: Stretches, settings: Settings, penalties: Sequence[float]
) -> list[LinearMap]:
    """Return the regressions by penalty."""
    train = stretches.splits["train"]
    features = np.concatenate(list(scaled_parts(stretches, train, settings.moments)))
    marks = stretches.truth_of(train)
    even = settings.training.balance != "none"
    found = []
    for penalty in penalties:
        solved = [_solve(features, marks[:, c], penalty, even=even) for c in range(marks.shape[1])]
        weight, bias = np.stack([w for w, _ in solved]), np.array([b for _, b in solved])
        found.append(LinearMap(settings.moments, weight, bias, penalty))
    return found


def _solve(
    features: Doubles, marks: Floats, penalty: float, *, even: bool
) -> tuple[Doubles, float]:
    """Return weights and bias of one class; of one that is everywhere or nowhere, a sure bias."""
    from sklearn.linear_model import LogisticRegression

    if marks.min() == marks.max():
        return np.zeros(features.shape[1]), CERTAIN if marks[0] else -CERTAIN
    solved = LogisticRegression(
        C=1 / penalty, class_weight="balanced" if even else None, max_iter=MOST_ITERATIONS
    ).fit(features, marks)
    return solved.coef_[0], float(solved.intercept_[0])


def _loss(found: LinearMap, stretches: Stretches, settings: Settings, split: str) -> float:
    indices, even = stretches.splits[split], settings.training.balance != "none"
    marks = stretches.truth_of(indices)
    logits = torch.from_numpy(found.answers(stretches, indices))
    return float(marked_loss(logits, torch.from_numpy(marks), mark_weights(marks, even=even)))
