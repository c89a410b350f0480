"""The optimiser of a run, and the running average of the weights it makes."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn

from gazeline.params.learning import TrainingParams


def make_optimiser(
    model: nn.Module, training: TrainingParams, device: torch.device
) -> torch.optim.Optimizer:
    """Return Adam, or AdamW, which leaves biases, norms and embeddings of one axis undecayed."""
    fused = device.type != "mps"
    if training.optimiser == "adam":
        return torch.optim.Adam(model.parameters(), weight_decay=training.weight_decay, fused=fused)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {"params": [p for p in trained if p.ndim > 1], "weight_decay": training.weight_decay},
        {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, fused=fused)


class WeightAverage:
    """A copy of a network whose weights are an exponential running average of its own.

    Buffers are copied as they are.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.model = copy.deepcopy(model).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        """Move the average a step towards `model`."""
        averages = dict(self.model.named_parameters())
        for name, parameter in model.named_parameters():
            averages[name].lerp_(parameter, 1 - self.decay)
        buffers: dict[str, Tensor] = dict(self.model.named_buffers())
        for name, buffer in model.named_buffers():
            buffers[name].copy_(buffer)
