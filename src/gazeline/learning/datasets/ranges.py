"""Which windows of a copy show a segment. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from gazeline.timeline.maps import Interval
from gazeline.timeline.windows import Times, windows_touching

# A tolerance of half the interval would leave a short segment without any window.
MAX_TOLERANCE_SHARE = 0.25


def segment_windows(
    parts: Sequence[Interval], starts_s: Times, ends_s: Times, tolerance_s: float
) -> tuple[int, int]:
    """Return [first, stop) of the windows of a segment; (0, 0) where there are none.

    A segment that a cut or an inserted scene splits on the copy is shown by the windows of its
    longest part: what lies between the parts is not the segment.

    Args:
        parts: intervals of the segment on the copy clock, seconds.
        starts_s, ends_s: the windows of the film, ascending, shape [n].
        tolerance_s: by how much a window must be overlapped; a quarter of the part at most.
    """
    if not parts or len(starts_s) == 0:
        return 0, 0
    start, end = max(parts, key=lambda part: part[1] - part[0])
    tolerance = min(tolerance_s, MAX_TOLERANCE_SHARE * (end - start))
    first, stop = windows_touching(starts_s, ends_s, (start, end), tolerance)
    return (first, stop) if first < stop else (0, 0)
