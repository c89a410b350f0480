"""Fit the temporal Transformer to values per second, or to intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy.typing as npt
import torch
from torch import nn

from gazeline.learning.training.answers import Joiner, Smoother
from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.intervals import Intervals
from gazeline.learning.training.learnt import Learnt
from gazeline.learning.training.loop import train
from gazeline.learning.training.models.registry import n_parameters
from gazeline.learning.training.objectives.cells import cell_outputs
from gazeline.learning.training.objectives.detection import CellDetection
from gazeline.learning.training.objectives.regression import Regression


def fit_values(stretches: Stretches, settings: Settings, seed: int, where: str) -> Learnt[Floats]:
    """Train on values per cell; answers are smoothed.

    Raises:
        LearningError: a loss is not finite.
    """
    objective = Regression(stretches, settings)
    found = train(objective, settings.training, settings.device, seed, where)
    answer = _smoother(found.model, stretches, settings, lambda outputs: outputs)
    size = n_parameters(found.model)
    return Learnt(answer, weights_of(found.model), found.history, found.best_epoch, size)


def fit_marks(stretches: Stretches, settings: Settings, seed: int, where: str) -> Learnt[Intervals]:
    """Train on classes per cell; answers are smoothed, cut at a threshold and joined.

    Raises:
        LearningError: a loss is not finite.
    """
    objective = CellDetection(stretches, settings)
    found = train(objective, settings.training, settings.device, seed, where)
    answer = Joiner.chosen(_smoother(found.model, stretches, settings, torch.sigmoid))
    size, state = n_parameters(found.model), weights_of(found.model)
    return Learnt(answer, state, found.history, found.best_epoch, size, answer.said())


def weights_of(model: nn.Module) -> Mapping[str, npt.NDArray[Any]]:
    """Return what a network's file holds."""
    return {name: value.cpu().numpy() for name, value in model.state_dict().items()}


def _smoother(
    model: nn.Module,
    stretches: Stretches,
    settings: Settings,
    link: Callable[[torch.Tensor], torch.Tensor],
) -> Smoother:
    params = settings.models.temporal

    def predict(indices: Ints) -> Floats:
        found: Floats = link(cell_outputs(model, stretches, indices, settings.device)).cpu().numpy()
        return found

    return Smoother(stretches, predict, params.smoothing, params.smoothing_s)
