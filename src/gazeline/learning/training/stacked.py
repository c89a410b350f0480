"""Fit the perceptrons of several seeds at once, their weights stacked.

A step on 32 pooled samples is so small that most of it is the overhead of its operations; stacked,
the seeds share that. Each seed has its own order, dropout and stopping, and learns what it would
alone.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from gazeline.console import progress
from gazeline.learning.training.batches import epoch_samples, shuffled_batches
from gazeline.learning.training.determinism import reproducible
from gazeline.learning.training.features import Ints
from gazeline.learning.training.fitted import Epoch, Fitted, Settings
from gazeline.learning.training.fitting import fitted
from gazeline.learning.training.loop import check_finite
from gazeline.learning.training.losses import sample_losses, weighted_loss
from gazeline.learning.training.models.mlp import Mlp
from gazeline.learning.training.models.registry import build_model
from gazeline.learning.training.objectives.classification import split_weights, steps_per_epoch
from gazeline.learning.training.problem import Problem
from gazeline.learning.training.schedules import Schedule

# Dropout draws from a stream of its own: the order of samples draws from the seed's.
DROPOUT_STREAM = 1
# Linear, batch norm, ReLU, dropout: see `Mlp`.
LAYERS_OF_HIDDEN = 4


@dataclass
class Learning:
    """One seed under way: its network, chance, schedule, and the best it has been.

    `averages` are Adam's two running averages of each trained tensor, in the order of a stack's
    leaves.
    """

    seed: int
    model: Mlp
    order: torch.Generator
    dropout: np.random.Generator
    schedule: Schedule
    averages: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    history: list[Epoch] = field(default_factory=list)
    best: float = math.inf
    best_epoch: int = 0
    best_state: dict[str, Tensor] = field(default_factory=dict)

    def note(self, epoch: Epoch) -> None:
        """Keep an epoch, and the weights where it is the best so far."""
        self.history.append(epoch)
        if epoch.validation_loss < self.best:
            self.best, self.best_epoch = epoch.validation_loss, epoch.epoch
            self.best_state = copy.deepcopy(self.model.state_dict())


@dataclass(frozen=True)
class Data:
    """The pooled samples of a fold on the device, [samples, width], and their classes."""

    features: Tensor
    targets: Tensor
    train_weights: Tensor
    validation_weights: Tensor
    validation: Tensor


def fit_stacked(
    problem: Problem, settings: Settings, seeds: Sequence[int], where: str
) -> list[Fitted]:
    """Train perceptrons of all seeds until each one's validation loss no longer improves.

    Raises:
        LearningError: a loss is not finite; experiment, fold, seed and epoch are named.
    """
    runs = [_start(problem, settings, seed) for seed in seeds]
    data = _data(problem, settings, runs[0].model)
    active = runs
    stacks: list[Stack] = []
    with reproducible(0):
        n_epochs = settings.training.epochs
        for number in progress(range(1, n_epochs + 1), total=n_epochs, label=where, unit="epoch"):
            stacks = _restacked(stacks, active, settings)
            for stack in stacks:
                losses = _train(stack, data, problem, settings)
                for run, loss in zip(stack.runs, losses, strict=True):
                    _end_epoch(run, Epoch(number, loss, 0.0, stack.rate), data, where)
            patience = settings.training.patience
            active = [run for run in active if number - run.best_epoch < patience]
            if not active:
                break
    for run in runs:
        run.model.load_state_dict(run.best_state)
    return [fitted(run.model, settings.device, run.history, run.best_epoch) for run in runs]


def _restacked(stacks: list[Stack], active: Sequence[Learning], settings: Settings) -> list[Stack]:
    """Return the active seeds stacked by learning rate: one optimiser steps on all of a stack."""
    by_factor: dict[float, list[Learning]] = {}
    for run in active:
        by_factor.setdefault(run.schedule.factor, []).append(run)
    groups = list(by_factor.values())
    if [stack.runs for stack in stacks] == groups:
        return stacks
    return [Stack(group, settings) for group in groups]


def _start(problem: Problem, settings: Settings, seed: int) -> Learning:
    training, device = settings.training, settings.device
    with reproducible(seed) as order:
        model = build_model("mlp", settings.models, settings.moments, problem.n_outputs)
    model.to(device)
    assert isinstance(model, Mlp)
    return Learning(
        seed=seed,
        model=model,
        order=order,
        dropout=np.random.default_rng((seed, DROPOUT_STREAM)),
        schedule=Schedule(training, steps_per_epoch(problem, settings)),
    )


def _data(problem: Problem, settings: Settings, model: Mlp) -> Data:
    device = settings.device
    everything = np.arange(len(problem.targets), dtype=np.int64)
    with torch.no_grad():
        features = model.represent(problem.batch(everything, device))
    return Data(
        features=features,
        targets=torch.from_numpy(problem.targets).to(device),
        train_weights=split_weights(problem, settings, "train"),
        validation_weights=split_weights(problem, settings, "validation"),
        validation=torch.from_numpy(problem.splits["validation"]).to(device),
    )


@dataclass(frozen=True)
class Hidden:
    """A hidden layer of all seeds: linear weights, batch norm's, and its running moments."""

    weight: Tensor
    scale: Tensor
    shift: Tensor
    mean: Tensor
    variance: Tensor
    eps: float
    momentum: float

    def __call__(self, x: Tensor) -> Tensor:
        """Return [seeds, width, batch] after linear, batch norm and ReLU; note the moments."""
        x = torch.bmm(self.weight, x)
        seeds, width, batch = x.shape
        # To batch norm, the units of all seeds are channels of one sample with `batch` places.
        normalised = functional.batch_norm(
            x.view(1, seeds * width, batch),
            self.mean.view(-1),
            self.variance.view(-1),
            self.scale.view(-1),
            self.shift.view(-1),
            training=True,
            momentum=self.momentum,
            eps=self.eps,
        )
        return functional.relu(normalised.view(seeds, width, batch))


