"""Fit an estimator on one fold with one seed: the counterpart of the training loop."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from scipy.optimize import minimize
from torch import Tensor, nn

from gazeline.errors import LearningError
from gazeline.learning.training.estimators.described import Described
from gazeline.learning.training.estimators.machines import (
    LANDMARKS,
    KernelMachine,
    LinearMachine,
    block_scale,
    likeness,
    scaled,
)
from gazeline.learning.training.estimators.windows import find_landmarks, nearness
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Epoch, Fitted, Settings
from gazeline.learning.training.losses import class_weights, weighted_loss
from gazeline.learning.training.models.registry import n_parameters
from gazeline.learning.training.problem import Problem
from gazeline.params.learning import KernelParams

Doubles = npt.NDArray[np.float64]

# A kernel between all training segments must fit in memory: 3.2 GB at this number.
MOST_SEGMENTS = 20_000
PREDICTED_AT_ONCE = 1024
# Logs of the slopes that a calibration may take: steeper ones round probabilities to 0 and 1.
SLOPES = (-3.0, 2.3)


@dataclass(frozen=True)
class _Solved:
    """A model and its logits of the training and validation segments."""

    model: nn.Module
    logits: Mapping[str, Tensor]


def fit_estimator(problem: Problem, settings: Settings, seed: int, where: str) -> Fitted:
    """Fit on the training segments; make probabilities of a kernel's scores on validation ones.

    Args:
        where: experiment and fold, for messages.

    Raises:
        LearningError: there are too many segments for a kernel, or a loss is not finite.
    """
    solved = (
        _fit_logistic(problem, settings)
        if settings.model == "logistic"
        else _fit_kernel(problem, settings, seed, where)
    )
    losses = {
        split: _loss(logits, problem, settings, split) for split, logits in solved.logits.items()
    }
    if not all(math.isfinite(loss) for loss in losses.values()):
        raise LearningError(f"A loss became {losses}", where=f"{where}, seed {seed}")

    def predict(asked: Problem, indices: Ints) -> Floats:
        return predict_estimator(solved.model, asked, indices)

    state = {name: value.numpy() for name, value in solved.model.state_dict().items()}
    epoch = Epoch(1, losses["train"], losses["validation"], 0.0)
    return Fitted(predict, state, (epoch,), 1, n_parameters(solved.model))


def predict_estimator(model: nn.Module, problem: Problem, indices: Ints) -> Floats:
    """Return class probabilities of samples, [samples, outputs] (one output for two classes)."""
    logits = _logits(model, _described(problem), indices)
    scores = torch.sigmoid(logits) if problem.n_outputs == 1 else torch.softmax(logits, dim=1)
    return scores.numpy().astype(np.float32)


def _described(problem: Problem) -> Described:
    if problem.described is None:
        raise ValueError("an estimator needs the samples described")
    return problem.described


def _fit_logistic(problem: Problem, settings: Settings) -> _Solved:
    from sklearn.linear_model import LogisticRegression

    train, described = problem.splits["train"], _described(problem)
    blocks = _blocks(described, train, None)
    scales = nn.ModuleDict({name: block_scale(rows) for name, rows in blocks.items()})
    features = torch.cat(list(scaled(scales, blocks).values()), dim=1).double().numpy()
    balanced = settings.training.balance != "none"
    fitted = LogisticRegression(
        C=settings.models.logistic.inverse_penalty,
        class_weight="balanced" if balanced else None,
        max_iter=2000,
    ).fit(features, problem.targets[train])
    weight, bias = torch.from_numpy(fitted.coef_), torch.from_numpy(fitted.intercept_)
    model = LinearMachine(scales, weight, bias)
    validation = _logits(model, described, problem.splits["validation"])
    train_logits = torch.from_numpy(features) @ weight.T + bias
    return _Solved(model, {"train": train_logits, "validation": validation})


def _fit_kernel(problem: Problem, settings: Settings, seed: int, where: str) -> _Solved:
    train, params, described = problem.splits["train"], settings.models.kernel, _described(problem)
    if len(train) > MOST_SEGMENTS:
        raise LearningError(
            f"{len(train)} training segments are too many for a kernel (at most {MOST_SEGMENTS})",
            where=where,
            todo="take the model logistic, mlp or transformer",
        )
    landmarks = _landmarks(described, train, params, seed)
    blocks = _blocks(described, train, landmarks)
    scales = nn.ModuleDict({name: block_scale(rows) for name, rows in blocks.items()})
    support = scaled(scales, blocks)
    weights = class_weights(
        problem.targets[train], len(problem.classes), even=settings.training.balance != "none"
    ).double()
    of_segment = weights[torch.from_numpy(problem.targets[train])]
    penalty = (params.ridge / of_segment)[:, None]
    kernel = likeness(support, support, params).double()
    kernel.diagonal().add_(penalty[:, 0])
    # Centred, so that a segment unlike all others gets the mean; the bias gives it back.
    answers = _answers(problem, train)
    answers -= (of_segment[:, None] * answers).sum(dim=0) / of_segment.sum()
    coefficients = torch.cholesky_solve(answers, torch.linalg.cholesky(kernel))
    model = KernelMachine(params, scales, support, coefficients, landmarks)
    # (K + penalty) c = answers, so that K c needs no second kernel between all of them.
    raw = {
        "train": answers - penalty * coefficients,
        "validation": _raw(model, described, problem.splits["validation"]),
    }
    even = settings.training.balance != "none"
    _calibrate(model, raw["validation"], problem, even=even)
    return _Solved(
        model, {name: (model.slope * of + model.bias).detach() for name, of in raw.items()}
    )


def _answers(problem: Problem, train: Ints) -> Tensor:
    """Return what the regression aims at: -1 and 1, a column per output."""
    targets = torch.from_numpy(problem.targets[train])
    columns = [1] if problem.n_outputs == 1 else range(problem.n_outputs)
    return torch.stack([(targets == c).double() * 2 - 1 for c in columns], dim=1)


def _landmarks(described: Described, train: Ints, params: KernelParams, seed: int) -> Tensor:
    if described.windows is None or not params.landmarks:
        return torch.zeros(0, 0)
    return torch.from_numpy(
        find_landmarks(described.windows.chosen(train).values, params.landmarks, seed)
    )


def _blocks(described: Described, indices: Ints, landmarks: Tensor | None) -> dict[str, Tensor]:
    blocks = {name: torch.from_numpy(rows[indices]) for name, rows in described.blocks.items()}
    if landmarks is not None and len(landmarks) and described.windows is not None:
        near = nearness(described.windows.chosen(indices), landmarks.numpy())
        blocks[LANDMARKS] = torch.from_numpy(near)
    return blocks


@torch.no_grad()
def _logits(model: nn.Module, described: Described, indices: Ints) -> Tensor:
    landmarks = model.landmarks if isinstance(model, KernelMachine) else None
    parts = [
        model(_blocks(described, indices[start : start + PREDICTED_AT_ONCE], landmarks))
        for start in range(0, len(indices), PREDICTED_AT_ONCE)
    ]
    return torch.cat(parts)


@torch.no_grad()
def _raw(model: KernelMachine, described: Described, indices: Ints) -> Tensor:
    return model.raw(_blocks(described, indices, model.landmarks))


@torch.no_grad()
def _calibrate(model: KernelMachine, raw: Tensor, problem: Problem, *, even: bool) -> None:
    """Set slope and bias to the least validation loss; a positive slope keeps the order."""
    validation = problem.splits["validation"]
    targets = torch.from_numpy(problem.targets[validation])
    weights = class_weights(problem.targets[validation], len(problem.classes), even=even).double()

    def loss(numbers: Doubles) -> float:
        slope, bias = math.exp(numbers[0]), torch.from_numpy(numbers[1:])
        return float(weighted_loss(slope * raw + bias, targets, weights))

    bounds = [SLOPES, *[(-20.0, 20.0)] * problem.n_outputs]
    best = minimize(loss, np.zeros(1 + problem.n_outputs), method="L-BFGS-B", bounds=bounds).x
    model.slope.fill_(math.exp(best[0]))
    model.bias.copy_(torch.from_numpy(best[1:]))


def _loss(logits: Tensor, problem: Problem, settings: Settings, split: str) -> float:
    targets = problem.targets[problem.splits[split]]
    even = settings.training.balance != "none"
    weights = class_weights(targets, len(problem.classes), even=even).double()
    return float(weighted_loss(logits, torch.from_numpy(targets), weights))
