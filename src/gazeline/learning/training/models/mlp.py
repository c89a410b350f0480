"""Mean of the tokens, then hidden layers with batch norm and dropout (paper Sec. 4.3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import torch
from torch import Tensor, nn

from gazeline.learning.training.models.inputs import Inputs, InputScale, Moments, Tokens
from gazeline.params.learning import MlpParams


class Mlp(nn.Module):
    """Concatenated means of the modalities through `hidden` layers to `n_outputs` logits."""

    def __init__(self, params: MlpParams, moments: Mapping[str, Moments], n_outputs: int) -> None:
        super().__init__()
        self.scales = nn.ModuleDict({name: InputScale(m) for name, m in sorted(moments.items())})
        widths = [sum(len(m.mean) for m in moments.values()), *params.hidden]
        layers: list[nn.Module] = []
        for before, after in pairwise(widths):
            layers += [
                nn.Linear(before, after),
                nn.BatchNorm1d(after),
                nn.ReLU(),
                nn.Dropout(params.dropout),
            ]
        self.layers = nn.Sequential(*layers, nn.Linear(widths[-1], n_outputs))

    def forward(self, inputs: Inputs) -> Tensor:
        """Return logits [batch, n_outputs]."""
        pooled = [scale(masked_mean(inputs[name])) for name, scale in self.scales.items()]
        logits: Tensor = self.layers(torch.cat(pooled, dim=1))
        return logits


def masked_mean(tokens: Tokens) -> Tensor:
    """Return the mean of the real tokens, [batch, width]."""
    real = (~tokens.padding).unsqueeze(2).to(tokens.values.dtype)
    return (tokens.values * real).sum(dim=1) / real.sum(dim=1)
