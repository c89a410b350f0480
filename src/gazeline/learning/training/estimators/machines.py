"""The fitted models as modules, so that their weights are kept like those of any other."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from gazeline.learning.training.estimators.described import LAYOUT, NEAR, OWN
from gazeline.learning.training.models.inputs import InputScale, Moments
from gazeline.params.learning import KernelParams

LANDMARKS = "landmarks"
Blocks = Mapping[str, Tensor]


class LinearMachine(nn.Module):
    """Scaled blocks side by side, a weight each: logits [samples, outputs]."""

    def __init__(self, scales: nn.ModuleDict, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.scales = scales
        self.weight = nn.Parameter(weight)
        self.bias = nn.Parameter(bias)

    def forward(self, blocks: Blocks) -> Tensor:
        """Return logits."""
        logits: Tensor = torch.cat(list(scaled(self.scales, blocks).values()), dim=1).to(
            self.weight.dtype
        )
        return logits @ self.weight.T + self.bias


class KernelMachine(nn.Module):
    """Weighted likeness to the training segments, then a scale: logits [samples, outputs].

    `support` holds the scaled blocks of the training segments, `landmarks` what the block of that
    name was measured from.
    """

    landmarks: Tensor

    def __init__(
        self,
        params: KernelParams,
        scales: nn.ModuleDict,
        support: Blocks,
        coefficients: Tensor,
        landmarks: Tensor,
    ) -> None:
        super().__init__()
        self.params = params
        self.scales = scales
        self.support = nn.ParameterDict(
            {name: nn.Parameter(rows, requires_grad=False) for name, rows in support.items()}
        )
        self.coefficients = nn.Parameter(coefficients)
        self.slope = nn.Parameter(torch.ones((), dtype=coefficients.dtype))
        self.bias = nn.Parameter(torch.zeros(coefficients.shape[1], dtype=coefficients.dtype))
        self.register_buffer("landmarks", landmarks)

    def raw(self, blocks: Blocks) -> Tensor:
        """Return the regression itself, before it is made a logit."""
        kernel = likeness(scaled(self.scales, blocks), dict(self.support.items()), self.params)
        return kernel.to(self.coefficients.dtype) @ self.coefficients

    def forward(self, blocks: Blocks) -> Tensor:
        """Return logits."""
        return self.slope * self.raw(blocks) + self.bias


def scaled(scales: nn.ModuleDict, blocks: Blocks) -> dict[str, Tensor]:
    """Return the blocks centred and scaled by the training segments."""
    return {name: scale(blocks[name]) for name, scale in scales.items()}


def block_scale(rows: Tensor) -> InputScale:
    """Return the scale of a block by the training segments' rows."""
    return InputScale(Moments(rows.mean(dim=0), rows.std(dim=0, correction=0)))


def likeness(left: Blocks, right: Blocks, params: KernelParams) -> Tensor:
    """Return the sum of three kernels, float32 [left, right].

    Each is exp(-scale * mean squared difference / 2): of the segment's and its neighbours' mean
    features together, of the nearness to landmarks, of the layout. A sum asks for likeness in any
    of them; the product, one kernel of everything, asks for likeness in all.
    """
    text = {name: params.neighbour_scale for name in left if name.startswith(NEAR)}
    terms = [
        {OWN: params.own_scale, **text},
        {LANDMARKS: params.landmark_scale},
        {LAYOUT: params.layout_scale},
    ]
    total = torch.zeros(())
    for term in terms:
        parts = [
            s * _difference(left[name], right[name]) for name, s in term.items() if name in left
        ]
        if parts:
            total = total + torch.exp(-torch.stack(parts).sum(dim=0))
    return total


def _difference(left: Tensor, right: Tensor) -> Tensor:
    """Return half the mean squared difference of the features, [left, right]."""
    squares = (left**2).sum(dim=1)[:, None] + (right**2).sum(dim=1)[None, :]
    return (squares - 2 * left @ right.T).clamp_min(0) / (2 * left.shape[1])
