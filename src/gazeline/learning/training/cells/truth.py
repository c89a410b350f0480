"""What stretches of film are to be answered with, put on their cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gazeline.learning.training.cells.grid import cell_edges, overlapped_shares
from gazeline.learning.training.features import Floats, Ints

Row = Mapping[str, Any]
# A cell is of a class when the class fills this share of it; the middle of an interval always is.
MARKED_SHARE = 0.5


@dataclass(frozen=True)
class Events:
    """The true intervals of one stretch: `bounds_s` float64 [n, 2], annotation clock; `targets`."""

    bounds_s: npt.NDArray[np.float64]
    targets: Ints

    def once(self) -> Events:
        """Return the intervals without those that repeat another of their class."""
        rows = np.column_stack([self.bounds_s, self.targets])
        first = np.sort(np.unique(rows, axis=0, return_index=True)[1])
        return Events(self.bounds_s[first], self.targets[first])


def targets_by_sample(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of `targets.parquet` by sample, in order of time."""
    found: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: (row["start_s"], row["end_s"], row["target"])):
        found.setdefault(row["segment_id"], []).append(row)
    return found


def events_of(rows: Sequence[Row]) -> Events:
    """Return the intervals of one stretch."""
    bounds = [(row["start_s"], row["end_s"]) for row in rows if row["target"] >= 0]
    return Events(
        np.array(bounds, dtype=np.float64).reshape(-1, 2),
        np.array([row["target"] for row in rows if row["target"] >= 0], dtype=np.int64),
    )


def bounds_of(rows: Sequence[Row]) -> npt.NDArray[np.float64]:
    """Return the bounds of all intervals listed, those of no class too, each once, [n, 2]."""
    bounds = {(row["start_s"], row["end_s"]) for row in rows}
    return np.array(sorted(bounds), dtype=np.float64).reshape(-1, 2)


def values_on_cells(
    rows: Sequence[Row], start_s: float, end_s: float, step_s: float, n_measures: int
) -> Floats:
    """Return the value of each measure in each cell, [cells, measures]; NaN where there is none."""
    edges = cell_edges(start_s, end_s, step_s)
    values = np.full((len(edges) - 1, n_measures), np.nan, dtype=np.float32)
    for row in rows:
        middle_s = (row["start_s"] + row["end_s"]) / 2
        cell = int(np.searchsorted(edges, middle_s, side="right")) - 1
        if 0 <= cell < len(values):
            values[cell] = row["values"]
    values[~np.isfinite(values)] = np.nan
    return values


def marks_on_cells(
    events: Events, start_s: float, end_s: float, step_s: float, n_classes: int
) -> Floats:
    """Return 1 where a class fills half of a cell or more, and in the middle of its intervals.

    Without the middle an interval of less than half a cell would leave no trace.

    Returns:
        0 or 1, [cells, classes].
    """
    edges = cell_edges(start_s, end_s, step_s)
    shares = np.zeros((len(edges) - 1, n_classes))
    for (first, last), target in zip(events.bounds_s, events.targets, strict=True):
        shares[:, target] += overlapped_shares(edges, first, last)
        middle = int(np.searchsorted(edges, (first + last) / 2, side="right")) - 1
        shares[np.clip(middle, 0, len(shares) - 1), target] += 1
    marks: Floats = (shares >= MARKED_SHARE).astype(np.float32)
    return marks
