"""The models by name, and how each wants its tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from torch import nn

from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.models.mlp import Mlp
from gazeline.learning.training.models.transformer import Transformer
from gazeline.params.learning import ModelsParams

ModelName = Literal["mlp", "transformer", "logistic", "kernel"]


def build_model(
    name: ModelName, params: ModelsParams, moments: Mapping[str, Moments], n_outputs: int
) -> nn.Module:
    """Return an untrained model; its weights are drawn from torch's generator."""
    if name == "mlp":
        return Mlp(params.mlp, moments, n_outputs)
    return Transformer(params.transformer, moments, n_outputs)


def pools_tokens(name: ModelName) -> bool:
    """Return whether a model sees only the mean token, which is then computed once."""
    return name == "mlp"


def max_tokens(name: ModelName, params: ModelsParams, modality: str) -> int | None:
    """Return how many tokens of a sample a model takes; None is all of them."""
    caps = {str(name): n for name, n in params.transformer.max_tokens.items()}
    return None if pools_tokens(name) else caps.get(modality)


def n_parameters(model: nn.Module) -> int:
    """Return how many numbers are trained."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
