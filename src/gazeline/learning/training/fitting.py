"""Fit one network on the segments of one fold with one seed."""

from __future__ import annotations

from typing import cast

import torch

from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Epoch, Fitted, Settings
from gazeline.learning.training.loop import train
from gazeline.learning.training.models.inputs import Classifier
from gazeline.learning.training.models.registry import n_parameters
from gazeline.learning.training.objectives.classification import Classification, logits
from gazeline.learning.training.problem import Problem


def fit(problem: Problem, settings: Settings, seed: int, where: str) -> Fitted:
    """Train until the validation loss has not improved for `patience` epochs (see `train`).

    Raises:
        LearningError: a loss is not finite; experiment, fold, seed and epoch are named.
    """
    objective = Classification(problem, settings)
    found = train(objective, settings.training, settings.device, seed, where)
    model = cast(Classifier, found.model)
    return fitted(model, settings.device, list(found.history), found.best_epoch)


def fitted(
    model: Classifier, device: torch.device, history: list[Epoch], best_epoch: int
) -> Fitted:
    """Return a network that has the weights of its best epoch as what was fitted."""

    def predict(problem: Problem, indices: Ints) -> Floats:
        return probabilities(model, problem, indices, device)

    state = {name: value.cpu().numpy() for name, value in model.state_dict().items()}
    return Fitted(predict, state, tuple(history), best_epoch, n_parameters(model))


def probabilities(
    model: Classifier, problem: Problem, indices: Ints, device: torch.device
) -> Floats:
    """Return class probabilities of samples, [samples, outputs] (one output for two classes)."""
    found = logits(model, problem, indices, device)
    scores = torch.sigmoid(found) if problem.n_outputs == 1 else torch.softmax(found, dim=1)
    result: Floats = scores.cpu().numpy()
    return result
