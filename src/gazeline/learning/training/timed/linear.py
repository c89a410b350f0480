"""Ridge and logistic regression of single cells (scikit-learn), the penalty by validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression, Ridge

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Ints
from gazeline.learning.training.models.inputs import MIN_DEVIATION, Moments
from gazeline.params.temporal import RidgeParams

Doubles = npt.NDArray[np.float64]
MAX_ITERATIONS = 2000


@dataclass(frozen=True)
class Linear:
    """A weight per feature and output; answers are values, or logits of marks.

    `penalty` was the best of those tried; the losses are those of validation and training.
    """

    weights: Doubles
    intercepts: Doubles
    penalty: float
    train_loss: float
    validation_loss: float

    def answer(self, cells: Doubles) -> Doubles:
        """Return [cells, outputs] of scaled cells."""
        found: Doubles = cells @ self.weights.T + self.intercepts
        return found

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return what is kept."""
        return {"weights": self.weights, "intercepts": self.intercepts}


def scaled_cells(stretches: Stretches, indices: Ints, moments: Mapping[str, Moments]) -> Doubles:
    """Return the cells of some stretches, centred and scaled; zero where the copy has none."""
    rows, cells = stretches.rows(indices), stretches.cells
    scaled = np.empty((len(rows), cells.width))
    for index, (name, span) in enumerate(cells.columns.items()):
        mean, deviation = moments[name].mean.numpy(), moments[name].deviation.numpy()
        values = (cells.values[rows, span] - mean) / np.maximum(deviation, MIN_DEVIATION)
        scaled[:, span] = values * cells.present[rows, index, None]
    return scaled


def fit_linear(
    stretches: Stretches, moments: Mapping[str, Moments], params: RidgeParams, *, marks: bool
) -> Linear:
    """Fit every penalty on the training cells and keep the one with the least validation loss."""
    x, y = {}, {}
    for split in ("train", "validation"):
        indices = stretches.splits[split]
        x[split] = scaled_cells(stretches, indices, moments)
        y[split] = stretches.truth_of(indices).astype(np.float64)
    tried = [_fit(x, y, penalty, marks=marks) for penalty in params.penalties]
    return min(tried, key=lambda linear: linear.validation_loss)


def _fit(x: Mapping[str, Doubles], y: Mapping[str, Doubles], penalty: float, *, marks: bool
         ) -> Linear:  # fmt: skip
    weights, intercepts = [], []
    for output in range(y["train"].shape[1]):
        known = np.isfinite(y["train"][:, output])
        features, truth = x["train"][known], y["train"][known, output]
        if marks:
            model = LogisticRegression(
                C=1 / penalty, class_weight="balanced", max_iter=MAX_ITERATIONS
            ).fit(features, truth > 0)
            weights.append(model.coef_[0])
            intercepts.append(float(model.intercept_[0]))
        else:
            ridge = Ridge(alpha=penalty).fit(features, truth)
            weights.append(ridge.coef_)
            intercepts.append(float(ridge.intercept_))
    linear = Linear(np.array(weights), np.array(intercepts), penalty, 0.0, 0.0)
    losses = {split: _loss(linear.answer(x[split]), y[split], marks=marks) for split in x}
    return Linear(linear.weights, linear.intercepts, penalty, losses["train"], losses["validation"])


def _loss(answered: Doubles, truth: Doubles, *, marks: bool) -> float:
    """Return the mean squared error, or the cross-entropy with classes even."""
    known = np.isfinite(truth)
    if not marks:
        return float(np.mean((answered[known] - truth[known]) ** 2))
    losses = np.logaddexp(0, answered) - truth * answered
    return float(
        np.mean([losses[truth == mark].mean() for mark in (0, 1) if (truth == mark).any()])
    )
