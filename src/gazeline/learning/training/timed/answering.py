"""What a fitted model of a task over time answers, and how each model is fitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from torch import nn

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Epoch, Settings
from gazeline.learning.training.intervals import Intervals, join_cells
from gazeline.learning.training.loop import Trained, train
from gazeline.learning.training.models.registry import n_parameters
from gazeline.learning.training.smoothing import smooth
from gazeline.learning.training.thresholds import best_threshold
from gazeline.learning.training.timed.former import Localise, classify, covered, localise
from gazeline.learning.training.timed.linear import Linear, fit_linear
from gazeline.learning.training.timed.objectives import Marks, Values, cell_answers
from gazeline.params.temporal import RidgeParams, TemporalParams

OfCells = Callable[[Ints], list[Floats]]


@dataclass(frozen=True)
class Answering:
    """A fitted model: `cells` answers values per cell, or `intervals` finds intervals.

    `state` is what `model-<seed>.safetensors` holds; `chosen` is what the validation films decided:
    the threshold of each class, the penalty.
    """

    state: Mapping[str, npt.NDArray[Any]]
    history: tuple[Epoch, ...]
    best_epoch: int
    n_parameters: int
    cells: OfCells | None = None
    intervals: Callable[[Ints], Intervals] | None = None
    chosen: Mapping[str, Any] = field(default_factory=dict)

    @property
    def validation_loss(self) -> float:
        """Return the loss of the best epoch."""
        return self.history[self.best_epoch - 1].validation_loss


def fit_values(stretches: Stretches, settings: Settings, seed: int, where: str) -> Answering:
    """Fit a model of values per second.

    Raises:
        LearningError: a loss is not finite.
    """
    if settings.model == "ridge":
        params = settings.models.ridge
        linear = fit_linear(stretches, settings.moments, params, marks=False)
        return _of_linear(linear, _smoothed(_linear_cells(linear, stretches), stretches,
                                            params))  # fmt: skip
    trained = train(Values(stretches, settings), settings.training, settings.device, seed, where)
    return _of_network(trained, cells=_smoothed(
        _network_cells(trained.model, stretches, settings, probabilities=False), stretches,
        settings.models.temporal))  # fmt: skip


def fit_intervals(stretches: Stretches, settings: Settings, seed: int, where: str) -> Answering:
    """Fit a model that finds intervals; what it decides for is chosen on the validation films.

    Raises:
        LearningError: a loss is not finite, or a stretch is too long for the model.
    """
    if settings.model.startswith("actionformer"):
        return _fit_former(stretches, settings, seed, where)
    if settings.model == "ridge":
        params = settings.models.ridge
        linear = fit_linear(stretches, settings.moments, params, marks=True)
        cells = _smoothed(_linear_cells(linear, stretches, logistic=True), stretches,
                          params)  # fmt: skip
        joined, chosen = _joined(cells, stretches)
        fitted = _of_linear(linear, None, joined)
        return replace(fitted, chosen={**fitted.chosen, **chosen})
    trained = train(Marks(stretches, settings), settings.training, settings.device, seed, where)
    cells = _smoothed(
        _network_cells(trained.model, stretches, settings, probabilities=True), stretches,
        settings.models.temporal)  # fmt: skip
    joined, chosen = _joined(cells, stretches)
    return replace(_of_network(trained, intervals=joined), chosen=chosen)


def _fit_former(stretches: Stretches, settings: Settings, seed: int, where: str) -> Answering:
    objective = Localise(stretches, settings, where)
    trained = train(objective, settings.training, settings.device, seed, where)
    find = localise if settings.model == "actionformer" else classify
    validation = stretches.splits["validation"]
    found = find(trained.model, stretches, validation, settings)
    thresholds = _thresholds(covered(found, stretches, validation), stretches)

    def intervals(indices: Ints) -> Intervals:
        found = find(trained.model, stretches, indices, settings)
        decided = found.scores >= np.array(thresholds)[found.targets]
        return Intervals(found.samples, found.bounds_s, found.targets, found.scores, decided)

    return replace(_of_network(trained, intervals=intervals), chosen=_named(thresholds, stretches))


def _thresholds(scores: Sequence[Floats], stretches: Stretches) -> list[float]:
    """Return the threshold of each class that serves the validation cells best."""
    every = np.concatenate(scores)
    truth = stretches.truth_of(stretches.splits["validation"])
    return [best_threshold(every[:, c], truth[:, c]) for c in range(every.shape[1])]


def _named(thresholds: Sequence[float], stretches: Stretches) -> dict[str, Any]:
    return {"thresholds": dict(zip(stretches.classes, thresholds, strict=True))}


def _joined(
    cells: OfCells, stretches: Stretches
) -> tuple[Callable[[Ints], Intervals], dict[str, Any]]:
    """Return how cells become intervals, and the thresholds that this takes."""
    thresholds = _thresholds(cells(stretches.splits["validation"]), stretches)

    def intervals(indices: Ints) -> Intervals:
        return Intervals.joined(
            [
                join_cells(scores, stretches.edges(int(index)), int(index), thresholds)
                for index, scores in zip(indices, cells(indices), strict=True)
            ]
        )

    return intervals, _named(thresholds, stretches)


def _smoothed(
    cells: OfCells, stretches: Stretches, params: TemporalParams | RidgeParams
) -> OfCells:
    def answer(indices: Ints) -> list[Floats]:
        return [
            smooth(values, stretches.step_s, params.smoothing, params.smoothing_s)
            for values in cells(indices)
        ]

    return answer


def _network_cells(
    model: nn.Module, stretches: Stretches, settings: Settings, *, probabilities: bool
) -> OfCells:
    def answer(indices: Ints) -> list[Floats]:
        return cell_answers(model, stretches, indices, settings.device, probabilities=probabilities)

    return answer


def _linear_cells(linear: Linear, stretches: Stretches, *, logistic: bool = False) -> OfCells:
    def answer(indices: Ints) -> list[Floats]:
        found = linear.answer(stretches, indices)
        found = expit(found) if logistic else found
        return stretches.parts(found.astype(np.float32), indices)

    return answer


def _of_network(
    trained: Trained,
    cells: OfCells | None = None,
    intervals: Callable[[Ints], Intervals] | None = None,
) -> Answering:
    state = {name: value.cpu().numpy() for name, value in trained.model.state_dict().items()}
    n = n_parameters(trained.model)
    return Answering(state, trained.history, trained.best_epoch, n, cells, intervals)


def _of_linear(
    linear: Linear,
    cells: OfCells | None,
    intervals: Callable[[Ints], Intervals] | None = None,
) -> Answering:
    history = (Epoch(1, linear.train_loss, linear.validation_loss, 0.0),)
    n = linear.weights.size + linear.intercepts.size
    chosen = {"penalty": linear.penalty}
    return Answering(linear.state(), history, 1, n, cells, intervals, chosen)
