"""The training loop, one for every kind of task: what differs stands in its objective."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import torch
from torch import nn

from gazeline.errors import LearningError
from gazeline.learning.training.determinism import reproducible
from gazeline.learning.training.fitted import Epoch
from gazeline.learning.training.objectives.objective import Objective
from gazeline.learning.training.optimisers import WeightAverage, make_optimiser
from gazeline.learning.training.schedules import Schedule
from gazeline.params.learning import TrainingParams


@dataclass(frozen=True)
class Trained:
    """A network with the weights of its best epoch (lowest validation loss)."""

    model: nn.Module
    history: tuple[Epoch, ...]
    best_epoch: int


@dataclass(frozen=True)
class _Run:
    """What one seed trains with; the model, its average, the optimiser and the schedule change."""

    objective: Objective
    training: TrainingParams
    generator: torch.Generator
    device: torch.device
    model: nn.Module
    average: WeightAverage | None
    optimiser: torch.optim.Optimizer
    schedule: Schedule

    @property
    def judged(self) -> nn.Module:
        """Return the network that is validated and kept."""
        return self.average.model if self.average else self.model


def train(
    objective: Objective, training: TrainingParams, device: torch.device, seed: int, where: str
) -> Trained:
    """Train until the validation loss has not improved for `patience` epochs.

    The same objective, training and seed give the same weights to the last bit on one machine.

    Args:
        where: experiment and fold, for messages.

    Raises:
        LearningError: a loss is not finite; experiment, fold, seed and epoch are named.
    """
    with reproducible(seed) as generator:
        run = _start(objective, training, device, generator)
        best, best_state = math.inf, run.judged.state_dict()
        history: list[Epoch] = []
        best_epoch = 0
        for number in range(1, training.epochs + 1):
            epoch = _epoch(run, number)
            check_finite(epoch, f"{where}, seed {seed}, epoch {number}")
            history.append(epoch)
            if epoch.validation_loss < best:
                best, best_epoch = epoch.validation_loss, number
                best_state = copy.deepcopy(run.judged.state_dict())
            if number - best_epoch >= training.patience:
                break
        run.model.load_state_dict(best_state)
    return Trained(run.model.eval(), tuple(history), best_epoch)


def _start(
    objective: Objective, training: TrainingParams, device: torch.device, generator: torch.Generator
) -> _Run:
    model = objective.build().to(device)
    return _Run(
        objective=objective,
        training=training,
        generator=generator,
        device=device,
        model=model,
        average=WeightAverage(model, training.ema) if training.ema else None,
        optimiser=make_optimiser(model, training, device),
        schedule=Schedule(training, objective.steps_per_epoch),
    )


def _epoch(run: _Run, number: int) -> Epoch:
    """Go once through the training samples, then measure the validation loss."""
    train_loss, rate = _train(run)
    with torch.no_grad():
        validation_loss = run.objective.validation_loss(run.judged.eval())
    run.schedule.end_epoch(validation_loss)
    return Epoch(number, train_loss, validation_loss, rate)


def _train(run: _Run) -> tuple[float, float]:
    total, rate, n = torch.zeros((), device=run.device), 0.0, 0
    run.model.train()
    for indices in run.objective.batches(run.generator):
        rate = run.schedule.next_rate()
        for group in run.optimiser.param_groups:
            group["lr"] = rate
        loss = run.objective.loss(run.model, indices)
        run.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        if run.training.clip:
            nn.utils.clip_grad_norm_(run.model.parameters(), run.training.clip)
        run.optimiser.step()
        if run.average:
            run.average.update(run.model)
        total += loss.detach() * len(indices)
        n += len(indices)
    return float(total) / n, rate


def check_finite(epoch: Epoch, where: str) -> None:
    """Check the losses of an epoch.

    Raises:
        LearningError: one is not finite.
    """
    for name, value in (("training", epoch.train_loss), ("validation", epoch.validation_loss)):
        if not math.isfinite(value):
            raise LearningError(
                f"The {name} loss became {value}",
                where=where,
                todo="lower `learning_rate`, or set `standardise: true`",
            )
