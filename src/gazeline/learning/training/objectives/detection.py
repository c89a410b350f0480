"""Classes per cell: whether each class is there, weighed evenly unless the experiment says no."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.models.temporal import Temporal
from gazeline.learning.training.objectives.cells import (
    cell_outputs,
    n_batches,
    stretch_batches,
    truth_tensor,
)


@dataclass(frozen=True)
class CellDetection:
    """Binary cross-entropy of every class in every cell.

    However `balance` evens classes out elsewhere, cells cannot be drawn one by one: present and
    absent cells of a class weigh the same in total, unless it is none.
    """

    stretches: Stretches
    settings: Settings

    @property
    def batch_size(self) -> int:
        """Return how many stretches make a batch."""
        return self.settings.training.batch_size

    @property
    def drawn(self) -> Ints:
        """Return the training stretches."""
        return self.stretches.splits["train"]

    @property
    def steps_per_epoch(self) -> int:
        """Return how many batches an epoch has."""
        return n_batches(self)

    def build(self) -> nn.Module:
        """Return an untrained temporal Transformer."""
        settings, columns = self.settings, self.stretches.cells.columns
        answers = Moments.identity(len(self.stretches.classes))
        return Temporal(settings.models.temporal, settings.moments, columns, answers)

    def batches(self, generator: torch.Generator) -> Iterator[Ints]:
        """Yield batches of training stretches."""
        return stretch_batches(self, generator)

    def loss(self, model: nn.Module, indices: Ints) -> Tensor:
        """Return the loss over all cells of a batch."""
        batch = self.stretches.batch(indices, self.settings.device)
        return self._loss(model(batch)[batch.real], indices, "train")

    def validation_loss(self, model: nn.Module) -> float:
        """Return the loss over all validation cells."""
        indices = self.stretches.splits["validation"]
        found = cell_outputs(model, self.stretches, indices, self.settings.device)
        return float(self._loss(found, indices, "validation"))

    def _loss(self, logits: Tensor, indices: Ints, split: str) -> Tensor:
        marks = truth_tensor(self.stretches, indices, self.settings.device)
        return marked_loss(logits, marks, self._weights[split].to(logits))

    @cached_property
    def _weights(self) -> dict[str, Tensor]:
        even = self.settings.training.balance != "none"
        of = {s: self.stretches.truth_of(self.stretches.splits[s]) for s in ("train", "validation")}
        return {split: mark_weights(marks, even=even) for split, marks in of.items()}


def mark_weights(marks: Floats, *, even: bool) -> Tensor:
    """Return the weight of absent and present cells of each class, float32 [2, classes].

    Even weights are n / (2 * n of that kind); of a class that is everywhere or nowhere, ones.
    """
    if not even:
        return torch.ones(2, marks.shape[1])
    present = marks.sum(axis=0, dtype=np.float64)
    counts = np.stack([len(marks) - present, present])
    mixed = counts.min(axis=0) > 0
    weights = np.where(mixed, len(marks) / (2 * np.where(mixed, counts, 1)), 1.0)
    return torch.from_numpy(weights.astype(np.float32))


def marked_loss(logits: Tensor, marks: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean cross-entropy of cells.

    Args:
        logits, marks: [cells, classes], marks 0 or 1.
        weights: see `mark_weights`.
    """
    of_cell = torch.where(marks > 0, weights[1], weights[0])
    plain = functional.binary_cross_entropy_with_logits(logits, marks, reduction="none")
    return (plain * of_cell).sum() / of_cell.sum()
