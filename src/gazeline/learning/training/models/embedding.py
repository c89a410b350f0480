"""From the features of one or several modalities to tokens of one width."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from gazeline.learning.training.models.inputs import Batch, InputScale, Moments
from gazeline.learning.training.models.packing import Layout, make_layout, positions

INITIAL_DEVIATION = 0.02


class TokenEmbedding(nn.Module):
    """Norm and projection of every token; with several modalities, to a common width before.

    The common width is the smallest of the modalities' (paper A.4.5). Modality and position are
    added to a token where `placed`: the published model of one modality knows neither, and the
    paper does not say how that of several tells its tokens apart.

    Args:
        caps: most tokens of a sample, by modality.
    """

    def __init__(
        self, width: int, moments: Mapping[str, Moments], caps: Mapping[str, int], *, placed: bool
    ) -> None:
        super().__init__()
        names = sorted(moments)
        common = min(len(m.mean) for m in moments.values())
        self.scales = nn.ModuleDict({name: InputScale(moments[name]) for name in names})
        self.commons = nn.ModuleDict(
            {name: nn.Linear(len(moments[name].mean), common) for name in names if len(names) > 1}
        )
        self.projection = nn.Sequential(nn.LayerNorm(common), nn.Linear(common, width))
        self.places = nn.ParameterDict(
            {name: _initial(caps[name], width) for name in names if placed}
        )
        self.kinds = nn.ParameterDict({name: _initial(1, width) for name in names if placed})

    def forward(self, batch: Batch) -> Tensor:
        """Return the packed tokens of the modalities, one after the other, [tokens, width]."""
        rows = []
        for name, scale in self.scales.items():
            values = scale(batch.tokens[name].values)
            rows.append(self.commons[name](values) if name in self.commons else values)
        tokens: Tensor = self.projection(torch.cat(rows) if len(rows) > 1 else rows[0])
        return tokens + self._placed(batch) if self.places else tokens

    def _placed(self, batch: Batch) -> Tensor:
        return torch.cat(
            [
                table[_at(batch, name, table.device)] + self.kinds[name]
                for name, table in self.places.items()
            ]
        )

    def layout(self, batch: Batch, *, extra: int = 0) -> Layout:
        """Return the layout of `extra` rows a sample before those of `forward`."""
        parts = [batch.tokens[name].lengths for name in self.scales]
        first = [parts[0] * 0 + extra] if extra else []
        return make_layout([*first, *parts], batch.films.device)


def _at(batch: Batch, name: str, device: torch.device) -> Tensor:
    return torch.from_numpy(positions(batch.tokens[name].lengths)).to(device)


def _initial(n: int, width: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(n, width) * INITIAL_DEVIATION)
