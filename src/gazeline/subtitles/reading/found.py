"""What a reader of one format hands over: cues as they stand, and an account of the others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

BAD_TIMESTAMP = "bad timestamp"


@dataclass(frozen=True)
class RawCue:
    """A cue as it stands in a file: seconds and text, unchecked, and what was repaired in it."""

    start_s: float
    end_s: float
    text: str
    repairs: tuple[str, ...] = ()


@dataclass
class Found:
    """Cues of a file, how many it holds, and why others are not among them."""

    cues: list[RawCue] = field(default_factory=list)
    n_found: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
