"""A small Transformer over the tokens of one modality (paper A.4.2 to A.4.4).

The published model gives its tokens no position; neither does this one.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from gazeline.learning.training.models.inputs import Inputs, InputScale, Moments
from gazeline.params.learning import TransformerParams

CLS_DEVIATION = 0.02


class Transformer(nn.Module):
    """Norm and projection per modality, a CLS token, encoder layers, a two-layer head."""

    def __init__(
        self, params: TransformerParams, moments: Mapping[str, Moments], n_outputs: int
    ) -> None:
        super().__init__()
        self.projections = nn.ModuleDict(
            {name: _projection(m, params.width) for name, m in sorted(moments.items())}
        )
        self.cls = nn.Parameter(torch.randn(1, 1, params.width) * CLS_DEVIATION)
        layer = nn.TransformerEncoderLayer(
            d_model=params.width,
            nhead=params.heads,
            dim_feedforward=params.feedforward,
            dropout=params.dropout,
            activation="gelu",
            batch_first=True,
        )
        self.encoder = nn.TransformerEncoder(layer, params.layers, enable_nested_tensor=False)
        self.head = nn.Sequential(
            nn.Linear(params.width, params.width), nn.ReLU(), nn.Linear(params.width, n_outputs)
        )

    def forward(self, inputs: Inputs) -> Tensor:
        """Return logits [batch, n_outputs]."""
        parts = [project(inputs[name].values) for name, project in self.projections.items()]
        padding = torch.cat([inputs[name].padding for name in self.projections], dim=1)
        cls = self.cls.expand(len(padding), -1, -1)
        hidden = self.encoder(
            torch.cat([cls, *parts], dim=1),
            src_key_padding_mask=nn.functional.pad(padding, (1, 0), value=False),
        )
        logits: Tensor = self.head(hidden[:, 0])
        return logits


def _projection(moments: Moments, width: int) -> nn.Sequential:
    features = len(moments.mean)
    return nn.Sequential(InputScale(moments), nn.LayerNorm(features), nn.Linear(features, width))
