"""Copies of which only the timing is of use: another language, speech, other cuts."""

from __future__ import annotations

import random
from collections.abc import Sequence

from alignment.dialogues import jittered, speak
from gazeline.alignment.activity import Span
from gazeline.subtitles.reading.read import Cue


def uneven(seed: int, count: int) -> tuple[Cue, ...]:
    """Return dialogue with cues and pauses of all lengths, as films have them."""
    rng = random.Random(seed)
    cues, at = [], 5.0
    for cue in speak(seed, count, spacing_s=3.0):
        length, kind = rng.uniform(0.8, 4.5), rng.random()
        cues.append(Cue(at, at + length, cue.text))
        pause = rng.uniform(0.05, 0.2) if kind < 0.5 else rng.uniform(0.3, 2.5)
        at += length + (rng.expovariate(1 / 15) if kind > 0.85 else pause)
    return tuple(cues)


def foreign(cues: Sequence[Cue], seed: int) -> tuple[Cue, ...]:
    """Return cues in a language that shares no word: timed anew, one in eight left out."""
    rng = random.Random(seed)
    kept = [c for c in jittered(cues, seed, 0.3) if rng.random() > 0.12]
    return tuple(
        Cue(c.start_s, c.end_s, " ".join("xyzq"[i % 4] + w[::-1] for i, w in enumerate(words)))
        for c in kept
        for words in [c.text.lower().split()]
    )


def heard(cues: Sequence[Cue], seed: int) -> tuple[Span, ...]:
    """Return intervals as a detector finds them: joined, one in ten missed, some false."""
    rng = random.Random(seed)
    spans: list[list[float]] = []
    for cue in cues:
        if spans and cue.start_s - spans[-1][1] < 0.3:
            spans[-1][1] = max(spans[-1][1], cue.end_s)
        else:
            spans.append([cue.start_s, cue.end_s])
    kept = [(a + rng.uniform(-0.15, 0.15), b + rng.uniform(-0.15, 0.15)) for a, b in spans]
    kept = [span for span in kept if rng.random() > 0.1]
    end = cues[-1].end_s
    false = [(t, t + rng.uniform(0.3, 3)) for t in (rng.uniform(0, end) for _ in range(30))]
    return tuple(sorted(kept + false))


def spans_of(cues: Sequence[Cue]) -> tuple[Span, ...]:
    return tuple((c.start_s, c.end_s) for c in cues)


def without(cues: Sequence[Cue], start_s: float, end_s: float) -> tuple[Cue, ...]:
    """Return cues of a copy that lacks [start_s, end_s), on its own clock."""
    missing = end_s - start_s
    return tuple(
        c if c.end_s <= start_s else Cue(c.start_s - missing, c.end_s - missing, c.text)
        for c in cues
        if c.end_s <= start_s or c.start_s >= end_s
    )


def later(cues: Sequence[Cue], from_s: float, by_s: float) -> tuple[Cue, ...]:
    """Return cues of a copy with a scene of `by_s` more at `from_s`."""
    return tuple(
        Cue(c.start_s + by_s, c.end_s + by_s, c.text) if c.start_s >= from_s else c for c in cues
    )
