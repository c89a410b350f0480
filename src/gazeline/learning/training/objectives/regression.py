"""Values per cell: squared error and lack of concordance, both in the units of the training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Ints
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.models.inputs import MIN_DEVIATION, Moments
from gazeline.learning.training.models.temporal import Temporal
from gazeline.learning.training.objectives.cells import (
    cell_outputs,
    n_batches,
    stretch_batches,
    truth_tensor,
)

# Keeps the concordance of constant answers to a constant truth defined.
FLAT = 1e-6


@dataclass(frozen=True)
class Regression:
    """Fit values of each measure in each cell; cells without a value teach nothing."""

    stretches: Stretches
    settings: Settings

    @property
    def batch_size(self) -> int:
        """Return how many stretches make a batch."""
        return self.settings.training.batch_size

    @cached_property
    def drawn(self) -> Ints:
        """Return the training stretches that have a value."""
        return with_values(self.stretches, self.stretches.splits["train"])

    @cached_property
    def answers(self) -> Moments:
        """Return mean and deviation of each measure over the training cells."""
        return value_moments(self.stretches)

    @property
    def steps_per_epoch(self) -> int:
        """Return how many batches an epoch has."""
        return n_batches(self)

    def build(self) -> nn.Module:
        """Return an untrained temporal Transformer."""
        settings, columns = self.settings, self.stretches.cells.columns
        return Temporal(settings.models.temporal, settings.moments, columns, self.answers)

    def batches(self, generator: torch.Generator) -> Iterator[Ints]:
        """Yield batches of training stretches."""
        return stretch_batches(self, generator)

    def loss(self, model: nn.Module, indices: Ints) -> Tensor:
        """Return the loss over all cells of a batch."""
        batch = self.stretches.batch(indices, self.settings.device)
        return self._loss(model(batch)[batch.real], indices)

    def validation_loss(self, model: nn.Module) -> float:
        """Return the loss over all validation cells."""
        indices = self.stretches.splits["validation"]
        found = cell_outputs(model, self.stretches, indices, self.settings.device)
        return float(self._loss(found, indices))

    def _loss(self, answered: Tensor, indices: Ints) -> Tensor:
        params = self.settings.models.temporal
        truth = truth_tensor(self.stretches, indices, self.settings.device)
        return regression_loss(
            answered, truth, self.answers.deviation.to(truth),
            params.error_weight, params.correlation_weight,
        )  # fmt: skip


def with_values(stretches: Stretches, indices: Ints) -> Ints:
    """Return the stretches among some that have a value in a cell."""
    parts = stretches.parts(stretches.truth_of(indices), indices)
    return indices[[bool(np.isfinite(part).any()) for part in parts]]


def value_moments(stretches: Stretches) -> Moments:
    """Return mean and deviation of each measure over the training cells that have a value."""
    truth = stretches.truth_of(stretches.splits["train"]).astype(np.float64)
    mean, deviation = np.nanmean(truth, axis=0), np.nanstd(truth, axis=0)
    # A constant is learnt in units of its own.
    deviation = np.where(deviation > MIN_DEVIATION, deviation, 1.0)
    return Moments(*(torch.from_numpy(of.astype(np.float32)) for of in (mean, deviation)))


def regression_loss(
    answered: Tensor,
    truth: Tensor,
    deviation: Tensor,
    error_weight: float,
    correlation_weight: float,
) -> Tensor:
    """Return the mean over measures of squared error and one minus concordance, weighed.

    The concordance correlation is Lin's (1989): 1 where answers equal the truth, lower where they
    correlate less, or lie or spread otherwise. Errors are in training deviations.

    Args:
        answered, truth: [cells, measures]; truth NaN where there is no value.
        deviation: of each measure over the training cells, [measures].
    """
    losses = []
    for measure in range(truth.shape[1]):
        there = torch.isfinite(truth[:, measure])
        if not there.any():
            continue
        found = answered[there, measure] / deviation[measure]
        wanted = truth[there, measure] / deviation[measure]
        error = ((found - wanted) ** 2).mean()
        lack = 1 - concordance(found, wanted)
        losses.append(error_weight * error + correlation_weight * lack)
    return torch.stack(losses).mean() if losses else (answered * 0).sum()


def concordance(found: Tensor, wanted: Tensor) -> Tensor:
    """Return Lin's concordance correlation of two vectors."""
    of_found, of_wanted = found - found.mean(), wanted - wanted.mean()
    spread = (of_found**2).mean() + (of_wanted**2).mean()
    apart = (found.mean() - wanted.mean()) ** 2
    return (2 * (of_found * of_wanted).mean() + FLAT) / (spread + apart + FLAT)
