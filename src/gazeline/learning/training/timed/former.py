"""Train ActionFormer on stretches, and turn its answers into intervals in seconds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from gazeline.errors import LearningError
from gazeline.learning.training.cells.stretches import CellBatch, Stretches
from gazeline.learning.training.features import Bools, Floats, Ints
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.intervals import Intervals
from gazeline.learning.training.models.actionformer.decoding import Doubles, Found, decode
from gazeline.learning.training.models.actionformer.given import classify_given
from gazeline.learning.training.models.actionformer.losses import detection_loss
from gazeline.learning.training.models.actionformer.network import ActionFormer, Level
from gazeline.learning.training.models.temporal import CellScale
from gazeline.learning.training.timed.objectives import STRETCHES_AT_ONCE


class ScaledFormer(nn.Module):
    """ActionFormer over scaled cells, padded to a whole number of its coarsest strides.

    Padding never matters: short stretches need not be as long as the longest there may be.
    """

    def __init__(self, stretches: Stretches, settings: Settings) -> None:
        super().__init__()
        self.params = settings.models.actionformer
        columns = stretches.cells.columns
        self.scale = CellScale(settings.moments, columns)
        self.former = ActionFormer(stretches.cells.width, len(stretches.classes), self.params)

    def forward(self, batch: CellBatch) -> list[Level]:
        """Return the levels of the pyramid."""
        scaled = torch.cat(list(self.scale(batch).values()), dim=2).mT
        coarsest = 2 ** (len(self.params.regression_ranges) - 1)
        room = -scaled.shape[2] % coarsest
        return cast(
            list[Level],
            self.former(
                nn.functional.pad(scaled, (0, room)), nn.functional.pad(batch.real, (0, room))
            ),
        )


@dataclass(frozen=True)
class Localise:
    """Focal loss of the points' classes and DIoU loss of their offsets."""

    stretches: Stretches
    settings: Settings
    where: str

    def __post_init__(self) -> None:
        longest = int(self.stretches.cells.lengths.max())
        if longest > self.settings.models.actionformer.max_cells:
            raise LearningError(
                f"A stretch has {longest} cells, more than actionformer takes",
                where=self.where,
                todo="raise models.actionformer.max_cells, or shorten scenes.length_s",
            )

    @property
    def steps_per_epoch(self) -> int:
        """Return how many batches an epoch has."""
        n = len(self.stretches.splits["train"])
        return math.ceil(n / self.settings.training.batch_size)

    def build(self) -> nn.Module:
        """Return an untrained network."""
        return ScaledFormer(self.stretches, self.settings)

    def batches(self, generator: torch.Generator) -> Iterator[Ints]:
        """Yield the training stretches in random order."""
        train = self.stretches.splits["train"]
        order = train[torch.randperm(len(train), generator=generator).numpy()]
        size = self.settings.training.batch_size
        return (order[start : start + size] for start in range(0, len(order), size))

    def loss(self, model: nn.Module, indices: Ints) -> Tensor:
        """Return the loss of some stretches."""
        device, former = self.settings.device, cast(ScaledFormer, model)
        levels = former(self.stretches.batch(indices, device))
        bounds = [torch.from_numpy(self.in_cells(int(i))).to(device) for i in indices]
        labels = [
            torch.from_numpy(self.stretches.events[int(i)].targets).to(device) for i in indices
        ]
        return detection_loss(former.former, levels, bounds, labels, former.params)

    def validation_loss(self, model: nn.Module) -> float:
        """Return the mean loss of the validation stretches."""
        indices = self.stretches.splits["validation"]
        total = 0.0
        for start in range(0, len(indices), STRETCHES_AT_ONCE):
            part = indices[start : start + STRETCHES_AT_ONCE]
            total += float(self.loss(model, part)) * len(part)
        return total / len(indices)

    def in_cells(self, index: int) -> Floats:
        """Return the true intervals of a stretch in cells."""
        bounds_s = self.stretches.events[index].bounds_s
        cells: Floats = _in_cells(bounds_s, self.stretches, index).astype(np.float32)
        return cells


