"""What every way of learning a task over time takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy.typing as npt

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Epoch, Settings
from gazeline.learning.training.intervals import Intervals

A = TypeVar("A")


@dataclass(frozen=True)
class Learnt(Generic[A]):
    """One seed's model at its best epoch, and how it answers stretches.

    `answer` takes sample indices; `state` is what `model-<seed>.safetensors` holds; `said` is what
    was chosen on the validation films, for `run.json`.
    """

    answer: Callable[[Ints], A]
    state: Mapping[str, npt.NDArray[Any]]
    history: tuple[Epoch, ...]
    best_epoch: int
    n_parameters: int
    said: Mapping[str, Any] = field(default_factory=dict)

    @property
    def validation_loss(self) -> float:
        """Return the loss of the best epoch."""
        return self.history[self.best_epoch - 1].validation_loss


# Values of the cells of stretches, [cells, measures], or intervals in them.
Fit = Callable[[Stretches, Settings, Sequence[int], str], list[Learnt[A]]]
FitSeries = Fit[Floats]
FitIntervals = Fit[Intervals]
