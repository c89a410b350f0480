"""Which intervals of one list meet which of another, for any order and any overlaps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64]
Indices = npt.NDArray[np.int64]


def overlapping_pairs(
    starts: Numbers, ends: Numbers, other_starts: Numbers, other_ends: Numbers
) -> tuple[Indices, Indices]:
    """Return the pairs (i, j) of half-open intervals with a common point, by i, then j.

    An interval of the other list with no length counts as its starting point.

    Args:
        starts, ends: shape [n].
        other_starts, other_ends: shape [m], in any order.

    >>> i, j = overlapping_pairs(np.array([0, 5]), np.array([5, 9]),
    ...                          np.array([4, 5]), np.array([6, 6]))
    >>> i.tolist(), j.tolist()
    ([0, 1, 1], [0, 0, 1])
    """
    order = np.argsort(other_starts, kind="stable")
    sorted_starts, sorted_ends = other_starts[order], other_ends[order]
    # Ends need not ascend; their running maximum bounds where overlapping ones can begin.
    reach = np.maximum.accumulate(sorted_ends) if len(order) else sorted_ends
    first = np.minimum(
        np.searchsorted(reach, starts, side="right"),
        np.searchsorted(sorted_starts, starts, side="left"),
    )
    stop = np.maximum(np.searchsorted(sorted_starts, ends, side="left"), first)
    left, right = _ranges(first, stop)
    right_starts, right_ends = sorted_starts[right], sorted_ends[right]
    meets = (right_ends > starts[left]) | (right_starts >= starts[left])
    left, right = left[meets], order[right[meets]]
    by_pair = np.lexsort((right, left))
    return left[by_pair], right[by_pair]


def _ranges(first: Indices, stop: Indices) -> tuple[Indices, Indices]:
    """Return every index of the ranges [first, stop), each with the number of its range."""
    lengths = stop - first
    numbers = np.repeat(np.arange(len(first)), lengths)
    offsets = np.arange(len(numbers)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return numbers, np.repeat(first, lengths) + offsets
