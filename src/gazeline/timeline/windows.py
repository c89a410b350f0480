"""Which windows of the feature grid a copy interval touches."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gazeline.timeline.maps import Interval

Times = npt.NDArray[np.float64]


def windows_touching(
    starts_s: Times, ends_s: Times, interval: Interval, tolerance_s: float
) -> tuple[int, int]:
    """Return [first, stop) of the windows that overlap `interval` by more than `tolerance_s`.

    With 16-frame windows at the annotation frame rate this gives start_frame // 16 to
    end_frame // 16 inclusive, the clip indices of the MObyGaze release. Half a frame is a good
    tolerance: it absorbs the millisecond rounding of Matroska time stamps.

    Args:
        starts_s, ends_s: true start and end of each window, ascending, shape [n].

    >>> starts = np.arange(4) * 16 / 24
    >>> windows_touching(starts, starts + 16 / 24, (15 / 24, 32 / 24), 0.5 / 24)
    (0, 2)
    """
    start, end = interval
    first = int(np.searchsorted(ends_s, start + tolerance_s, side="right"))
    stop = int(np.searchsorted(starts_s, end - tolerance_s, side="left"))
    return (first, stop) if first < stop else (first, first)
