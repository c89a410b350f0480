"""Fit one network on one fold with one seed."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from gazeline.errors import LearningError
from gazeline.learning.training.batches import (
    epoch_samples,
    film_batches,
    n_epoch_samples,
    shuffled_batches,
    sorted_batches,
)
from gazeline.learning.training.determinism import reproducible
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Epoch, Fitted, Settings
from gazeline.learning.training.losses import class_weights, weighted_loss
from gazeline.learning.training.models.inputs import Classifier
from gazeline.learning.training.models.registry import build_model, n_parameters
from gazeline.learning.training.problem import Problem
from gazeline.learning.training.schedules import Schedule

# Tokens of a prediction batch: bounds memory, whatever the length of the samples.
PREDICTION_TOKENS = 16_384


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
            check_finite(epoch, f"{where}, seed {seed}, epoch {number}")
            history.append(epoch)
            if epoch.validation_loss < best:
                best, best_epoch = epoch.validation_loss, number
                best_state = copy.deepcopy(run.model.state_dict())
            if number - best_epoch >= settings.training.patience:
                break
        run.model.load_state_dict(best_state)
    return fitted(run.model, settings.device, history, best_epoch)


def fitted(
    model: Classifier, device: torch.device, history: list[Epoch], best_epoch: int
) -> Fitted:
    """Return a network that has the weights of its best epoch as what was fitted."""

    def predict(problem: Problem, indices: Ints) -> Floats:
        return probabilities(model, problem, indices, device)

    state = {name: value.cpu().numpy() for name, value in model.state_dict().items()}
    return Fitted(predict, state, tuple(history), best_epoch, n_parameters(model))


def probabilities(
    model: Classifier, problem: Problem, indices: Ints, device: torch.device
) -> Floats:
    """Return class probabilities of samples, [samples, outputs] (one output for two classes)."""
    found = logits(model, problem, indices, device)
    scores = torch.sigmoid(found) if problem.n_outputs == 1 else torch.softmax(found, dim=1)
    result: Floats = scores.cpu().numpy()
    return result


@torch.no_grad()
def logits(model: Classifier, problem: Problem, indices: Ints, device: torch.device) -> Tensor:
    """Return logits [samples, outputs], represented in batches and classified all together."""
    model.eval()
    places = sorted_batches(problem.lengths[indices], PREDICTION_TOKENS)
    features = [model.represent(problem.batch(indices[part], device)) for part in places]
    order = torch.argsort(torch.cat([torch.from_numpy(part) for part in places])).to(device)
    films = torch.from_numpy(problem.films[indices]).to(device)
    return model.classify(torch.cat(features)[order], films)


@dataclass(frozen=True)
class _Run:
    """What one seed trains with; the model, optimiser, schedule and generator change."""

    problem: Problem
    settings: Settings
    generator: torch.Generator
    model: Classifier
    optimiser: torch.optim.Optimizer
    schedule: Schedule
    train_weights: Tensor
    validation_weights: Tensor


def _start(problem: Problem, settings: Settings, generator: torch.Generator) -> _Run:
    training, device = settings.training, settings.device
    model = build_model(settings.model, settings.models, settings.moments, problem.n_outputs)
    model.to(device)
    return _Run(
        problem=problem,
        settings=settings,
        generator=generator,
        model=model,
        optimiser=torch.optim.Adam(
            model.parameters(), weight_decay=training.weight_decay, fused=device.type != "mps"
        ),
        schedule=Schedule(training, steps_per_epoch(problem, settings)),
        train_weights=split_weights(problem, settings, "train"),
        validation_weights=split_weights(problem, settings, "validation"),
    )


def steps_per_epoch(problem: Problem, settings: Settings) -> int:
    """Return how many batches an epoch has (about, where they are made film by film)."""
    targets = problem.targets[problem.splits["train"]]
    size = settings.training.batch_size
    if settings.model == "differential":
        sizes = settings.models.differential
        size = sizes.films_per_batch * sizes.segments_per_film
    return math.ceil(n_epoch_samples(targets, settings.training.balance) / size)


def split_weights(problem: Problem, settings: Settings, split: str) -> Tensor:
    """Return the weight of each class in the loss of a split."""
    balance = settings.training.balance
    even = balance == "weights" if split == "train" else balance != "none"
    targets = problem.targets[problem.splits[split]]
    return class_weights(targets, len(problem.classes), even=even).to(settings.device)


def _epoch(run: _Run, number: int) -> Epoch:
    """Go once through the training samples, then measure the validation loss."""
    train_loss, rate = _train(run)
    return Epoch(number, train_loss, _validation_loss(run), rate)


def _train(run: _Run) -> tuple[float, float]:
    problem, device = run.problem, run.settings.device
    total, rate, n = torch.zeros((), device=device), 0.0, 0
    run.model.train()
    for indices in _batches(run):
        rate = run.schedule.next_rate()
        for group in run.optimiser.param_groups:
            group["lr"] = rate
        found = run.model(problem.batch(indices, device))
        loss = weighted_loss(found, _targets(problem, indices, device), run.train_weights)
        run.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        run.optimiser.step()
        total += loss.detach() * len(indices)
        n += len(indices)
    return float(total) / n, rate


def _batches(run: _Run) -> Iterator[Ints]:
    problem, training = run.problem, run.settings.training
    train = problem.splits["train"]
    chosen = train[epoch_samples(problem.targets[train], training.balance, run.generator)]
    if run.settings.model == "differential":
        sizes = run.settings.models.differential
        return film_batches(chosen, problem.films, sizes, run.generator)
    return shuffled_batches(chosen, problem.lengths, training.batch_size, run.generator)


def _validation_loss(run: _Run) -> float:
    problem, device = run.problem, run.settings.device
    indices = problem.splits["validation"]
    found = logits(run.model, problem, indices, device)
    loss = float(weighted_loss(found, _targets(problem, indices, device), run.validation_weights))
    run.schedule.end_epoch(loss)
    return loss


def _targets(problem: Problem, indices: Ints, device: torch.device) -> Tensor:
    return torch.from_numpy(problem.targets[indices]).to(device)


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
