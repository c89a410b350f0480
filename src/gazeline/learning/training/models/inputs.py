"""What every model takes: the tokens of each modality, centred and scaled inside the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

MIN_DEVIATION = 1e-6

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Tokens:
    """The tokens of a batch of one modality, sample after sample, without padding.

    `values` is [all tokens, width]; `lengths` is int64 [batch], every one at least 1.
    """

    values: Tensor
    lengths: Ints


@dataclass(frozen=True)
class Batch:
    """The tokens of a batch by modality, and the film of each sample (any numbers, [batch])."""

    tokens: Mapping[str, Tokens]
    films: Tensor


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
    """Centre and scale tokens by fixed moments, saved with the model. [t, d] to [t, d]."""

    mean: Tensor
    deviation: Tensor

    def __init__(self, moments: Moments) -> None:
        super().__init__()
        self.register_buffer("mean", moments.mean.clone())
        self.register_buffer("deviation", moments.deviation.clamp_min(MIN_DEVIATION))

    def forward(self, values: Tensor) -> Tensor:
        """Return the scaled values."""
        return (values - self.mean) / self.deviation


class Classifier(nn.Module):
    """A model in two steps: a representation of each sample, then logits from these."""

    def represent(self, batch: Batch) -> Tensor:
        """Return the representation of each sample, [batch, features]."""
        raise NotImplementedError

    def classify(self, features: Tensor, films: Tensor) -> Tensor:
        """Return logits [samples, outputs] from representations and the samples' films."""
        raise NotImplementedError

    def forward(self, batch: Batch) -> Tensor:
        """Return logits [batch, outputs]."""
        return self.classify(self.represent(batch), batch.films)
