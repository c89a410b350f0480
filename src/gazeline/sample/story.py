"""What happens in a sample film: events that are seen, said and heard, and the lines spoken.

Everything is planned on the annotation clock, from the seed alone; nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gazeline.params.sample import SampleParams
from gazeline.sample.catalogue import FILMS, FPS, FilmFacts, frames_of
from gazeline.sample.grammar import Deck

EVENT_S = 3.3
LEAST_EVENTS = 5
SHORT_FILM_S = 20
TITLE_SHARE = 0.8
POSITIVE_SHARE = 0.4
ARRANGEMENTS_TRIED = 300
LINE_S = 1.8
MARGIN_MS = 180
PAUSE_MS = 120
SILENT_SHARE = 0.1

Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Event:
    """Frames [start_frame, end_frame) in which each modality shows its cue or does not."""

    start_frame: int
    end_frame: int
    visual: bool
    speech: bool
    sound: bool
    title: bool = False

    @property
    def n_frames(self) -> int:
        """Return the length in frames."""
        return self.end_frame - self.start_frame

    @property
    def n_cues(self) -> int:
        """Return in how many modalities the event is positive."""
        return self.visual + self.speech + self.sound


@dataclass(frozen=True)
class Cue:
    """A line spoken in [start_ms, end_ms), annotation or copy clock."""

    start_ms: int
    end_ms: int
    text: str
    objectifying: bool = False


@dataclass(frozen=True)
class FilmStory:
    """One film as it was annotated."""

    facts: FilmFacts
    n_frames: int
    events: tuple[Event, ...]
    cues: tuple[Cue, ...]


def rng_of(seed: int, facts: FilmFacts, purpose: int) -> np.random.Generator:
    """Return a generator of its own for a film and a purpose, so that parts do not interfere."""
    return np.random.default_rng([seed, facts.movie_id, purpose])


def tell(params: SampleParams) -> tuple[FilmStory, ...]:
    """Plan the six films, in the order of their ids."""
    deck = Deck(params.seed)
    return tuple(_tell_film(facts, params, deck) for facts in FILMS)


def _tell_film(facts: FilmFacts, params: SampleParams, deck: Deck) -> FilmStory:
    rng = rng_of(params.seed, facts, 1)
    n_frames = frames_of(params.seconds)
    events = _events(n_frames, params.seconds, rng)
    cues = list(_cues(events, params.seconds, deck, rng))
    if facts.opening_line:
        cues[0] = replace(cues[0], text=facts.opening_line)
    return FilmStory(facts, n_frames, events, tuple(cues))


def _events(n_frames: int, seconds: int, rng: np.random.Generator) -> tuple[Event, ...]:
    """Tile the film with events; the first is the title, where nothing is objectifying."""
    n = max(LEAST_EVENTS, round(seconds / EVENT_S))
    spread = 0.22 if seconds >= SHORT_FILM_S else 0.03
    lengths = rng.uniform(1 - spread, 1 + spread, n)
    lengths[0] = TITLE_SHARE
    edges = np.rint(np.cumsum(lengths) / lengths.sum() * n_frames).astype(int)
    visual, speech, sound = _arrangement(n, rng)
    return tuple(
        Event(
            start_frame=int(edges[i - 1]) if i else 0,
            end_frame=int(edges[i]),
            visual=bool(visual[i]),
            speech=bool(speech[i]),
            sound=bool(sound[i]),
            title=i == 0,
        )
        for i in range(n)
    )


def _arrangement(n: int, rng: np.random.Generator) -> tuple[Bits, Bits, Bits]:
    """Choose where each modality is positive: the least dependent of many random arrangements."""
    k = round(POSITIVE_SHARE * n)
    tried = [
        (_positions(n, k, rng), _positions(n, k, rng), _positions(n, k, rng))
        for _ in range(ARRANGEMENTS_TRIED)
    ]
    return min(tried, key=_dependence)


def _positions(n: int, k: int, rng: np.random.Generator) -> Bits:
    bits = np.zeros(n, dtype=bool)
    bits[1 + rng.permutation(n - 1)[:k]] = True
    return bits


def _dependence(arrangement: tuple[Bits, Bits, Bits]) -> float:
    """Return the sum of the absolute correlations between the modalities.

    Arrangements in which only the title is free of cues come last.
    """
    matrix = np.corrcoef(np.array(arrangement, dtype=float))
    n_free = int((~np.array(arrangement).any(axis=0)).sum())
    return float(np.abs(np.triu(matrix, 1)).sum()) + (3.0 if n_free < 2 else 0.0)


def _cues(
    events: tuple[Event, ...], seconds: int, deck: Deck, rng: np.random.Generator
) -> Iterator[Cue]:
    for event in events:
        silent = rng.random() < SILENT_SHARE
        if silent and not (event.speech or event.title) and seconds >= SHORT_FILM_S:
            continue
        yield from _event_cues(event, deck, rng)


def _event_cues(event: Event, deck: Deck, rng: np.random.Generator) -> Iterator[Cue]:
    """Speak one line or more inside an event, with a pause at its edges and between lines."""
    first = round(1000 * event.start_frame / FPS) + MARGIN_MS
    last = round(1000 * event.end_frame / FPS) - MARGIN_MS
    n = max(1, round((last - first) / 1000 / LINE_S))
    slot = (last - first) / n
    for i in range(n):
        start = first + round(i * slot)
        length = (slot - PAUSE_MS) * rng.uniform(0.85, 1.0)
        yield Cue(start, start + round(length), deck.line(event.speech), event.speech)
