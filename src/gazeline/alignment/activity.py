"""When somebody speaks: the edges of intervals, which have timing even where text says nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gazeline.alignment.dialogue import Floats, spoken_words
from gazeline.subtitles.reading.read import Cue

Kind = Literal["cues", "speech"]
Span = tuple[float, float]
# A detector hears cues that follow each other at once as one stretch of speech.
SHORTEST_PAUSE_S = 0.3
# ... but it may also hear a pause where subtitles linger.
WITHIN_SPEECH = 0.4


@dataclass(frozen=True)
class Edges:
    """Moments in order of time [n] and how likely each is to show in the other list, in [0, 1]."""

    time_s: Floats
    weight: Floats

    def __len__(self) -> int:
        return len(self.time_s)

    def scaled(self, rate: float) -> Edges:
        """Return the edges on a clock that runs at another speed."""
        return Edges(self.time_s * rate, self.weight)


@dataclass(frozen=True)
class Activity:
    """Starts and ends of what is spoken; `n_spans` is how many intervals they come from."""

    starts: Edges
    ends: Edges
    n_spans: int

    @property
    def end_s(self) -> float:
        """Return the last moment of activity; 0 where there is none."""
        return float(self.ends.time_s.max()) if len(self.ends) else 0.0

    def scaled(self, rate: float) -> Activity:
        """Return the activity on a clock that runs at another speed."""
        return Activity(self.starts.scaled(rate), self.ends.scaled(rate), self.n_spans)

    def backwards(self) -> Activity:
        """Return the activity played backwards from its end: the same rhythm, nothing in common."""
        last = self.end_s
        return Activity(
            Edges(last - self.ends.time_s[::-1], self.ends.weight[::-1]),
            Edges(last - self.starts.time_s[::-1], self.starts.weight[::-1]),
            self.n_spans,
        )


def spoken_spans(cues: Iterable[Cue]) -> list[Span]:
    """Return the intervals of the cues that have words, in order."""
    return sorted((c.start_s, c.end_s) for c in cues if spoken_words(c.text))


def activity_of(spans: Sequence[Span], kind: Kind) -> Activity:
    """Return the edges of intervals that will be compared with `kind` of intervals.

    Against other cues every edge counts alike; against speech those within a stretch without
    pauses count for less.
    """
    table = np.array(sorted(spans), dtype=np.float64).reshape(-1, 2)
    starts, ends = table[:, 0], np.sort(table[:, 1])
    if kind == "cues" or len(table) == 0:
        return Activity(
            Edges(starts, np.ones(len(starts))), Edges(ends, np.ones(len(ends))), len(table)
        )
    reach = np.maximum.accumulate(table[:, 1])
    paused = table[1:, 0] - reach[:-1] >= SHORTEST_PAUSE_S
    inner = np.where(paused, 1.0, WITHIN_SPEECH)
    return Activity(
        Edges(starts, np.concatenate([[1.0], inner])),
        Edges(reach, np.concatenate([inner, [1.0]])),
        len(table),
    )
