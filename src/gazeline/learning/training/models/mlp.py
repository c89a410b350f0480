"""Mean of the tokens, then hidden layers with batch norm and dropout (paper Sec. 4.3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from gazeline.learning.training.models.inputs import Batch, Classifier, InputScale, Moments, Tokens
from gazeline.params.learning import MlpParams


class Mlp(Classifier):
    """Concatenated means of the modalities through `hidden` layers to `n_outputs` logits."""

    def __init__(self, params: MlpParams, moments: Mapping[str, Moments], n_outputs: int) -> None:
        super().__init__()
        self.scales = nn.ModuleDict({name: InputScale(m) for name, m in sorted(moments.items())})
        self.dropout = params.dropout
        widths = [sum(len(m.mean) for m in moments.values()), *params.hidden]
        layers: list[nn.Module] = []
        for before, after in pairwise(widths):
            layers += [
                # Batch norm takes a bias away again, and Adam would walk it at random: its gradient
                # is nothing but rounding.
                nn.Linear(before, after, bias=False),
                nn.BatchNorm1d(after),
                nn.ReLU(),
                nn.Dropout(params.dropout),
            ]
        self.layers = nn.Sequential(*layers, nn.Linear(widths[-1], n_outputs))

    def represent(self, batch: Batch) -> Tensor:
        """Return the scaled means of the modalities side by side, [batch, widths together]."""
        pooled = [scale(token_means(batch.tokens[name])) for name, scale in self.scales.items()]
        return torch.cat(pooled, dim=1)

    def classify(self, features: Tensor, films: Tensor) -> Tensor:
        """Return logits [samples, outputs]; films do not matter."""
        logits: Tensor = self.layers(features)
        return logits


def token_means(tokens: Tokens) -> Tensor:
    """Return the mean token of every sample, [batch, width]."""
    if len(tokens.values) == len(tokens.lengths):
        return tokens.values
    samples = torch.from_numpy(np.repeat(np.arange(len(tokens.lengths)), tokens.lengths))
    sums = tokens.values.new_zeros(len(tokens.lengths), tokens.values.shape[1])
    sums = sums.index_add(0, samples.to(sums.device), tokens.values)
    return sums / torch.from_numpy(tokens.lengths).to(sums)[:, None]
