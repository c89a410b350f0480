"""Windows of a segment on the copy."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.learning.datasets.ranges import segment_windows

CHUNKS = np.arange(10) * 2.0


def chunks(*parts, tolerance=0.5):
    return segment_windows(parts, CHUNKS, CHUNKS + 2.0, tolerance)


def test_a_chunk_overlapped_by_less_than_the_tolerance_is_left_out():
    assert chunks((1.6, 6.4)) == (1, 3)
    assert chunks((1.4, 6.6)) == (0, 4)


@pytest.mark.parametrize("length", [0.04, 0.5, 1.0])
def test_a_short_segment_keeps_the_chunk_of_its_middle(length):
    for start in np.arange(0.05, 4, 0.1).tolist():
        first, stop = chunks((start, start + length))
        assert first <= int((start + length / 2) // 2) < stop


def test_the_longest_part_gives_the_windows():
    assert chunks((0.0, 1.9), (8.0, 14.0)) == (4, 7)


def test_nothing_on_the_copy_or_past_its_end_gives_no_windows():
    assert chunks() == (0, 0)
    assert chunks((30.0, 40.0)) == (0, 0)
    assert segment_windows([(0.0, 1.0)], np.empty(0), np.empty(0), 0.5) == (0, 0)
