"""Ridge regression of the values of single cells, the penalty chosen on the validation films."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from gazeline.errors import LearningError
from gazeline.learning.training.answers import Smoother
from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.cellwise.linear import Doubles, LinearMap, scaled_parts
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Epoch, Settings
from gazeline.learning.training.learnt import Learnt
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.objectives.regression import regression_loss, value_moments


def fit_ridge(
    stretches: Stretches, settings: Settings, seeds: Sequence[int], where: str
) -> list[Learnt[Floats]]:
    """Fit a ridge regression of each measure; chance plays no part, so seeds answer the same.

    Raises:
        LearningError: a loss is not finite.
    """
    params = settings.models.ridge
    found = _solutions(stretches, settings.moments, params.penalties)
    losses = {split: [_loss(m, stretches, settings, split) for m in found] for split in
              ("train", "validation")}  # fmt: skip
    best = int(np.argmin(losses["validation"]))
    epoch = Epoch(1, losses["train"][best], losses["validation"][best], 0.0)
    if not math.isfinite(epoch.train_loss + epoch.validation_loss):
        raise LearningError(f"A loss became {epoch.validation_loss}", where=where)
    chosen = found[best]

    def predict(indices: Ints) -> Floats:
        return chosen.answers(stretches, indices)

    answer = Smoother(stretches, predict, params.smoothing, params.smoothing_s)
    size = chosen.weight.size + chosen.bias.size
    said = {"penalty": chosen.penalty}
    return [Learnt(answer, chosen.state(), (epoch,), 1, size, said) for _ in seeds]


@dataclass(frozen=True)
class _Sums:
    """Sums over the training cells that have a value of one measure: all a ridge needs."""

    mean: Doubles
    mean_value: float
    products: Doubles
    with_value: Doubles


def _solutions(
    stretches: Stretches, moments: Mapping[str, Moments], penalties: Sequence[float]
) -> list[LinearMap]:
    """Return the regressions by penalty.

    From sums of products, so that the cells of many films are never in memory at once, and every
    penalty costs a multiplication: as sklearn's Ridge with an intercept.
    """
    n_measures = len(stretches.classes)
    solved = [_by_penalty(_sums(stretches, moments, m), penalties) for m in range(n_measures)]
    return [
        LinearMap(
            moments,
            np.stack([of[i][0] for of in solved]),
            np.array([of[i][1] for of in solved]),
            penalty,
        )
        for i, penalty in enumerate(penalties)
    ]


def _sums(stretches: Stretches, moments: Mapping[str, Moments], measure: int) -> _Sums:
    def parts() -> Iterator[tuple[Doubles, Doubles]]:
        return _with_value(stretches, moments, measure)

    n, total, total_value = 0, np.zeros(1), 0.0
    for features, values in parts():
        n, total = n + len(values), total + features.sum(axis=0)
        total_value += float(values.sum())
    mean, mean_value = total / n, total_value / n
    products, with_value = np.zeros((len(mean), len(mean))), np.zeros(len(mean))
    for features, values in parts():
        centred = features - mean
        products += centred.T @ centred
        with_value += centred.T @ (values - mean_value)
    return _Sums(mean, mean_value, products, with_value)


def _with_value(
    stretches: Stretches, moments: Mapping[str, Moments], measure: int
) -> Iterator[tuple[Doubles, Doubles]]:
    """Yield features and values of the training cells that have a value, part after part."""
    train = stretches.splits["train"]
    truth, start = stretches.truth_of(train)[:, measure].astype(np.float64), 0
    for features in scaled_parts(stretches, train, moments):
        values = truth[start : start + len(features)]
        start += len(features)
        there = np.isfinite(values)
        yield features[there], values[there]


def _by_penalty(sums: _Sums, penalties: Sequence[float]) -> list[tuple[Doubles, float]]:
    """Return weights and intercept for each penalty."""
    strengths, axes = np.linalg.eigh(sums.products)
    along = axes.T @ sums.with_value
    found = []
    for penalty in penalties:
        weights: Doubles = axes @ (along / (np.maximum(strengths, 0) + penalty))
        found.append((weights, float(sums.mean_value - weights @ sums.mean)))
    return found


def _loss(found: LinearMap, stretches: Stretches, settings: Settings, split: str) -> float:
    """Return the loss that the temporal Transformer is trained with, of unsmoothed answers."""
    indices, params = stretches.splits[split], settings.models.temporal
    answered = torch.from_numpy(found.answers(stretches, indices))
    truth = torch.from_numpy(stretches.truth_of(indices))
    deviation = value_moments(stretches).deviation
    return float(
        regression_loss(answered, truth, deviation, params.error_weight, params.correlation_weight)
    )
