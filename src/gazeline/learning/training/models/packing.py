"""Between tokens without padding, which linear layers want, and padded ones, for attention.

Most segments are far shorter than the longest: what is computed a token is computed on real tokens
only, and only attention sees padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gazeline.learning.training.models.inputs import Ints


@dataclass(frozen=True)
class Layout:
    """Where packed rows stand in a padded batch.

    `slots` is int64 [rows], places in [batch * longest]; `real` is bool [batch, longest].
    """

    slots: Tensor
    real: Tensor

    @property
    def key_mask(self) -> Tensor:
        """Return which keys may be attended to, [batch, 1, 1, longest]."""
        return self.real[:, None, None, :]


def make_layout(parts: Sequence[Ints], device: torch.device) -> Layout:
    """Return the layout of rows that are packed part after part.

    Args:
        parts: tokens of each sample in each part, int64 [batch]; in the padded batch a sample's
            parts follow each other.
    """
    lengths = np.stack(parts)
    totals = lengths.sum(axis=0)
    longest = int(totals.max())
    starts = np.arange(len(totals)) * longest + np.cumsum(lengths, axis=0) - lengths
    slots = [np.repeat(start, n) + positions(n) for start, n in zip(starts, lengths, strict=True)]
    real = np.arange(longest)[None, :] < totals[:, None]
    return Layout(
        torch.from_numpy(np.concatenate(slots)).to(device), torch.from_numpy(real).to(device)
    )


def positions(lengths: Ints) -> Ints:
    """Return the place of every packed token in its sample, from 0."""
    ends = np.cumsum(lengths)
    places: Ints = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
    return places


def pad(rows: Tensor, layout: Layout) -> Tensor:
    """Return packed rows [rows, d] as [batch, longest, d], zero where there is none."""
    batch, longest = layout.real.shape
    empty = rows.new_zeros(batch * longest, rows.shape[1])
    return empty.index_copy(0, layout.slots, rows).view(batch, longest, -1)


def unpad(padded: Tensor, layout: Layout) -> Tensor:
    """Return the packed rows of [batch, longest, d]."""
    rows: Tensor = _Unpad.apply(padded.flatten(0, 1), layout.slots)  # type: ignore[no-untyped-call]
    return rows


class _Unpad(torch.autograd.Function):
    """Take rows by index; as no row is taken twice, the way back is a copy and not a sum."""

    @staticmethod
    def forward(ctx: Any, padded: Tensor, slots: Tensor) -> Tensor:
        """Return the rows at `slots`."""
        ctx.save_for_backward(slots)
        ctx.n_rows = len(padded)
        return padded.index_select(0, slots)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        """Return the gradient of the padded rows."""
        (slots,) = ctx.saved_tensors
        empty = gradients[0].new_zeros(ctx.n_rows, gradients[0].shape[1])
        return empty.index_copy_(0, slots, gradients[0]), None
