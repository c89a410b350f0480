"""Where exactly one stretch ends and the next begins: in the pause that fits the cues best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gazeline.alignment.dialogue import Flags, Floats, Words
from gazeline.alignment.matching import matched, spoken_over

FOUND, NOT_FOUND = 1.0, -0.5
# A line that is not found was rather left out where the copy is silent than where it has another.
SPOKEN_OVER = -0.25
# Only decides between places that the cues speak for equally.
PAUSE_WEIGHT = 0.02
LONGEST_PAUSE_S = 10.0


@dataclass(frozen=True)
class Cut:
    """The annotated time from `end_s` to `start_s` is not in the copy (equal: nothing missing)."""

    end_s: float
    start_s: float


@dataclass(frozen=True)
class Side:
    """What lies before or after a cut: its offset and the corpus cue nearest to the cut."""

    offset_s: float
    cue: int


def place_cut(corpus: Words, copy: Words, rate: float, before: Side, after: Side) -> Cut:
    """Return where the copy leaves the annotated film after `before` and takes it up again.

    A copy that comes back later than expected has a scene more: nothing is missing. One that
    comes back earlier lacks as much annotated time as the offsets differ by. Of all places
    between the two cues it takes the one where most cues before are found at the one offset and
    most cues after at the other, then the one in the longest pause.
    """
    missing_s = max(0.0, (before.offset_s - after.offset_s) / rate)
    cues = range(before.cue + 1, after.cue)
    places = _places(corpus, before.cue, after.cue, missing_s)
    middle = (corpus.cue_start_s + corpus.cue_end_s)[before.cue + 1 : after.cue] / 2
    here = matched(corpus, copy, cues, rate, before.offset_s)
    there = matched(corpus, copy, cues, rate, after.offset_s)
    here_else = ~here & spoken_over(corpus, copy, cues, rate, before.offset_s)
    there_else = ~there & spoken_over(corpus, copy, cues, rate, after.offset_s)
    scores = [
        _support(middle, here, there, place, missing_s)
        + SPOKEN_OVER * _count(middle, here_else, there_else, place, missing_s)
        + PAUSE_WEIGHT * min(_pause_s(corpus, place), _pause_s(corpus, place + missing_s))
        for place in places
    ]
    best = float(places[int(np.argmax(scores))])
    return Cut(best, best + missing_s)


def _places(corpus: Words, first: int, last: int, missing_s: float) -> Floats:
    """Return the ends worth trying: middles of pauses, and ends that resume in one."""
    low = float(corpus.cue_end_s[first])
    high = float(corpus.cue_start_s[last]) - missing_s
    if high <= low:
        return np.array([(low + high) / 2])
    starts = corpus.cue_start_s[first + 1 : last + 1]
    ends = np.maximum.accumulate(corpus.cue_end_s[first:last])
    pauses = ((starts + ends) / 2)[starts >= ends]
    tries = np.concatenate([pauses, pauses - missing_s, [low, high]])
    return np.unique(np.clip(tries, low, high))


def _support(middle: Floats, here: Flags, there: Flags, place: float, missing_s: float) -> float:
    found = _count(middle, here, there, place, missing_s)
    lost = _count(middle, ~here, ~there, place, missing_s)
    return FOUND * found + NOT_FOUND * lost


def _count(middle: Floats, here: Flags, there: Flags, place: float, missing_s: float) -> int:
    """Return how many cues have the one flag before the cut or the other one after it."""
    before, after = middle < place, middle >= place + missing_s
    return int(np.count_nonzero(here & before) + np.count_nonzero(there & after))


def _pause_s(corpus: Words, time_s: float) -> float:
    """Return how far a time is from the nearest cue edge; negative within a cue."""
    after = int(np.searchsorted(corpus.cue_start_s, time_s, side="right"))
    low = max(0, after - 5)
    to_end = time_s - corpus.cue_end_s[low:after].max() if after else LONGEST_PAUSE_S
    to_start = corpus.cue_start_s[after] - time_s if after < corpus.n_cues else LONGEST_PAUSE_S
    return float(np.clip(min(to_end, to_start), -LONGEST_PAUSE_S, LONGEST_PAUSE_S))
