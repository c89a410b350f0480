"""Fit one model on one fold with one seed: the only training loop of the project."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from gazeline.errors import LearningError
from gazeline.learning.training.batches import (
    n_oversampled,
    oversampled,
    shuffled_batches,
    sorted_batches,
)
from gazeline.learning.training.determinism import reproducible
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.losses import class_weights, weighted_loss
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.models.registry import ModelName, build_model, n_parameters
from gazeline.learning.training.problem import Problem
from gazeline.learning.training.schedules import Schedule
from gazeline.params.learning import ModelsParams, TrainingParams

# Tokens of a prediction batch: bounds memory, whatever the length of the samples.
PREDICTION_TOKENS = 16_384


@dataclass(frozen=True)
class Settings:
    """What to fit: the model, its sizes, the training, and moments of the training tokens."""

    model: ModelName
    models: ModelsParams
    training: TrainingParams
    moments: Mapping[str, Moments]
    device: torch.device


@dataclass(frozen=True)
class Epoch:
    """One row of the history; `lr` is the rate of the epoch's last step."""

    epoch: int
    train_loss: float
    validation_loss: float
    lr: float


@dataclass(frozen=True)
class Fitted:
    """A model at its best epoch (lowest validation loss) and how it got there."""

    model: nn.Module
    history: tuple[Epoch, ...]
    best_epoch: int
    n_parameters: int


def fit(problem: Problem, settings: Settings, seed: int, where: str) -> Fitted:
    """Train until the validation loss has not improved for `patience` epochs.

    The same problem, settings and seed give the same weights to the last bit on one machine.
    Validation weighs classes as training does: equally, unless `balance` is none.

    Args:
        where: experiment and fold, for messages.

    Raises:
        LearningError: a loss is not finite; experiment, fold, seed and epoch are named.
    """
    with reproducible(seed) as generator:
        run = _start(problem, settings, generator)
        best, best_state = math.inf, run.model.state_dict()
        history: list[Epoch] = []
        best_epoch = 0
        for number in range(1, settings.training.epochs + 1):
            epoch = _epoch(run, number)
            _check_finite(epoch, f"{where}, seed {seed}, epoch {number}")
            history.append(epoch)
            if epoch.validation_loss < best:
                best, best_epoch = epoch.validation_loss, number
                best_state = copy.deepcopy(run.model.state_dict())
            if number - best_epoch >= settings.training.patience:
                break
        run.model.load_state_dict(best_state)
    return Fitted(run.model, tuple(history), best_epoch, n_parameters(run.model))


def predict(model: nn.Module, problem: Problem, indices: Ints, device: torch.device) -> Floats:
    """Return class probabilities of samples, [samples, outputs] (one output for two classes)."""
    logits = _logits(model, problem, indices, device)
    scores = torch.sigmoid(logits) if problem.n_outputs == 1 else torch.softmax(logits, dim=1)
    result: Floats = scores.cpu().numpy()
    return result


@dataclass(frozen=True)
class _Run:
    """What one seed trains with; the model, optimiser, schedule and generator change."""

    problem: Problem
    settings: Settings
    generator: torch.Generator
    model: nn.Module
    optimiser: torch.optim.Optimizer
    schedule: Schedule
    train_weights: Tensor
    validation_weights: Tensor


def _start(problem: Problem, settings: Settings, generator: torch.Generator) -> _Run:
    training, device = settings.training, settings.device
    model = build_model(settings.model, settings.models, settings.moments, problem.n_outputs)
    model.to(device)
    targets = {name: problem.targets[indices] for name, indices in problem.splits.items()}
    n_classes, balance = len(problem.classes), training.balance
    n_samples = len(targets["train"])
    if balance == "oversample":
        n_samples = n_oversampled(targets["train"])
    return _Run(
        problem=problem,
        settings=settings,
        generator=generator,
        model=model,
        optimiser=torch.optim.Adam(
            model.parameters(), weight_decay=training.weight_decay, fused=device.type != "mps"
        ),
        schedule=Schedule(training, math.ceil(n_samples / training.batch_size)),
        train_weights=class_weights(targets["train"], n_classes, even=balance == "weights").to(
            device
        ),
        validation_weights=class_weights(
            targets["validation"], n_classes, even=balance != "none"
        ).to(device),
    )


def _epoch(run: _Run, number: int) -> Epoch:
    """Go once through the training samples, then measure the validation loss."""
    train_loss, rate = _train(run)
    return Epoch(number, train_loss, _validation_loss(run), rate)


def _train(run: _Run) -> tuple[float, float]:
    problem, device = run.problem, run.settings.device
    train = problem.splits["train"]
    if run.settings.training.balance == "oversample":
        train = train[oversampled(problem.targets[train], run.generator)]
    total, rate = torch.zeros((), device=device), 0.0
    run.model.train()
    size = run.settings.training.batch_size
    for batch in shuffled_batches(train, problem.lengths, size, run.generator):
        rate = run.schedule.next_rate()
        for group in run.optimiser.param_groups:
            group["lr"] = rate
        logits = run.model(problem.inputs(batch, device))
        loss = weighted_loss(logits, _targets(problem, batch, device), run.train_weights)
        run.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        run.optimiser.step()
        total += loss.detach() * len(batch)
    return float(total) / len(train), rate


def _validation_loss(run: _Run) -> float:
    problem, device = run.problem, run.settings.device
    indices = problem.splits["validation"]
    logits = _logits(run.model, problem, indices, device)
    loss = float(weighted_loss(logits, _targets(problem, indices, device), run.validation_weights))
    run.schedule.end_epoch(loss)
    return loss


@torch.no_grad()
def _logits(model: nn.Module, problem: Problem, indices: Ints, device: torch.device) -> Tensor:
    """Return logits [samples, outputs], computed in batches of samples of similar length."""
    model.eval()
    logits = torch.empty(len(indices), problem.n_outputs, device=device)
    for places in sorted_batches(problem.lengths[indices], PREDICTION_TOKENS):
        logits[torch.from_numpy(places)] = model(problem.inputs(indices[places], device))
    return logits


def _targets(problem: Problem, indices: Ints, device: torch.device) -> Tensor:
    return torch.from_numpy(problem.targets[indices]).to(device)


def _check_finite(epoch: Epoch, where: str) -> None:
    for name, value in (("training", epoch.train_loss), ("validation", epoch.validation_loss)):
        if not math.isfinite(value):
            raise LearningError(
                f"The {name} loss became {value}",
                where=where,
                todo="lower `learning_rate`, or set `standardise: true`",
            )
