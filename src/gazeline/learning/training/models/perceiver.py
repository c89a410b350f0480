"""Perceiver IO over extracted features (paper Sec. 4.5.1; Jaegle et al., 2022)."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from gazeline.learning.training.models.embedding import INITIAL_DEVIATION, TokenEmbedding
from gazeline.learning.training.models.inputs import Batch, Classifier, Moments
from gazeline.learning.training.models.packing import pad
from gazeline.params.learning import PerceiverParams


class Perceiver(Classifier):
    """Learned latents read the tokens, attend to each other, and one query reads them.

    Modality and position are part of every token, as attention to latents knows neither.
    """

    def __init__(
        self,
        params: PerceiverParams,
        moments: Mapping[str, Moments],
        n_outputs: int,
        caps: Mapping[str, int],
    ) -> None:
        super().__init__()
        self.embedding = TokenEmbedding(params.width, moments, caps, placed=True)
        self.latents = nn.Parameter(torch.randn(params.latents, params.width) * INITIAL_DEVIATION)
        self.query = nn.Parameter(torch.randn(1, params.width) * INITIAL_DEVIATION)
        self.read = Reading(params)
        layer = nn.TransformerEncoderLayer(
            d_model=params.width,
            nhead=params.heads,
            dim_feedforward=params.feedforward,
            dropout=params.dropout,
            activation="gelu",
            batch_first=True,
            norm_first=True,
        )
        self.encoder = nn.TransformerEncoder(layer, params.layers, enable_nested_tensor=False)
        self.decode = Reading(params)
        self.head = nn.Linear(params.width, n_outputs)

    def represent(self, batch: Batch) -> Tensor:
        """Return the query's answer for each sample, [batch, width]."""
        n, layout = len(batch.films), self.embedding.layout(batch)
        tokens = pad(self.embedding(batch), layout)
        latents = self.read(self.latents.expand(n, -1, -1), tokens, ~layout.real)
        answer: Tensor = self.decode(self.query.expand(n, -1, -1), self.encoder(latents), None)
        return answer[:, 0]

    def classify(self, features: Tensor, films: Tensor) -> Tensor:
        """Return logits [samples, outputs]; films do not matter."""
        logits: Tensor = self.head(features)
        return logits


class Reading(nn.Module):
    """Cross-attention from queries to what is read, and a feed-forward layer, norms before."""

    def __init__(self, params: PerceiverParams) -> None:
        super().__init__()
        width = params.width
        self.norm_query, self.norm_read = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(
            width, params.heads, dropout=params.dropout, batch_first=True
        )
        self.dropout = nn.Dropout(params.dropout)
        self.forward_layers = nn.Sequential(
            nn.LayerNorm(width),
            nn.Linear(width, params.feedforward),
            nn.GELU(),
            nn.Dropout(params.dropout),
            nn.Linear(params.feedforward, width),
            nn.Dropout(params.dropout),
        )

    def forward(self, queries: Tensor, read: Tensor, padding: Tensor | None) -> Tensor:
        """Return queries [batch, n, width] after reading [batch, m, width]."""
        read = self.norm_read(read)
        mixed, _ = self.attention(
            self.norm_query(queries), read, read, key_padding_mask=padding, need_weights=False
        )
        queries = queries + self.dropout(mixed)
        out: Tensor = queries + self.forward_layers(queries)
        return out
