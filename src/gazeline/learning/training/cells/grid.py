"""From windows on the copy clock to a regular grid on the annotation clock. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from gazeline.timeline.maps import Piece, TimeMap
from gazeline.timeline.overlaps import Indices, overlapping_pairs
from gazeline.timeline.windows import Times

# Ends and steps are rounded seconds: a remainder this small is no cell of its own.
ROUNDING_CELLS = 1e-3
# An overlap this short comes from rounded time stamps.
ROUNDING_S = 1e-6

Pairs = tuple[Indices, Indices, Times]


def n_cells(start_s: float, end_s: float, step_s: float) -> int:
    """Return how many cells of `step_s` a stretch has, the last one maybe shorter.

    >>> n_cells(0.0, 300.0, 1.0), n_cells(300.0, 300.5, 1.0)
    (300, 1)
    """
    return max(1, math.ceil((end_s - start_s) / step_s - ROUNDING_CELLS))


def cell_edges(start_s: float, end_s: float, step_s: float) -> Times:
    """Return the edges of the cells of a stretch, shape [cells + 1]; the last one is its end."""
    edges = start_s + step_s * np.arange(n_cells(start_s, end_s, step_s) + 1, dtype=np.float64)
    edges[-1] = end_s
    return edges


def window_shares(edges: Times, time_map: TimeMap, starts_s: Times, ends_s: Times) -> csr_array:
    """Return the share of each window in each cell, [cells, windows]; rows sum to 1 or to 0.

    Cells go to the copy clock piece by piece; a window counts by how long it overlaps the cell
    there. A cell that the copy lacks has no window.

    Args:
        edges: of the cells, annotation clock, seconds.
        starts_s, ends_s: of the windows, copy clock, seconds, shape [windows].
    """
    found = [_pairs(edges, piece, starts_s, ends_s) for piece in time_map.pieces]
    cells, windows, overlaps_s = _joined(found)
    shape = (len(edges) - 1, len(starts_s))
    shares = csr_array((overlaps_s, (cells, windows)), shape=shape)
    totals = np.asarray(shares.sum(axis=1)).ravel()
    shares.data /= np.repeat(totals, np.diff(shares.indptr))
    return shares


def _pairs(edges: Times, piece: Piece, starts_s: Times, ends_s: Times) -> Pairs:
    """Return cells and windows that meet within a piece, and for how long on the copy clock."""
    inside = np.clip(edges, piece.annotation_start_s, piece.annotation_end_s)
    on_copy = piece.rate * inside + piece.offset_s
    there = np.flatnonzero(np.diff(on_copy) > ROUNDING_S)
    first, last = on_copy[there], on_copy[there + 1]
    i, j = overlapping_pairs(first, last, starts_s, ends_s)
    overlaps_s = np.minimum(last[i], ends_s[j]) - np.maximum(first[i], starts_s[j])
    kept = overlaps_s > ROUNDING_S
    return there[i][kept], j[kept], overlaps_s[kept]


def _joined(pairs: Sequence[Pairs]) -> Pairs:
    if not pairs:
        none = np.zeros(0, dtype=np.int64)
        return none, none, np.zeros(0)
    cells, windows, overlaps_s = (np.concatenate(of) for of in zip(*pairs, strict=True))
    return cells, windows, overlaps_s


def overlapped_shares(edges: Times, start_s: float, end_s: float) -> npt.NDArray[np.float64]:
    """Return the share of each cell that lies in [start_s, end_s), shape [cells]."""
    starts, ends = edges[:-1], edges[1:]
    overlaps = np.clip(np.minimum(ends, end_s) - np.maximum(starts, start_s), 0, None)
    shares: npt.NDArray[np.float64] = overlaps / np.maximum(ends - starts, ROUNDING_S)
    return shares
