"""The network: embedding, pyramid, and a classification and a regression head for every level."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from gazeline.learning.training.models.actionformer.layers import Block, ChannelNorm, MaskedConv
from gazeline.params.actionformer import ActionFormerParams


@dataclass(frozen=True)
class Level:
    """One level of the pyramid, of which each point stands for `stride` cells.

    `logits` is [batch, points, classes]; `offsets` [batch, points, 2], how far an interval reaches
    before and after the point, in strides, never negative; `mask` is bool [batch, points].
    """

    stride: int
    logits: Tensor
    offsets: Tensor
    mask: Tensor


class Head(nn.Module):
    """Convolutions shared by the levels, with an output per point."""

    def __init__(self, width: int, outputs: int, layers: int) -> None:
        super().__init__()
        hidden = range(layers - 1)
        self.convs = nn.ModuleList(MaskedConv(width, width, bias=False) for _ in hidden)
        self.norms = nn.ModuleList(ChannelNorm(width) for _ in hidden)
        self.output = MaskedConv(width, outputs)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return [batch, outputs, points]."""
        for conv, norm in zip(self.convs, self.norms, strict=True):
            x = torch.relu(norm(conv(x, mask)))
        out: Tensor = self.output(x, mask)
        return out


class ActionFormer(nn.Module):
    """Localise intervals of `n_classes` classes in sequences of `n_features` features a cell."""

    normaliser: Tensor

    def __init__(self, n_features: int, n_classes: int, params: ActionFormerParams) -> None:
        super().__init__()
        width, n_levels = params.width, len(params.regression_ranges)
        sizes = [n_features] + [width] * params.embedding_layers
        layers = range(params.embedding_layers)
        self.embedding = nn.ModuleList(
            MaskedConv(sizes[i], sizes[i + 1], bias=False) for i in layers
        )
        self.embedding_norms = nn.ModuleList(ChannelNorm(width) for _ in layers)
        self.stem = nn.ModuleList(_block(params, 1) for _ in range(params.stem_layers))
        self.branch = nn.ModuleList(_block(params, 2) for _ in range(n_levels - 1))
        self.neck = nn.ModuleList(ChannelNorm(width) for _ in range(n_levels))
        self.classify = Head(width, n_classes, params.head_layers)
        self.regress = Head(width, 2, params.head_layers)
        self.scales = nn.Parameter(torch.ones(n_levels))
        bias = self.classify.output.conv.bias
        assert bias is not None
        nn.init.constant_(bias, -math.log((1 - params.prior) / params.prior))
        # A running mean of the positive points of a batch divides the losses.
        self.register_buffer("normaliser", torch.tensor(100.0))

    def forward(self, x: Tensor, mask: Tensor) -> list[Level]:
        """Return the levels, finest first.

        Args:
            x: [batch, features, cells]; the number of cells divides by the coarsest stride.
            mask: bool [batch, cells], False for padding.
        """
        x = x * mask[:, None]
        for conv, norm in zip(self.embedding, self.embedding_norms, strict=True):
            x = torch.relu(norm(conv(x, mask)))
        for block in self.stem:
            x, mask = block(x, mask)
        levels = [self._level(0, x, mask)]
        for number, block in enumerate(self.branch, 1):
            x, mask = block(x, mask)
            levels.append(self._level(number, x, mask))
        return levels

    def _level(self, number: int, x: Tensor, mask: Tensor) -> Level:
        x = self.neck[number](x) * mask[:, None]
        offsets = torch.relu(self.regress(x, mask) * self.scales[number]).mT
        return Level(2**number, self.classify(x, mask).mT, offsets, mask)


def _block(params: ActionFormerParams, stride: int) -> Block:
    return Block(
        params.width, params.heads, params.window, stride, params.dropout, params.drop_path
    )