class Stack:
    """The weights of several perceptrons as one tensor a kind, [seeds, ...].

    The networks' own parameters, and their averages, become rows of the stacked ones, so that each
    network is at any time what has been learnt.
    """

    def __init__(self, runs: list[Learning], settings: Settings) -> None:
        self.runs, self.rate = runs, 0.0
        self.leaves: list[Tensor] = []
        layers = [list(run.model.layers) for run in runs]
        self.hidden = [
            self._hidden([each[at] for each in layers], [each[at + 1] for each in layers])
            for at in range(0, len(layers[0]) - 1, LAYERS_OF_HIDDEN)
        ]
        last = [each[-1] for each in layers]
        self.weight, self.bias = self._joined(last, "weight"), self._joined(last, "bias")
        self.dropout = runs[0].model.dropout
        self.optimiser = torch.optim.Adam(
            self.leaves,
            weight_decay=settings.training.weight_decay,
            fused=settings.device.type != "mps",
        )
        self._remember()

    def _remember(self) -> None:
        """Give the optimiser the averages of its seeds, and the seeds their rows of them."""
        steps = self.runs[0].schedule.step
        for run in self.runs:
            run.averages = run.averages or [
                (torch.zeros_like(leaf[0]), torch.zeros_like(leaf[0])) for leaf in self.leaves
            ]
        for at, leaf in enumerate(self.leaves):
            first, second = (
                torch.stack([run.averages[at][which] for run in self.runs]) for which in (0, 1)
            )
            for run, *rows in zip(self.runs, first, second, strict=True):
                run.averages[at] = (rows[0], rows[1])
            self.optimiser.state[leaf] = {
                "step": torch.tensor(float(steps), device=leaf.device),
                "exp_avg": first,
                "exp_avg_sq": second,
            }

    def _hidden(self, linear: Sequence[nn.Module], norm: Sequence[nn.Module]) -> Hidden:
        first = norm[0]
        assert isinstance(first, nn.BatchNorm1d)
        assert first.momentum is not None
        return Hidden(
            weight=self._joined(linear, "weight"),
            scale=self._joined(norm, "weight"),
            shift=self._joined(norm, "bias"),
            mean=self._joined(norm, "running_mean"),
            variance=self._joined(norm, "running_var"),
            eps=first.eps,
            momentum=first.momentum,
        )

    def _joined(self, modules: Sequence[nn.Module], name: str) -> Tensor:
        """Return a parameter or buffer of all networks as one, of which theirs become the rows."""
        own: list[Tensor] = [getattr(module, name) for module in modules]
        joined = torch.stack([tensor.detach() for tensor in own])
        for tensor, row in zip(own, joined, strict=True):
            tensor.data = row
        if isinstance(own[0], nn.Parameter):
            self.leaves.append(joined.requires_grad_())
        return joined

    def logits(self, x: Tensor) -> Tensor:
        """Return logits [seeds, batch, outputs] of features [seeds, batch, width], in training.

        Samples are columns in between: gradients of weights then come out in the weights' layout.
        """
        x = x.mT
        for layer in self.hidden:
            x = layer(x)
            x = x * self._mask(x) if self.dropout else x
        return torch.baddbmm(self.bias[:, :, None], self.weight, x).mT

    def _mask(self, x: Tensor) -> Tensor:
        """Return what dropout multiplies by, each seed's from its own stream."""
        drawn = np.empty(x.shape, dtype=np.float32)
        for row, run in zip(drawn, self.runs, strict=True):
            run.dropout.random(dtype=np.float32, out=row)
        kept = (drawn >= self.dropout) / np.float32(1 - self.dropout)
        return torch.from_numpy(kept).to(x.device)

    def step(self, loss: Tensor) -> None:
        """Step on the gradients of a loss that is summed over the seeds."""
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        for run in self.runs:
            self.rate = run.schedule.next_rate()
        self.optimiser.param_groups[0]["lr"] = self.rate
        self.optimiser.step()


def _train(stack: Stack, data: Data, problem: Problem, settings: Settings) -> list[float]:
    """Go once through each seed's training samples; return the mean loss of each."""
    train, training = problem.splits["train"], settings.training
    orders: list[list[Ints]] = []
    for run in stack.runs:
        chosen = train[epoch_samples(problem.targets[train], training.balance, run.order)]
        orders.append(
            list(shuffled_batches(chosen, problem.lengths, training.batch_size, run.order))
        )
    total, n = torch.zeros(len(orders), device=settings.device), 0
    for batches in zip(*orders, strict=True):
        indices = torch.from_numpy(np.stack(batches)).to(settings.device)
        targets = data.targets[indices]
        logits = stack.logits(data.features[indices])
        weights = data.train_weights[targets]
        losses = sample_losses(logits.flatten(0, 1), targets.flatten()).view_as(weights)
        of_seed = (losses * weights).sum(dim=1) / weights.sum(dim=1)
        stack.step(of_seed.sum())
        total += of_seed.detach() * indices.shape[1]
        n += indices.shape[1]
    return (total / n).tolist()


@torch.no_grad()
def _end_epoch(run: Learning, epoch: Epoch, data: Data, where: str) -> None:
    """Measure the validation loss and keep the epoch."""
    run.model.eval()
    logits = run.model.layers(data.features[data.validation])
    loss = float(weighted_loss(logits, data.targets[data.validation], data.validation_weights))
    run.schedule.end_epoch(loss)
    epoch = replace(epoch, validation_loss=loss)
    check_finite(epoch, f"{where}, seed {run.seed}, epoch {epoch.epoch}")
    run.note(epoch)
