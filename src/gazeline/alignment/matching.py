"""Whether the copy says, at the place a map predicts, what a corpus cue says."""

from __future__ import annotations

from collections import Counter

import numpy as np

from gazeline.alignment.dialogue import Flags, Words

# Half a second of slack on both sides for cues that were timed anew.
SLACK_S = 0.7
ENOUGH_SHARED = 0.5
# So many cues may be shown at once.
MOST_AT_ONCE = 4


def shared_words(corpus: Words, copy: Words, cue: int, rate: float, offset_s: float) -> float:
    """Return the share of a corpus cue's words that the copy speaks where the map says."""
    wanted = corpus.of_cue(cue)
    if not wanted:
        return 0.0
    start = rate * corpus.cue_start_s[cue] + offset_s - SLACK_S
    end = rate * corpus.cue_end_s[cue] + offset_s + SLACK_S
    low, high = np.searchsorted(copy.time_s, [start, end])
    there = Counter(copy.text[low:high])
    return sum((Counter(wanted) & there).values()) / len(wanted)


def matched(corpus: Words, copy: Words, cues: range, rate: float, offset_s: float) -> Flags:
    """Return for each of `cues` whether the copy has it at this speed and offset."""
    shares = [shared_words(corpus, copy, cue, rate, offset_s) for cue in cues]
    return np.array(shares, dtype=np.float64) >= ENOUGH_SHARED


def spoken_over(corpus: Words, copy: Words, cues: range, rate: float, offset_s: float) -> Flags:
    """Return for each of `cues` whether the copy has a cue, of whatever words, at its middle."""
    middle = (corpus.cue_start_s + corpus.cue_end_s)[cues.start : cues.stop] / 2
    at = rate * middle + offset_s
    started = np.searchsorted(copy.cue_start_s, at, side="right")
    shown = np.zeros(len(at), dtype=np.bool_)
    for back in range(1, MOST_AT_ONCE + 1):
        there = started >= back
        shown[there] |= copy.cue_end_s[started[there] - back] > at[there]
    return shown
