"""The loop that one would write first: every batch padded to 160 tokens, torch's own encoder."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn

from gazeline.learning.training.batches import epoch_samples, shuffled_batches
from gazeline.learning.training.determinism import reproducible
from gazeline.learning.training.features import Ints, token_rows
from gazeline.learning.training.fitted import Epoch, Settings
from gazeline.learning.training.losses import weighted_loss
from gazeline.learning.training.models.registry import build_model
from gazeline.learning.training.models.transformer import Transformer
from gazeline.learning.training.objectives.classification import split_weights
from gazeline.learning.training.problem import Problem
from training_data import CAP

MODALITY = "video"


def fit_plain(problem: Problem, settings: Settings, seed: int) -> list[Epoch]:
    """Train as `fit` does, from the same weights on the same batches; return the history."""
    training, history = settings.training, []
    with reproducible(seed) as generator:
        model = build_model("transformer", settings.models, settings.moments, problem.n_outputs)
        assert isinstance(model, Transformer)
        optimiser = torch.optim.Adam(
            model.parameters(), lr=training.learning_rate, weight_decay=training.weight_decay
        )
        train = problem.splits["train"]
        for number in range(1, training.epochs + 1):
            chosen = train[epoch_samples(problem.targets[train], training.balance, generator)]
            batches = shuffled_batches(chosen, problem.lengths, training.batch_size, generator)
            train_loss = _train(
                model, optimiser, problem, batches, split_weights(problem, settings, "train")
            )
            history.append(Epoch(number, train_loss, _validate(model, problem, settings), 0.0))
    return history


def _train(
    model: Transformer,
    optimiser: torch.optim.Optimizer,
    problem: Problem,
    batches: Iterable[Ints],
    weights: Tensor,
) -> float:
    model.train()
    total, n = 0.0, 0
    for batch in batches:
        loss = weighted_loss(_logits(model, problem, batch), _targets(problem, batch), weights)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        total += loss.item() * len(batch)
        n += len(batch)
    return total / n


@torch.no_grad()
def _validate(model: Transformer, problem: Problem, settings: Settings) -> float:
    model.eval()
    indices, size = problem.splits["validation"], settings.training.batch_size
    logits = [_logits(model, problem, indices[i : i + size]) for i in range(0, len(indices), size)]
    weights = split_weights(problem, settings, "validation")
    return float(weighted_loss(torch.cat(logits), _targets(problem, indices), weights))


def _logits(model: Transformer, problem: Problem, batch: Ints) -> Tensor:
    """Return logits [batch, outputs] of padded tokens."""
    values, padding = _padded(problem, batch)
    scale: nn.Module = model.embedding.scales[MODALITY]
    tokens = model.embedding.projection(scale(values))
    cls = model.cls.expand(len(batch), 1, -1)
    mask = nn.functional.pad(padding, (1, 0), value=False)
    hidden = model.encoder(torch.cat([cls, tokens], dim=1), src_key_padding_mask=mask)
    logits: Tensor = model.head(hidden[:, 0])
    return logits


def _padded(problem: Problem, batch: Ints) -> tuple[Tensor, Tensor]:
    store = problem.stores[MODALITY]
    values = np.zeros((len(batch), CAP, store.width), dtype=np.float32)
    padding = np.ones((len(batch), CAP), dtype=bool)
    for row, sample in enumerate(batch):
        rows, _ = token_rows(store.starts[[sample]], store.lengths[[sample]], CAP)
        values[row, : len(rows)] = store.values[rows]
        padding[row, : len(rows)] = False
    return torch.from_numpy(values), torch.from_numpy(padding)


def _targets(problem: Problem, batch: Ints) -> Tensor:
    return torch.from_numpy(problem.targets[batch])
