"""What is known of the two clocks before anything is matched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from gazeline.subtitles.reading.read import Cue
from gazeline.timeline.maps import Piece, TimeMap

# A copy that is this little shorter than the annotated film lacks nothing.
ROUNDING_S = 0.1


@dataclass(frozen=True)
class CorpusClock:
    """The annotation clock of a film in one corpus; `duration_s` is where its annotations end."""

    cues: Sequence[Cue]
    duration_s: float
    annotation_fps: Fraction


@dataclass(frozen=True)
class Clocks:
    """Length and frame rate on both clocks; None where not known.

    `duration_s` is the end of the annotated film; the copy lasts from `copy_start_s` to
    `copy_end_s` of its own clock.
    """

    duration_s: float
    annotation_fps: Fraction | None = None
    copy_fps: Fraction | None = None
    copy_start_s: float = 0.0
    copy_end_s: float | None = None

    @property
    def expected_rate(self) -> Fraction | None:
        """Return the speed that follows from playing the same frames at the copy's rate."""
        if self.annotation_fps is None or self.copy_fps is None:
            return None
        return self.annotation_fps / self.copy_fps


def within_copy(pieces: Iterable[Piece], clocks: Clocks, likely_end_s: float | None) -> TimeMap:
    """Cut off what would lie before the copy's first or after its last moment.

    Args:
        likely_end_s: where the copy ends if `clocks` do not say; None leaves the end open.
    """
    end_s = clocks.copy_end_s if clocks.copy_end_s is not None else likely_end_s
    kept = []
    for piece in pieces:
        first = (clocks.copy_start_s - piece.offset_s) / piece.rate
        last = inf if end_s is None else (end_s - piece.offset_s) / piece.rate
        start, end = piece.annotation_start_s, piece.annotation_end_s
        start = first if first > start + ROUNDING_S else start
        end = last if last < end - ROUNDING_S else end
        if start < end:
            kept.append(Piece(float(start), float(end), piece.rate, piece.offset_s))
    return TimeMap(tuple(kept))
