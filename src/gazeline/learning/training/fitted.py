"""What every way of learning takes and gives: settings in, one fitted model a seed out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.problem import Problem
from gazeline.params.learning import ModelName, ModelsParams, TrainingParams


@dataclass(frozen=True)
class Settings:
    """What to fit: the model, its sizes, the training, and moments of the training tokens."""

    model: ModelName
    models: ModelsParams
    training: TrainingParams
    moments: Mapping[str, Moments]
    device: torch.device


@dataclass(frozen=True)
class Epoch:
    """One row of the history; `lr` is the rate of the epoch's last step.

    `part` is the modality, where a model of one modality is trained for late fusion.
    """

    epoch: int
    train_loss: float
    validation_loss: float
    lr: float
    part: str = ""


@dataclass(frozen=True)
class Fitted:
    """A model at its best epoch (lowest validation loss) and how it got there.

    `predict` gives class probabilities of samples, [samples, outputs] (one output for two
    classes); `state` is what `model-<seed>.safetensors` holds; `parts` are models that were
    fitted apart, by name.
    """

    predict: Callable[[Problem, Ints], Floats]
    state: Mapping[str, npt.NDArray[Any]]
    history: tuple[Epoch, ...]
    best_epoch: int
    n_parameters: int
    parts: Mapping[str, Fitted] = field(default_factory=dict)

    @property
    def validation_loss(self) -> float:
        """Return the loss of the best epoch; of several parts, their mean."""
        if self.parts:
            return float(np.mean([part.validation_loss for part in self.parts.values()]))
        return self.history[self.best_epoch - 1].validation_loss


# Fit one model for each seed; `where` names experiment and fold in messages.
Fit = Callable[[Problem, Settings, Sequence[int], str], list[Fitted]]
FitOne = Callable[[Problem, Settings, int, str], Fitted]


def one_by_one(fit: FitOne) -> Fit:
    """Return a fit that takes the seeds in turn."""

    def fit_all(
        problem: Problem, settings: Settings, seeds: Sequence[int], where: str
    ) -> list[Fitted]:
        return [fit(problem, settings, seed, where) for seed in seeds]

    return fit_all
