"""A linear map of scaled cells, and the training cells it is fitted on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.models.inputs import MIN_DEVIATION, Moments

Doubles = npt.NDArray[np.float64]

ROWS_AT_ONCE = 8_192


@dataclass(frozen=True)
class LinearMap:
    """Answers of cells are `weight` [outputs, features] times scaled cells, plus `bias`.

    Features are the columns of a cell, scaled by the moments of the training cells, zero where the
    copy has nothing, and whether each modality is there.
    """

    moments: Mapping[str, Moments]
    weight: Doubles
    bias: Doubles
    penalty: float

    def answers(self, stretches: Stretches, indices: Ints) -> Floats:
        """Return the answers of the cells of some stretches, [cells, outputs]."""
        parts = [
            features @ self.weight.T + self.bias
            for features in scaled_parts(stretches, indices, self.moments)
        ]
        found: Floats = np.concatenate(parts).astype(np.float32)
        return found

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return what is kept of it."""
        return {
            "weight": self.weight,
            "bias": self.bias,
            **{f"scales.{name}.mean": of.mean.numpy() for name, of in self.moments.items()},
            **{f"scales.{name}.deviation": of.deviation.numpy() for name, of in
               self.moments.items()},
        }  # fmt: skip


def scaled_parts(
    stretches: Stretches, indices: Ints, moments: Mapping[str, Moments]
) -> Iterator[Doubles]:
    """Yield the features of the cells of some stretches, [some cells, features], in order."""
    rows, cells = stretches.rows(indices), stretches.cells
    for start in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[start : start + ROWS_AT_ONCE]
        there = cells.present[part]
        features = np.empty((len(part), cells.width + there.shape[1]))
        for index, (name, span) in enumerate(cells.columns.items()):
            mean, deviation = moments[name].mean.numpy(), moments[name].deviation.numpy()
            scaled = (cells.values[part, span] - mean) / np.maximum(deviation, MIN_DEVIATION)
            features[:, span] = scaled * there[:, index, None]
        features[:, cells.width :] = there
        yield features
