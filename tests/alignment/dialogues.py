"""Dialogue to align: 13 cues over 40 s, as a sample film has them, and 1000 over an hour."""

from __future__ import annotations

import random
from collections.abc import Sequence

from gazeline.subtitles.reading.read import Cue

WORDS = (  # noqa: SIM905
    "harbour lamp letter winter bread ferry garden silver window brother morning storm ticket "
    "river dress stone market candle bridge doctor yellow piano corner sugar engine coat summer "
    "paper horse mirror village captain orange drawer whistle apple station violin cloud needle"
).split()
SMALL = (
    "the",
    "a",
    "you",
    "I",
    "we",
    "they",
    "is",
    "was",
    "do",
    "not",
    "in",
    "at",
    "to",
    "of",
    "my",
)


def speak(seed: int, count: int, spacing_s: float, start_s: float = 1.0) -> tuple[Cue, ...]:
    """Return `count` cues of 4 to 8 words; every tenth is a short common phrase."""
    rng = random.Random(seed)
    cues, at = [], start_s
    for index in range(count):
        length = spacing_s * rng.uniform(0.5, 0.8)
        words = [
            rng.choice(WORDS if rng.random() < 0.5 else SMALL) for _ in range(rng.randint(4, 8))
        ]
        text = "What is it?" if index % 10 == 9 else " ".join(words).capitalize() + "."
        cues.append(Cue(round(at, 3), round(at + length, 3), text))
        at += spacing_s * rng.uniform(0.9, 1.1)
    return tuple(cues)


def moved(cues: Sequence[Cue], rate: float, offset_s: float) -> tuple[Cue, ...]:
    """Return cues on a clock that runs at another speed, rounded to milliseconds as in a file."""
    return tuple(
        Cue(round(rate * c.start_s + offset_s, 3), round(rate * c.end_s + offset_s, 3), c.text)
        for c in cues
    )


def jittered(cues: Sequence[Cue], seed: int, amount_s: float) -> tuple[Cue, ...]:
    """Return cues with each edge moved at random, as another subtitler would time them."""
    rng = random.Random(seed)
    return tuple(
        Cue(
            max(0.0, c.start_s + rng.uniform(-amount_s, amount_s)),
            c.end_s + rng.uniform(-amount_s, amount_s),
            c.text,
        )
        for c in cues
    )


CLIP = speak(seed=1, count=13, spacing_s=3.0)
HOUR = speak(seed=2, count=1000, spacing_s=3.6)
