"""A Transformer over the cells of a stretch of film, with an answer for each cell."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from gazeline.learning.training.cells.stretches import CellBatch
from gazeline.learning.training.models.embedding import INITIAL_DEVIATION
from gazeline.learning.training.models.inputs import InputScale, Moments
from gazeline.params.temporal import TemporalParams

# The slowest wave of the positions, in cells (Vaswani et al., 2017, Sec. 3.5).
LONGEST_WAVE = 10_000.0


class CellScale(nn.Module):
    """Centre and scale the modalities of cells; what the copy lacks stays zero.

    Args:
        moments: of each modality, in the order of `columns`.
        columns: of the modalities in a cell.
    """

    def __init__(self, moments: Mapping[str, Moments], columns: Mapping[str, slice]) -> None:
        super().__init__()
        self.columns = dict(columns)
        self.scales = nn.ModuleDict({name: InputScale(moments[name]) for name in columns})

    def forward(self, batch: CellBatch) -> dict[str, Tensor]:
        """Return the scaled cells by modality, each [batch, cells, width]."""
        return {
            name: self.scales[name](batch.values[..., span]) * batch.present[..., i, None]
            for i, (name, span) in enumerate(self.columns.items())
        }


class Temporal(nn.Module):
    """A projection of each modality, their sum with a place in time, encoder layers, a head.

    A modality that a cell lacks is replaced by a learned vector.

    Args:
        answers: mean and deviation that the head's outputs are given.
    """

    mean: Tensor
    deviation: Tensor

    def __init__(
        self,
        params: TemporalParams,
        moments: Mapping[str, Moments],
        columns: Mapping[str, slice],
        answers: Moments,
    ) -> None:
        super().__init__()
        width = params.width
        self.scale = CellScale(moments, columns)
        self.projections = nn.ModuleDict(
            {name: nn.Linear(span.stop - span.start, width) for name, span in columns.items()}
        )
        self.absent = nn.ParameterDict(
            {name: nn.Parameter(torch.randn(width) * INITIAL_DEVIATION) for name in columns}
        )
        self.norm, self.dropout = nn.LayerNorm(width), nn.Dropout(params.dropout)
        layer = nn.TransformerEncoderLayer(
            d_model=width,
            nhead=params.heads,
            dim_feedforward=params.feedforward,
            dropout=params.dropout,
            activation="gelu",
            batch_first=True,
            norm_first=True,
        )
        self.encoder = nn.TransformerEncoder(layer, params.layers, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, len(answers.mean)))
        self.register_buffer("mean", answers.mean.clone())
        self.register_buffer("deviation", answers.deviation.clone())

    def forward(self, batch: CellBatch) -> Tensor:
        """Return an answer for each cell, [batch, cells, outputs]; of padding, any numbers."""
        scaled, tokens = self.scale(batch), torch.zeros((), device=batch.values.device)
        for index, (name, values) in enumerate(scaled.items()):
            there = batch.present[..., index, None]
            tokens = tokens + torch.where(there, self.projections[name](values), self.absent[name])
        places = sinusoids(tokens.shape[1], tokens.shape[2]).to(tokens)
        hidden = self.encoder(
            self.dropout(self.norm(tokens) + places), src_key_padding_mask=~batch.real
        )
        out: Tensor = self.head(hidden) * self.deviation + self.mean
        return out


def sinusoids(n: int, width: int) -> Tensor:
    """Return fixed positions, sines and cosines of growing waves side by side, [n, width]."""
    pairs = math.ceil(width / 2)
    rates = torch.exp(-math.log(LONGEST_WAVE) * torch.arange(pairs) / pairs)
    angles = torch.arange(n)[:, None] * rates[None, :]
    waves = torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)
    return waves[:, :width]
