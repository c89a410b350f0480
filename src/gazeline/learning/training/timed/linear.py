"""Ridge and logistic regression of single cells, the penalty chosen by the validation films."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Ints
from gazeline.learning.training.models.inputs import MIN_DEVIATION, Moments
from gazeline.params.temporal import RidgeParams

Doubles = npt.NDArray[np.float64]

MAX_ITERATIONS = 2000
ROWS_AT_ONCE = 8_192
# The logit of a class that fills every training cell.
CERTAIN = 10.0


@dataclass(frozen=True)
class Linear:
    """A weight per feature and output; answers are values, or logits of marks.

    Features are the columns of a cell, scaled by the moments of the training cells and zero where
    the copy has nothing, and whether each modality is there. `penalty` was the best of those
    tried; the losses are those of validation and training.
    """

    moments: Mapping[str, Moments]
    weights: Doubles
    intercepts: Doubles
    penalty: float
    train_loss: float = 0.0
    validation_loss: float = 0.0

    def answer(self, stretches: Stretches, indices: Ints) -> Doubles:
        """Return the answers of the cells of some stretches, [cells, outputs]."""
        return np.concatenate(
            [
                features @ self.weights.T + self.intercepts
                for features in scaled_parts(stretches, indices, self.moments)
            ]
        )

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return what is kept."""
        scales = {
            f"scales.{name}.{which}": getattr(of, which).numpy()
            for name, of in self.moments.items()
            for which in ("mean", "deviation")
        }
        return {"weights": self.weights, "intercepts": self.intercepts, **scales}


def scaled_parts(
    stretches: Stretches, indices: Ints, moments: Mapping[str, Moments]
) -> Iterator[Doubles]:
    """Yield the features of the cells of some stretches in order, [some cells, features]."""
    rows, cells = stretches.rows(indices), stretches.cells
    for start in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[start : start + ROWS_AT_ONCE]
        there = cells.present[part]
        features = np.empty((len(part), cells.width + there.shape[1]))
        for index, (name, span) in enumerate(cells.columns.items()):
            mean, deviation = moments[name].mean.numpy(), moments[name].deviation.numpy()
            values = (cells.values[part, span] - mean) / np.maximum(deviation, MIN_DEVIATION)
            features[:, span] = values * there[:, index, None]
        features[:, cells.width :] = there
        yield features


def fit_linear(
    stretches: Stretches, moments: Mapping[str, Moments], params: RidgeParams, *, marks: bool
) -> Linear:
    """Fit every penalty on the training cells and keep the one with the least validation loss."""
    solve = _logistics if marks else _ridges
    tried = []
    for found in solve(stretches, moments, params.penalties):
        losses = {
            split: _loss(
                found.answer(stretches, stretches.splits[split]),
                stretches.truth_of(stretches.splits[split]).astype(np.float64),
                marks=marks,
            )
            for split in ("train", "validation")
        }
        tried.append(
            replace(found, train_loss=losses["train"], validation_loss=losses["validation"])
        )
    return min(tried, key=lambda linear: linear.validation_loss)


def _ridges(
    stretches: Stretches, moments: Mapping[str, Moments], penalties: Sequence[float]
) -> list[Linear]:
    """Return ridge regressions by penalty, the same as scikit-learn's.

    From sums of products, so that the cells of many films are never in memory at once and another
    penalty costs one multiplication.
    """
    solved = [_by_penalty(stretches, moments, c, penalties) for c in range(len(stretches.classes))]
    return [
        Linear(
            moments,
            np.stack([of_output[i][0] for of_output in solved]),
            np.array([of_output[i][1] for of_output in solved]),
            penalty,
        )
        for i, penalty in enumerate(penalties)
    ]


def _by_penalty(
    stretches: Stretches,
    moments: Mapping[str, Moments],
    output: int,
    penalties: Sequence[float],
) -> list[tuple[Doubles, float]]:
    """Return weights and intercept of one output for each penalty."""
    n_features = stretches.cells.width + len(stretches.cells.columns)
    n, mean, mean_value = 0, np.zeros(n_features), 0.0
    for features, values in _known_parts(stretches, moments, output):
        n, mean, mean_value = n + len(values), mean + features.sum(0), mean_value + values.sum()
    mean, mean_value = mean / n, float(mean_value / n)
    products, with_value = np.zeros((n_features, n_features)), np.zeros(n_features)
    for features, values in _known_parts(stretches, moments, output):
        centred = features - mean
        products += centred.T @ centred
        with_value += centred.T @ (values - mean_value)
    strengths, axes = np.linalg.eigh(products)
    along = axes.T @ with_value
    weights = [axes @ (along / (np.maximum(strengths, 0) + penalty)) for penalty in penalties]
    return [(w, float(mean_value - w @ mean)) for w in weights]


def _known_parts(
    stretches: Stretches, moments: Mapping[str, Moments], output: int
) -> Iterator[tuple[Doubles, Doubles]]:
    """Yield features and values of the training cells that have a value, part after part."""
    train = stretches.splits["train"]
    truth, start = stretches.truth_of(train)[:, output].astype(np.float64), 0
    for features in scaled_parts(stretches, train, moments):
        values = truth[start : start + len(features)]
        start += len(features)
        known = np.isfinite(values)
        yield features[known], values[known]


def _logistics(
    stretches: Stretches, moments: Mapping[str, Moments], penalties: Sequence[float]
) -> list[Linear]:
    """Return logistic regressions by penalty."""
    train = stretches.splits["train"]
    features = np.concatenate(list(scaled_parts(stretches, train, moments)))
    marks = stretches.truth_of(train) > 0
    found = []
    for penalty in penalties:
        solved = [_logistic(features, marks[:, c], penalty) for c in range(marks.shape[1])]
        weights, intercepts = np.stack([w for w, _ in solved]), np.array([b for _, b in solved])
        found.append(Linear(moments, weights, intercepts, penalty))
    return found


def _logistic(
    features: Doubles, marked: npt.NDArray[np.bool_], penalty: float
) -> tuple[Doubles, float]:
    """Return weights and intercept of one class; of one that is everywhere, a sure intercept."""
    from sklearn.linear_model import LogisticRegression

    if marked.all():
        return np.zeros(features.shape[1]), CERTAIN
    model = LogisticRegression(C=1 / penalty, class_weight="balanced", max_iter=MAX_ITERATIONS)
    model.fit(features, marked)
    return model.coef_[0], float(model.intercept_[0])


def _loss(answered: Doubles, truth: Doubles, *, marks: bool) -> float:
    """Return the mean squared error, or the cross-entropy with classes even."""
    known = np.isfinite(truth)
    if not marks:
        return float(np.mean((answered[known] - truth[known]) ** 2))
    losses = np.logaddexp(0, answered) - truth * answered
    return float(
        np.mean([losses[truth == mark].mean() for mark in (0, 1) if (truth == mark).any()])
    )
