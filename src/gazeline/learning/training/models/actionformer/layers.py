"""Masked layers over sequences [batch, channels, cells]; what is masked stays zero."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

KERNEL = 3
# What a residual branch is multiplied by at first, so that fresh blocks change little.
BRANCH_SCALE = 1e-4


def shorter(mask: Tensor, stride: int) -> Tensor:
    """Return the mask of a sequence of which every `stride`-th cell is kept, [batch, cells]."""
    return mask[:, ::stride]


class MaskedConv(nn.Module):
    """A convolution whose result is zero where masked; it keeps the length, over its stride."""

    def __init__(
        self, inputs: int, outputs: int, kernel: int = KERNEL, stride: int = 1, groups: int = 1,
        *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.stride = stride
        self.conv = nn.Conv1d(
            inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=bias
        )
        if bias:
            nn.init.zeros_(self.conv.bias)  # type: ignore[arg-type]

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return [batch, outputs, cells / stride]."""
        out: Tensor = self.conv(x) * shorter(mask, self.stride)[:, None]
        return out


class ChannelNorm(nn.Module):
    """Layer norm over the channels of each cell."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        """Return [batch, channels, cells]."""
        out: Tensor = self.norm(x.mT).mT
        return out


class Branch(nn.Module):
    """Scale a residual branch per channel, and leave it out at random in training."""

    def __init__(self, width: int, drop: float) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.full((1, width, 1), BRANCH_SCALE))
        self.drop = drop

    def forward(self, x: Tensor) -> Tensor:
        """Return the branch, of each sample whole or zero."""
        x = self.scale * x
        if not self.training or not self.drop:
            return x
        kept = torch.rand(len(x), 1, 1, device=x.device) >= self.drop
        return x * kept / (1 - self.drop)


class LocalAttention(nn.Module):
    """Attention of each cell to those at most half a window away, after depthwise convolutions."""

    def __init__(self, width: int, heads: int, window: int, stride: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.window, self.dropout = heads, window, dropout
        self.stride = stride
        self.convs = nn.ModuleList(
            MaskedConv(width, width, KERNEL, stride, groups=width, bias=False) for _ in range(3)
        )
        self.norms = nn.ModuleList(ChannelNorm(width) for _ in range(3))
        self.inputs = nn.ModuleList(nn.Conv1d(width, width, 1) for _ in range(3))
        self.output = nn.Conv1d(width, width, 1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return [batch, width, cells / stride]."""
        query, key, value = (
            project(norm(conv(x, mask))).unflatten(1, (self.heads, -1)).mT
            for conv, norm, project in zip(self.convs, self.norms, self.inputs, strict=True)
        )
        kept = shorter(mask, self.stride)
        cells = torch.arange(kept.shape[1], device=x.device)
        near = (cells[:, None] - cells[None, :]).abs() <= self.window // 2
        # A cell sees itself even where masked, so that no row is empty.
        seen = (near[None] & kept[:, None, :]) | torch.eye(len(cells), device=x.device).bool()
        found = F.scaled_dot_product_attention(
            query, key, value, attn_mask=seen[:, None],
            dropout_p=self.dropout if self.training else 0.0,
        )  # fmt: skip
        out: Tensor = self.output(found.mT.flatten(1, 2)) * kept[:, None]
        return out


class Block(nn.Module):
    """Local attention, then a two-layer perceptron, each beside a residual; it may halve time."""

    def __init__(
        self, width: int, heads: int, window: int, stride: int, dropout: float, drop_path: float
    ) -> None:
        super().__init__()
        self.stride = stride
        self.norms = nn.ModuleList(ChannelNorm(width) for _ in range(2))
        self.attention = LocalAttention(width, heads, window, stride, dropout)
        self.perceptron = nn.Sequential(
            nn.Conv1d(width, 4 * width, 1), nn.GELU(), nn.Dropout(dropout),
            nn.Conv1d(4 * width, width, 1), nn.Dropout(dropout),
        )  # fmt: skip
        self.branches = nn.ModuleList(Branch(width, drop_path) for _ in range(2))

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return [batch, width, cells / stride] and its mask."""
        kept = shorter(mask, self.stride)
        skipped = x
        if self.stride > 1:
            skipped = F.max_pool1d(x, self.stride + 1, self.stride, (self.stride + 1) // 2)
        x = skipped * kept[:, None] + self.branches[0](self.attention(self.norms[0](x), mask))
        x = x + self.branches[1](self.perceptron(self.norms[1](x)) * kept[:, None])
        return x, kept
