"""What every model takes: the tokens of each modality, centred and scaled inside the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

MIN_DEVIATION = 1e-6


@dataclass(frozen=True)
class Tokens:
    """A batch of one modality: values [batch, tokens, width], padding [batch, tokens] (bool)."""

    values: Tensor
    padding: Tensor


Inputs = Mapping[str, Tokens]


@dataclass(frozen=True)
class Moments:
    """Mean and standard deviation of each feature over the tokens of the training films."""

    mean: Tensor
    deviation: Tensor

    @classmethod
    def identity(cls, width: int) -> Moments:
        """Return moments that leave features as they are."""
        return cls(torch.zeros(width), torch.ones(width))


class InputScale(nn.Module):
    """Centre and scale tokens by fixed moments, saved with the model. [b, t, d] to [b, t, d]."""

    mean: Tensor
    deviation: Tensor

    def __init__(self, moments: Moments) -> None:
        super().__init__()
        self.register_buffer("mean", moments.mean.clone())
        self.register_buffer("deviation", moments.deviation.clamp_min(MIN_DEVIATION))

    def forward(self, values: Tensor) -> Tensor:
        """Return the scaled values."""
        return (values - self.mean) / self.deviation
