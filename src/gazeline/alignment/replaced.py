"""A scene replaced by another: both sides speak at a cut, and neither says what the other does."""

from __future__ import annotations

import numpy as np

from gazeline.alignment.cuts import Cut, Side
from gazeline.alignment.dialogue import Words
from gazeline.alignment.matching import matched, spoken_over

# One line without a counterpart may be worded anew or left out.
FEWEST_LINES = 2


def without_replaced(
    corpus: Words, copy: Words, rate: float, before: Side, after: Side, cut: Cut
) -> Cut:
    """Widen a cut over the annotated lines around it for which the copy has other lines.

    The offsets differ only by the difference of the two scenes' lengths; what is longer than that
    difference would be mapped to the other scene. The cut stays as it is where fewer than two
    lines in a row lack a counterpart, or where the copy is silent when they would be said: such
    lines were left out of its subtitles.
    """
    first, last = _lost(corpus, copy, rate, before, after, cut)
    spoken = [cue for cue in range(first, last + 1) if corpus.of_cue(cue)]
    over = _over(corpus, copy, rate, before, after, cut, spoken)
    if len(spoken) < FEWEST_LINES or 2 * sum(over) < len(over) or not over:
        return cut
    if not _speaks_of_else(corpus, copy, rate, (before, first - 1), (after, last + 1)):
        return cut
    return Cut(
        min(cut.end_s, _pause_s(corpus, first - 1, spoken[0])),
        max(cut.start_s, _pause_s(corpus, spoken[-1], last + 1)),
    )


def _over(
    corpus: Words, copy: Words, rate: float, before: Side, after: Side, cut: Cut, cues: list[int]
) -> list[bool]:
    """Return, for those of `cues` that are mapped, whether the copy has another line there."""
    sides = [(cue, before) for cue in cues if _middle_s(corpus, cue) < cut.end_s]
    sides += [(cue, after) for cue in cues if _middle_s(corpus, cue) >= cut.start_s]
    return [
        bool(spoken_over(corpus, copy, range(cue, cue + 1), rate, side.offset_s)[0])
        for cue, side in sides
    ]


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
    """Say whether the copy speaks between two cues that it has, and mostly of something else.

    `before` and `after` are a side of the cut and the cue nearest to it that the copy has.
    """
    start_s = rate * corpus.cue_end_s[before[1]] + before[0].offset_s
    end_s = rate * corpus.cue_start_s[after[1]] + after[0].offset_s
    low, high = np.searchsorted((copy.cue_start_s + copy.cue_end_s) / 2, [start_s, end_s])
    cues = range(int(low), int(high))
    n_spoken = sum(bool(copy.of_cue(cue)) for cue in cues)
    here, there = (
        matched(copy, corpus, cues, 1 / rate, -side.offset_s / rate)
        for side in (before[0], after[0])
    )
    # Small words may agree by chance.
    return n_spoken > 0 and 2 * int(np.count_nonzero(here | there)) <= n_spoken


def _middle_s(corpus: Words, cue: int) -> float:
    return float(corpus.cue_start_s[cue] + corpus.cue_end_s[cue]) / 2


def _pause_s(corpus: Words, before: int, after: int) -> float:
    """Return the middle of the pause between two cues."""
    return float(corpus.cue_end_s[before] + corpus.cue_start_s[after]) / 2
