"""Classification: one class of each sample, classes weighed or drawn evenly."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import torch
from torch import Tensor, nn

from gazeline.learning.training.batches import (
    epoch_samples,
    film_batches,
    n_epoch_samples,
    shuffled_batches,
    sorted_batches,
)
from gazeline.learning.training.features import Ints
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.losses import class_weights, weighted_loss
from gazeline.learning.training.models.inputs import Classifier
from gazeline.learning.training.models.registry import build_model
from gazeline.learning.training.problem import Problem

# Tokens of a prediction batch: bounds memory, whatever the length of the samples.
PREDICTION_TOKENS = 16_384


@dataclass(frozen=True)
class Classification:
    """Cross-entropy of the classes of a fold.

    Validation weighs classes as training does: equally, unless `balance` is none.
    """

    problem: Problem
    settings: Settings

    @property
    def steps_per_epoch(self) -> int:
        """Return how many batches an epoch has (about, where they are made film by film)."""
        return steps_per_epoch(self.problem, self.settings)

    def build(self) -> nn.Module:
        """Return an untrained network."""
        settings = self.settings
        n_outputs = self.problem.n_outputs
        return build_model(settings.model, settings.models, settings.moments, n_outputs)

    def batches(self, generator: torch.Generator) -> Iterator[Ints]:
        """Yield batches of similar length, or film by film for a Differential model."""
        problem, training = self.problem, self.settings.training
        train = problem.splits["train"]
        chosen = train[epoch_samples(problem.targets[train], training.balance, generator)]
        if self.settings.model == "differential":
            sizes = self.settings.models.differential
            return film_batches(chosen, problem.films, sizes, generator)
        return shuffled_batches(chosen, problem.lengths, training.batch_size, generator)

    def loss(self, model: nn.Module, indices: Ints) -> Tensor:
        """Return the weighted cross-entropy of a batch."""
        found = model(self.problem.batch(indices, self.settings.device))
        return weighted_loss(found, self._targets(indices), self._weights["train"])

    def validation_loss(self, model: nn.Module) -> float:
        """Return the weighted cross-entropy of the validation samples."""
        indices = self.problem.splits["validation"]
        found = logits(cast(Classifier, model), self.problem, indices, self.settings.device)
        return float(weighted_loss(found, self._targets(indices), self._weights["validation"]))

    def _targets(self, indices: Ints) -> Tensor:
        return torch.from_numpy(self.problem.targets[indices]).to(self.settings.device)

    @cached_property
    def _weights(self) -> dict[str, Tensor]:
        names = ("train", "validation")
        return {name: split_weights(self.problem, self.settings, name) for name in names}


def steps_per_epoch(problem: Problem, settings: Settings) -> int:
    """Return how many batches an epoch has (about, where they are made film by film)."""
    targets = problem.targets[problem.splits["train"]]
    size = settings.training.batch_size
    if settings.model == "differential":
        sizes = settings.models.differential
        size = sizes.films_per_batch * sizes.segments_per_film
    return math.ceil(n_epoch_samples(targets, settings.training.balance) / size)


def split_weights(problem: Problem, settings: Settings, split: str) -> Tensor:
    """Return the weight of each class in the loss of a split."""
    balance = settings.training.balance
    even = balance == "weights" if split == "train" else balance != "none"
    targets = problem.targets[problem.splits[split]]
    return class_weights(targets, len(problem.classes), even=even).to(settings.device)


@torch.no_grad()
def logits(model: Classifier, problem: Problem, indices: Ints, device: torch.device) -> Tensor:
    """Return logits [samples, outputs], represented in batches and classified all together."""
    model.eval()
    places = sorted_batches(problem.lengths[indices], PREDICTION_TOKENS)
    features = [model.represent(problem.batch(indices[part], device)) for part in places]
    order = torch.argsort(torch.cat([torch.from_numpy(part) for part in places])).to(device)
    films = torch.from_numpy(problem.films[indices]).to(device)
    return model.classify(torch.cat(features)[order], films)
