"""From numbers per cell to answers: smoothed values, or intervals from a threshold on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.intervals import Intervals, join_cells
from gazeline.learning.training.smoothing import smooth
from gazeline.learning.training.thresholds import best_threshold
from gazeline.params.temporal import Smoothing

# From sample indices to numbers of their cells, [cells, outputs].
Predict = Callable[[Ints], Floats]


@dataclass(frozen=True)
class Smoother:
    """Answers of cells, smoothed stretch by stretch."""

    stretches: Stretches
    predict: Predict
    how: Smoothing
    over_s: float

    def __call__(self, indices: Ints) -> Floats:
        """Return the numbers of the cells of some stretches, [cells, outputs]."""
        parts = self.stretches.parts(self.predict(indices), indices)
        step_s = self.stretches.step_s
        return np.concatenate([smooth(part, step_s, self.how, self.over_s) for part in parts])


@dataclass(frozen=True)
class Joiner:
    """Intervals of cells whose smoothed probability reaches a threshold of their class."""

    probabilities: Smoother
    thresholds: tuple[float, ...]

    @classmethod
    def chosen(cls, probabilities: Smoother) -> Joiner:
        """Choose the thresholds on the validation stretches."""
        stretches = probabilities.stretches
        validation = stretches.splits["validation"]
        scores, truth = probabilities(validation), stretches.truth_of(validation)
        thresholds = [best_threshold(scores[:, c], truth[:, c]) for c in range(truth.shape[1])]
        return cls(probabilities, tuple(thresholds))

    def __call__(self, indices: Ints) -> Intervals:
        """Return the intervals of some stretches."""
        stretches = self.probabilities.stretches
        parts = stretches.parts(self.probabilities(indices), indices)
        return Intervals.joined(
            [
                join_cells(part, stretches.edges(index), index, self.thresholds)
                for index, part in zip(indices.tolist(), parts, strict=True)
            ]
        )

    def said(self) -> dict[str, dict[str, float]]:
        """Return the threshold of each class."""
        classes = self.probabilities.stretches.classes
        return {"thresholds": dict(zip(classes, self.thresholds, strict=True))}
