"""A small Transformer over the tokens of one or several modalities (paper A.4.2 to A.4.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from gazeline.learning.training.models.embedding import TokenEmbedding
from gazeline.learning.training.models.inputs import Batch, Classifier, Moments
from gazeline.learning.training.models.packing import Layout, pad, unpad
from gazeline.params.learning import TransformerParams

CLS_DEVIATION = 0.02


class Transformer(Classifier):
    """Norm and projection, a CLS token, encoder layers, a two-layer head.

    The published model of one modality gives its tokens no position, so neither does this one.
    """

    def __init__(
        self,
        params: TransformerParams,
        moments: Mapping[str, Moments],
        n_outputs: int,
        caps: Mapping[str, int],
    ) -> None:
        super().__init__()
        self.embedding = TokenEmbedding(params.width, moments, caps, placed=len(moments) > 1)
        self.cls = nn.Parameter(torch.randn(1, params.width) * CLS_DEVIATION)
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

    def represent(self, batch: Batch) -> Tensor:
        """Return what the CLS token has become, [batch, width]."""
        cls = self.cls.expand(len(batch.films), -1)
        rows = torch.cat([cls, self.embedding(batch)])
        return encode_first(self.encoder, rows, self.embedding.layout(batch, extra=1))

    def classify(self, features: Tensor, films: Tensor) -> Tensor:
        """Return logits [samples, outputs]; films do not matter."""
        logits: Tensor = self.head(features)
        return logits


class Differential(Transformer):
    """The same, classifying how a segment differs from the mean of its film (paper 4.4.4).

    The mean is over the samples given together: those of a batch in training, all of the film
    that are predicted otherwise.
    """

    def classify(self, features: Tensor, films: Tensor) -> Tensor:
        """Return logits [samples, outputs] of the features less their film's mean."""
        return super().classify(features - film_means(features, films), films)


def film_means(features: Tensor, films: Tensor) -> Tensor:
    """Return for every sample the mean of the features of its film, [samples, d]."""
    same = (films[:, None] == films[None, :]).to(features.dtype)
    means: Tensor = (same / same.sum(dim=1, keepdim=True)) @ features
    return means


def encode_first(encoder: nn.TransformerEncoder, rows: Tensor, layout: Layout) -> Tensor:
    """Return the encoder's output for the first token of every sample, [batch, d].

    The same numbers as the encoder on padded tokens gives, but every layer computes on real tokens
    only, and the last one only what the first token needs.

    Args:
        rows: packed tokens [rows, d], the first tokens of all samples first.
    """
    layers = cast(list[nn.TransformerEncoderLayer], list(encoder.layers))
    for layer in layers[:-1]:
        rows = _layer(layer, rows, layout, None)
    return _layer(layers[-1], rows, layout, len(layout.real))


def _layer(
    layer: nn.TransformerEncoderLayer, rows: Tensor, layout: Layout, n_first: int | None
) -> Tensor:
    """Return the output of a post-norm layer for the first `n_first` rows (None: for all)."""
    asking = rows[:n_first]
    attended = _attend(layer.self_attn, rows, layout, n_first)
    asking = layer.norm1(asking + layer.dropout1(attended))
    hidden = layer.dropout(functional.gelu(layer.linear1(asking)))
    out: Tensor = layer.norm2(asking + layer.dropout2(layer.linear2(hidden)))
    return out


def _attend(
    attention: nn.MultiheadAttention, rows: Tensor, layout: Layout, n_first: int | None
) -> Tensor:
    """Return self-attention's output for the first `n_first` rows (None: for all), packed."""
    width, heads = attention.embed_dim, attention.num_heads
    weight, bias = attention.in_proj_weight, attention.in_proj_bias
    if n_first is None:
        q, k, v = _heads(pad(functional.linear(rows, weight, bias), layout), 3, heads)
    else:
        k, v = _heads(pad(functional.linear(rows, weight[width:], bias[width:]), layout), 2, heads)
        asked = functional.linear(rows[:n_first], weight[:width], bias[:width])
        (q,) = _heads(asked[:, None, :], 1, heads)
    mixed = functional.scaled_dot_product_attention(
        q, k, v, layout.key_mask, dropout_p=attention.dropout if attention.training else 0.0
    )
    flat = mixed.transpose(1, 2).flatten(2)
    packed = unpad(flat, layout) if n_first is None else flat[:, 0]
    out: Tensor = attention.out_proj(packed)
    return out


def _heads(padded: Tensor, n: int, heads: int) -> tuple[Tensor, ...]:
    """Split [batch, longest, n * d] into n of [batch, heads, longest, d / heads]."""
    batch, longest, _ = padded.shape
    return padded.view(batch, longest, n, heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
