"""What objectives over cells share: batches of stretches, and a network's answer of every cell."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from gazeline.learning.training.batches import shuffled_batches, sorted_batches
from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Ints

# Cells of a prediction batch: bounds memory, whatever the length of the stretches.
PREDICTION_CELLS = 8_192


class DrawsStretches(Protocol):
    """An objective's stretches and the size of its batches."""

    @property
    def drawn(self) -> Ints:
        """Return the training stretches of an epoch."""

    @property
    def stretches(self) -> Stretches:
        """Return the fold."""

    @property
    def batch_size(self) -> int:
        """Return how many stretches make a batch."""


def stretch_batches(of: DrawsStretches, generator: torch.Generator) -> Iterator[Ints]:
    """Yield batches of training stretches of similar length, each stretch once an epoch."""
    return shuffled_batches(of.drawn, of.stretches.cells.lengths, of.batch_size, generator)


def n_batches(of: DrawsStretches) -> int:
    """Return how many batches an epoch has."""
    return math.ceil(len(of.drawn) / of.batch_size)


def prediction_batches(stretches: Stretches, indices: Ints) -> list[Ints]:
    """Return places in `indices`, batch by batch, of bounded size."""
    return sorted_batches(stretches.cells.lengths[indices], PREDICTION_CELLS)


@torch.no_grad()
def cell_outputs(
    model: nn.Module, stretches: Stretches, indices: Ints, device: torch.device
) -> Tensor:
    """Return a network's output for the cells of stretches, [cells, outputs], in their order."""
    model.eval()
    found: list[Tensor] = [torch.empty(0)] * len(indices)
    for places in prediction_batches(stretches, indices):
        batch = stretches.batch(indices[places], device)
        outputs = model(batch)
        for place, of_stretch, real in zip(places.tolist(), outputs, batch.real, strict=True):
            found[place] = of_stretch[real]
    return torch.cat(found)


def truth_tensor(stretches: Stretches, indices: Ints, device: torch.device) -> Tensor:
    """Return what is true of the cells of stretches, [cells, outputs], in their order."""
    return torch.from_numpy(np.ascontiguousarray(stretches.truth_of(indices))).to(device)
