"""What the training loop asks of a kind of task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor, nn

from gazeline.learning.training.features import Ints


class Objective(Protocol):
    """How samples are drawn for an epoch, and what a network is to make small."""

    @property
    def steps_per_epoch(self) -> int:
        """Return how many batches an epoch has (about, where they are made film by film)."""

    def build(self) -> nn.Module:
        """Return an untrained network; its weights are drawn from torch's generator."""

    def batches(self, generator: torch.Generator) -> Iterator[Ints]:
        """Yield the sample indices of each batch of an epoch."""

    def loss(self, model: nn.Module, indices: Ints) -> Tensor:
        """Return the mean loss of a training batch."""

    def validation_loss(self, model: nn.Module) -> float:
        """Return the loss of the validation samples; the model is in evaluation mode."""
