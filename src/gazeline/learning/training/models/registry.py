"""The networks by the name of the model, and their sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from torch import nn

from gazeline.learning.training.models.inputs import Classifier, Moments
from gazeline.learning.training.models.mlp import Mlp
from gazeline.learning.training.models.perceiver import Perceiver
from gazeline.learning.training.models.transformer import Differential, Transformer
from gazeline.params.learning import LATE, ModelName, ModelsParams


def build_model(
    name: ModelName, params: ModelsParams, moments: Mapping[str, Moments], n_outputs: int
) -> Classifier:
    """Return an untrained network; its weights are drawn from torch's generator.

    Args:
        moments: of each modality the network takes.
    """
    caps = {str(modality): n for modality, n in params.transformer.max_tokens.items()}
    if name == "mlp":
        return Mlp(params.mlp, moments, n_outputs)
    if name == "perceiver":
        return Perceiver(params.perceiver, moments, n_outputs, caps)
    kind = Differential if name == "differential" else Transformer
    return kind(params.transformer, moments, n_outputs, caps)


def fused_model(name: ModelName) -> ModelName:
    """Return the model that a late fusion trains on each modality (or the name itself)."""
    return cast(ModelName, name.removeprefix(LATE))


def model_sizes(name: ModelName, params: ModelsParams) -> dict[str, Any]:
    """Return the sizes that a model is built with, as `run.json` says them."""
    inner = fused_model(name)
    if inner == "differential":
        return params.transformer.model_dump() | params.differential.model_dump()
    section = inner.removesuffix("-classes")
    sizes: dict[str, Any] = getattr(params, section).model_dump(mode="json")
    if inner == "perceiver":
        sizes["max_tokens"] = dict(params.transformer.max_tokens)
    return sizes


def n_parameters(model: nn.Module) -> int:
    """Return how many numbers are trained."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
