"""One fold of a task over time in memory: cells, what is true of them, and who learns from what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gazeline.learning.training.cells.grid import cell_edges
from gazeline.learning.training.cells.store import Cells
from gazeline.learning.training.cells.truth import Events
from gazeline.learning.training.features import Floats, Ints, token_rows
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.moments import row_moments
from gazeline.timeline.windows import Times


@dataclass(frozen=True)
class CellBatch:
    """Padded stretches: `values` [batch, cells, width], `present` [batch, cells, modalities].

    `real` is bool [batch, cells]: which cells are no padding.
    """

    values: Tensor
    present: Tensor
    real: Tensor


@dataclass(frozen=True)
class Stretches:
    """Samples of one fold of a task over time.

    `truth` is float32 [cells of all stretches, outputs], stretch after stretch: the value of each
    measure (NaN: none), or 1 where a class is. `events` are the true intervals of each stretch;
    `starts_s` and `ends_s` its bounds on the annotation clock; `films` numbers its film; `splits`
    holds sample indices of train, validation and test; `classes` names outputs;
    `given_s` are the bounds of all intervals of a stretch that are listed, of no class too, [n, 2].
    """

    cells: Cells
    truth: Floats
    events: Sequence[Events]
    starts_s: Times
    ends_s: Times
    step_s: float
    films: Ints
    splits: Mapping[str, Ints]
    classes: tuple[str, ...]
    given_s: Sequence[Times] = ()

    def batch(self, indices: Ints, device: torch.device) -> CellBatch:
        """Return some stretches, padded at the end with zeros."""
        lengths = self.cells.lengths[indices]
        real = np.arange(lengths.max())[None, :] < lengths[:, None]
        rows, _ = token_rows(self.cells.starts[indices], lengths, None)
        values = np.zeros((*real.shape, self.cells.width), dtype=np.float32)
        values[real] = self.cells.values[rows]
        present = np.zeros((*real.shape, self.cells.present.shape[1]), dtype=np.bool_)
        present[real] = self.cells.present[rows]
        return CellBatch(*(torch.from_numpy(of).to(device) for of in (values, present, real)))

    def rows(self, indices: Ints) -> Ints:
        """Return the rows of `cells` that some stretches have, stretch after stretch."""
        return token_rows(self.cells.starts[indices], self.cells.lengths[indices], None)[0]

    def truth_of(self, indices: Ints) -> Floats:
        """Return what is true of the cells of some stretches, [cells, outputs]."""
        firsts = self.cells.firsts[indices]
        return self.truth[token_rows(firsts, self.cells.lengths[indices], None)[0]]

    def parts(self, values: Floats, indices: Ints) -> list[Floats]:
        """Split what was computed for the cells of some stretches, stretch by stretch."""
        return np.split(values, np.cumsum(self.cells.lengths[indices])[:-1])

    def edges(self, index: int) -> Times:
        """Return the edges of the cells of a stretch, annotation clock, seconds."""
        return cell_edges(float(self.starts_s[index]), float(self.ends_s[index]), self.step_s)


def cell_moments(stretches: Stretches, train: Ints) -> dict[str, Moments]:
    """Return mean and deviation of each modality over the training cells that the copy has.

    A cell that several stretches share counts once.
    """
    rows, cells = np.unique(stretches.rows(train)), stretches.cells
    return {
        name: row_moments(cells.values[:, span], rows[cells.present[rows, index]])
        for index, (name, span) in enumerate(cells.columns.items())
    }
