"""A scene replaced by another: both sides speak at a cut, and neither says what the other does."""

from __future__ import annotations

import numpy as np

from gazeline.alignment.cuts import Cut, Side
from gazeline.alignment.dialogue import Words
from gazeline.alignment.matching import matched

# One line without a counterpart may be worded anew or left out.
FEWEST_LINES = 2


def without_replaced(
    corpus: Words, copy: Words, rate: float, before: Side, after: Side, cut: Cut
) -> Cut:
    """Widen a cut over the annotated lines around it for which the copy has other lines.

    The offsets differ only by the difference of the two scenes' lengths; what is longer than that
    difference would be mapped to the other scene. The cut stays as it is where fewer than two
    lines in a row lack a counterpart, or where the copy says nothing there.
    """
    first, last = _lost(corpus, copy, rate, before, after, cut)
    spoken = [cue for cue in range(first, last + 1) if corpus.of_cue(cue)]
    mapped = [cue for cue in spoken if not cut.end_s <= _middle_s(corpus, cue) < cut.start_s]
    if len(spoken) < FEWEST_LINES or not mapped:
        return cut
    if not _speaks_of_else(corpus, copy, rate, (before, first - 1), (after, last + 1)):
        return cut
    return Cut(
        min(cut.end_s, _pause_s(corpus, first - 1, spoken[0])),
        max(cut.start_s, _pause_s(corpus, spoken[-1], last + 1)),
    )


def _lost(
    corpus: Words, copy: Words, rate: float, before: Side, after: Side, cut: Cut
) -> tuple[int, int]:
    """Return the first and last cue of the row around a cut that the copy does not have."""
    first, last = before.cue + 1, after.cue - 1
    cues = range(first, last + 1)
    here = matched(corpus, copy, cues, rate, before.offset_s)
    there = matched(corpus, copy, cues, rate, after.offset_s)
    for index, cue in enumerate(cues):
        if here[index] and _middle_s(corpus, cue) < cut.end_s:
            first = cue + 1
    for index, cue in reversed(list(enumerate(cues))):
        if there[index] and _middle_s(corpus, cue) >= cut.start_s:
            last = cue - 1
    return first, last


def _speaks_of_else(
    corpus: Words, copy: Words, rate: float, before: tuple[Side, int], after: tuple[Side, int]
) -> bool:
    """Say whether the copy speaks between two cues that it has, and says nothing of the corpus.

    `before` and `after` are a side of the cut and the cue nearest to it that the copy has.
    """
    start_s = rate * corpus.cue_end_s[before[1]] + before[0].offset_s
    end_s = rate * corpus.cue_start_s[after[1]] + after[0].offset_s
    low, high = np.searchsorted((copy.cue_start_s + copy.cue_end_s) / 2, [start_s, end_s])
    cues = range(int(low), int(high))
    if not any(copy.of_cue(cue) for cue in cues):
        return False
    offsets = (before[0].offset_s, after[0].offset_s)
    return not any(matched(copy, corpus, cues, 1 / rate, -o / rate).any() for o in offsets)


def _middle_s(corpus: Words, cue: int) -> float:
    return float(corpus.cue_start_s[cue] + corpus.cue_end_s[cue]) / 2


def _pause_s(corpus: Words, before: int, after: int) -> float:
    """Return the middle of the pause between two cues."""
    return float(corpus.cue_end_s[before] + corpus.cue_start_s[after]) / 2