def _in_cells(bounds_s: Doubles, stretches: Stretches, index: int) -> Doubles:
    """Return intervals in cells of their stretch; point i is the middle of cell i."""
    cells: Doubles = (bounds_s - stretches.starts_s[index]) / stretches.step_s - 0.5
    return cells


@torch.no_grad()
def localise(model: nn.Module, stretches: Stretches, indices: Ints, settings: Settings
             ) -> Intervals:  # fmt: skip
    """Return the intervals found in some stretches, none decided for yet; best first in each."""
    model.eval()
    former, parts = cast(ScaledFormer, model), []
    least = former.params.min_length_s / stretches.step_s
    for start in range(0, len(indices), STRETCHES_AT_ONCE):
        part = indices[start : start + STRETCHES_AT_ONCE]
        levels = former(stretches.batch(part, settings.device))
        for index, found in zip(part, decode(levels, former.params, least), strict=True):
            parts.append(_in_seconds(found, stretches, int(index)))
    return Intervals.joined(parts)


@torch.no_grad()
def classify(
    model: nn.Module, stretches: Stretches, indices: Ints, settings: Settings
) -> Intervals:
    """Return every interval listed in some stretches with a score of each class, none decided."""
    model.eval()
    former, parts = cast(ScaledFormer, model), []
    for start in range(0, len(indices), STRETCHES_AT_ONCE):
        part = indices[start : start + STRETCHES_AT_ONCE]
        levels = former(stretches.batch(part, settings.device))
        for place, index in enumerate(part.tolist()):
            bounds_s = stretches.given_s[index]
            cells = _in_cells(bounds_s, stretches, index)
            scores = classify_given(levels, place, cells, former.params)
            n, n_classes = scores.shape
            parts.append(
                Intervals(
                    np.full(n * n_classes, index, dtype=np.int64),
                    np.repeat(bounds_s, n_classes, axis=0),
                    np.tile(np.arange(n_classes, dtype=np.int64), n),
                    scores.ravel(),
                    np.zeros(n * n_classes, dtype=np.bool_),
                )
            )
    return Intervals.joined(parts)


def _in_seconds(found: Found, stretches: Stretches, index: int) -> Intervals:
    """Return intervals on the annotation clock, cut at the ends of the stretch."""
    start_s, end_s = stretches.starts_s[index], stretches.ends_s[index]
    bounds = np.clip(start_s + (found.bounds + 0.5) * stretches.step_s, start_s, end_s)
    kept = _first_of_equals(bounds, found.labels) & (bounds[:, 1] > bounds[:, 0])
    n = int(kept.sum())
    return Intervals(
        np.full(n, index, dtype=np.int64),
        bounds[kept],
        found.labels[kept],
        found.scores[kept],
        np.zeros(n, dtype=np.bool_),
    )


def _first_of_equals(bounds: Doubles, labels: Ints) -> Bools:
    """Return which intervals repeat no better one, as those that were cut at both ends may."""
    rows = np.column_stack([bounds, labels])
    first = np.zeros(len(rows), dtype=np.bool_)
    first[np.unique(rows, axis=0, return_index=True)[1]] = True
    return first


def covered(found: Intervals, stretches: Stretches, indices: Ints) -> list[Floats]:
    """Return for each cell and class the best score of an interval over its middle."""
    scores = []
    for index in indices:
        edges = stretches.edges(int(index))
        middles = (edges[:-1] + edges[1:]) / 2
        best = np.zeros((len(middles), len(stretches.classes)), dtype=np.float32)
        for i in np.flatnonzero(found.samples == index):
            inside = (middles >= found.bounds_s[i, 0]) & (middles < found.bounds_s[i, 1])
            label = found.targets[i]
            best[inside, label] = np.maximum(best[inside, label], found.scores[i])
        scores.append(best)
    return scores
