"""Where a segment lies in the feature shards of the copy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from gazeline.statistics.annotations import Ints
from gazeline.statistics.overlaps import Floats
from gazeline.timeline.maps import Interval
from gazeline.timeline.windows import windows_touching

FALLBACK_FPS = Fraction(24)


def half_a_frame_s(fps: str | None) -> float:
    """Return half a frame of the copy in seconds (of 24 frames a second where it is unknown)."""
    return float(1 / (2 * (Fraction(fps) if fps else FALLBACK_FPS)))


def windows_in(
    intervals: Sequence[Interval], starts_s: Floats, ends_s: Floats, tolerance_s: float
) -> Ints:
    """Return the windows that any of the copy intervals touches, ascending, each once."""
    ranges = [windows_touching(starts_s, ends_s, i, tolerance_s) for i in intervals]
    return np.unique(np.concatenate([np.arange(0), *(np.arange(a, b) for a, b in ranges)]))


def frames_in(intervals: Sequence[Interval], times_s: Floats) -> Ints:
    """Return the analysis frames whose centre lies in one of the copy intervals, ascending."""
    ranges = [np.searchsorted(times_s, interval, side="left") for interval in intervals]
    return np.unique(np.concatenate([np.arange(0), *(np.arange(a, b) for a, b in ranges)]))
