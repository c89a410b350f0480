"""What networks over cells are to make small: errors of values, or of the marks of intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gazeline.learning.training.cells.stretches import CellBatch, Stretches
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.models.inputs import MIN_DEVIATION, Moments
from gazeline.learning.training.models.temporal import Temporal

# Stretches of a prediction batch: bounds memory.
STRETCHES_AT_ONCE = 16
LEAST_VARIANCE = 1e-8


@dataclass(frozen=True)
class OverCells:
    """Stretches drawn in any order, a loss of the answers of cells."""

    stretches: Stretches
    settings: Settings

    @property
    def steps_per_epoch(self) -> int:
        """Return how many batches an epoch has."""
        n = len(self.stretches.splits["train"])
        return math.ceil(n / self.settings.training.batch_size)

    def build(self) -> nn.Module:
        """Return an untrained Transformer over cells."""
        columns = self.stretches.cells.columns
        params = self.settings.models.temporal
        return Temporal(params, self.settings.moments, columns, self.answers)

    @property
    def answers(self) -> Moments:
        """Return mean and deviation that the network's answers start from."""
        return Moments.identity(len(self.stretches.classes))

    def batches(self, generator: torch.Generator) -> Iterator[Ints]:
        """Yield the training stretches in random order."""
        train = self.stretches.splits["train"]
        order = train[torch.randperm(len(train), generator=generator).numpy()]
        size = self.settings.training.batch_size
        return (order[start : start + size] for start in range(0, len(order), size))

    def loss(self, model: nn.Module, indices: Ints) -> Tensor:
        """Return the mean loss of some stretches."""
        batch = self.stretches.batch(indices, self.settings.device)
        return self.judge(model(batch), batch, self._truth(indices, batch))

    def validation_loss(self, model: nn.Module) -> float:
        """Return the mean loss of the validation stretches."""
        indices = self.stretches.splits["validation"]
        total = 0.0
        for start in range(0, len(indices), STRETCHES_AT_ONCE):
            part = indices[start : start + STRETCHES_AT_ONCE]
            total += float(self.loss(model, part)) * len(part)
        return total / len(indices)

    def judge(self, answered: Tensor, batch: CellBatch, truth: Tensor) -> Tensor:
        """Return the mean loss of answers [batch, cells, outputs]; `truth` is NaN where unknown."""
        raise NotImplementedError

    def _truth(self, indices: Ints, batch: CellBatch) -> Tensor:
        padded = np.full((*batch.real.shape, len(self.stretches.classes)), np.nan, np.float32)
        padded[batch.real.cpu().numpy()] = self.stretches.truth_of(indices)
        return torch.from_numpy(padded).to(self.settings.device)


@dataclass(frozen=True)
class Values(OverCells):
    """Squared error over the variance of the training films, and one minus the correlation.

    The correlation (Pearson's) is that of a stretch and measure; stretches in which the truth is
    constant have none. Both are weighed by params.
    """

    @cached_property
    def _moments(self) -> Moments:
        truth = self.stretches.truth_of(self.stretches.splits["train"])
        mean, deviation = np.nanmean(truth, axis=0), np.nanstd(truth, axis=0)
        return Moments(
            torch.from_numpy(mean.astype(np.float32)),
            torch.from_numpy(np.maximum(deviation, MIN_DEVIATION).astype(np.float32)),
        )

    @property
    def answers(self) -> Moments:
        """Return mean and deviation of the measures over the training films."""
        return self._moments

    def judge(self, answered: Tensor, batch: CellBatch, truth: Tensor) -> Tensor:
        """Return the weighed sum of both losses."""
        params = self.settings.models.temporal
        known = torch.isfinite(truth)
        if not known.any():
            return (answered * 0).sum()
        deviation = self._moments.deviation.to(truth.device)
        error = ((answered - truth.nan_to_num()) / deviation)[known] ** 2
        loss = params.error_weight * error.mean()
        correlation = stretch_correlations(answered, truth.nan_to_num(), known)
        if params.correlation_weight and len(correlation):
            loss = loss + params.correlation_weight * (1 - correlation).mean()
        return loss


def stretch_correlations(answered: Tensor, truth: Tensor, known: Tensor) -> Tensor:
    """Return Pearson's correlation of each stretch and measure that has one, [some].

    Args:
        answered, truth, known: [batch, cells, measures].
    """
    n = known.sum(dim=1).clamp(min=1)

    def centred(values: Tensor) -> Tensor:
        values = values * known
        return (values - (values.sum(dim=1) / n)[:, None]) * known

    a, b = centred(answered), centred(truth)
    variance = (b**2).sum(dim=1) / n
    spread = (((a**2).sum(dim=1) / n + LEAST_VARIANCE) * (variance + LEAST_VARIANCE)).sqrt()
    found = (a * b).sum(dim=1) / n / spread
    return found[variance > LEAST_VARIANCE]


@dataclass(frozen=True)
class Marks(OverCells):
    """Binary cross-entropy of each cell and class, rare classes weighed up to be even."""

    @cached_property
    def _weights(self) -> Tensor:
        truth = self.stretches.truth_of(self.stretches.splits["train"])
        positive = truth.mean(axis=0)
        if self.settings.training.balance == "none":
            positive = np.full_like(positive, 0.5)
        # What is everywhere has nothing to be weighed against.
        positive = np.where(positive == 1, 0.5, positive)
        weights = ((1 - positive) / np.maximum(positive, MIN_DEVIATION)).astype(np.float32)
        return torch.from_numpy(np.maximum(weights, MIN_DEVIATION)).to(self.settings.device)

    def judge(self, answered: Tensor, batch: CellBatch, truth: Tensor) -> Tensor:
        """Return the mean over cells and classes."""
        known = torch.isfinite(truth)
        losses = F.binary_cross_entropy_with_logits(
            answered, truth.nan_to_num(), pos_weight=self._weights, reduction="none"
        )
        return losses[known].mean()


@torch.no_grad()
def cell_answers(model: nn.Module, stretches: Stretches, indices: Ints, device: torch.device,
                 *, probabilities: bool) -> list[Floats]:  # fmt: skip
    """Return the answers of the cells of each stretch, [cells, outputs] each."""
    model.eval()
    found: list[Floats] = []
    for start in range(0, len(indices), STRETCHES_AT_ONCE):
        batch = stretches.batch(indices[start : start + STRETCHES_AT_ONCE], device)
        out = cast(Tensor, model(batch))
        out = torch.sigmoid(out) if probabilities else out
        found += [values[real].cpu().numpy() for values, real in zip(out, batch.real, strict=True)]
    return found
