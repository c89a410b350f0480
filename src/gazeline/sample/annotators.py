"""Two annotators watch a film: they see most of what happens, and do not always agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from gazeline.params.sample import SampleParams
from gazeline.sample.catalogue import ANNOTATORS, FPS
from gazeline.sample.story import Event, FilmStory, rng_of

EN, HN, NS, S = "Easy Negative", "Hard Negative", "Not Sure", "Sure"

# Concepts that show when a modality is positive, and how often one names them.
VISUAL = {"Clothing": 0.9, "Body": 0.85, "Look": 0.75, "Appearance": 0.3, "Type of shot": 0.25}
# Concepts that depend on nothing in the films.
UNPLANTED = {"Posture": 0.05, "Exp of emotion": 0.03, "Activities": 0.02, "Voice": 0.03}
# The order of the release's own lists.
ORDER = (
    "Type of shot",
    "Body",
    "Voice",
    "Appearance",
    "Clothing",
    "Posture",
    "Speech",
    "Activities",
    "Look",
    "Exp of emotion",
    "Soundtrack",
    "Narratology",
)
COMMENTS = (
    "red dress fills the shot",
    "camera stays on her while he's talking",
    'they say "pretty" again',
    "whistle over the scene, can't tell why",
    "same pose as before",
)


@dataclass(frozen=True)
class Habits:
    """How an annotator works: `split` and `merge` are shares, `jitter_frames` at boundaries."""

    annotator: str
    miss: float
    imagine: float
    level_flip: float
    not_sure: float
    split: float
    merge: float
    jitter_frames: int


HABITS = (
    Habits(ANNOTATORS[0], 0.07, 0.03, 0.09, 0.08, split=0.0, merge=0.4, jitter_frames=6),
    Habits(ANNOTATORS[1], 0.05, 0.03, 0.08, 0.08, split=0.4, merge=0.0, jitter_frames=4),
)
LONGEST_MERGED_S = 7.0
SHORTEST_SPLIT_S = 3.0


@dataclass(frozen=True)
class Row:
    """One annotated interval, frames inclusive as in the release."""

    film_id: str
    annotator: str
    label: str
    concepts: tuple[str, ...]
    comment: str
    start_frame: int
    end_frame: int


@dataclass(frozen=True)
class Perceived:
    """What an annotator makes of a stretch of film; `certain` stretches are beyond doubt."""

    event: Event
    visual: bool
    speech: bool
    sound: bool
    certain: frozenset[str]

    def same(self, other: Perceived) -> bool:
        """Whether two stretches were perceived alike."""
        mine, theirs = (self.visual, self.speech, self.sound), (other.visual, other.speech)
        return mine == (*theirs, other.sound)


def annotate(story: FilmStory, params: SampleParams) -> dict[str, tuple[Row, ...]]:
    """Return the rows of each annotator, in time order; they tile the film."""
    rows = {}
    for number, habits in enumerate(HABITS):
        rng = rng_of(params.seed, story.facts, 10 + number)
        rows[habits.annotator] = tuple(_annotate(story, habits, rng))
    return rows


def _annotate(story: FilmStory, habits: Habits, rng: np.random.Generator) -> Iterator[Row]:
    seen = [_perceive(e, _certain(e, story.events), habits, rng) for e in story.events]
    stretches = _split(_merge(seen, habits, rng), habits, rng)
    starts = [_jittered(p.event.start_frame, habits, rng) for p in stretches]
    ends = [*starts[1:], story.n_frames]
    for stretch, start, end in zip(stretches, starts, ends, strict=True):
        label, concepts = _judge(stretch, habits, rng)
        comment = _comment(stretch, label, rng)
        yield Row(story.facts.film_id, habits.annotator, label, concepts, comment, start, end - 1)


def _certain(event: Event, events: tuple[Event, ...]) -> frozenset[str]:
    """Return the modalities in which this is the film's longest positive event.

    Nobody errs about these (nor about the title), so that every film has positives and negatives
    of every modality by every annotator: a fold validates on a single film.
    """
    return frozenset(
        name
        for name in ("visual", "speech", "sound")
        if event is max(events, key=lambda e: (getattr(e, name), e.n_frames))
    )


def _perceive(
    event: Event, certain: frozenset[str], habits: Habits, rng: np.random.Generator
) -> Perceived:
    luck = rng.random(3)
    truth = {"visual": event.visual, "speech": event.speech, "sound": event.sound}
    perceived = {}
    for (name, value), chance in zip(truth.items(), luck, strict=True):
        mistaken = bool(chance < (habits.miss if value else habits.imagine))
        perceived[name] = value != (mistaken and name not in certain and not event.title)
    return Perceived(event, **perceived, certain=certain)


def _merge(seen: list[Perceived], habits: Habits, rng: np.random.Generator) -> list[Perceived]:
    """Let a coarse annotator take neighbours together: like ones always, others sometimes."""
    merged: list[Perceived] = []
    for stretch in seen:
        carelessly = rng.random() < habits.merge
        if merged and habits.merge and _may_merge(merged[-1], stretch, carelessly):
            merged[-1] = _united(merged[-1], stretch)
        else:
            merged.append(stretch)
    return merged


def _may_merge(before: Perceived, after: Perceived, carelessly: bool) -> bool:
    length_s = (after.event.end_frame - before.event.start_frame) / FPS
    if before.event.title or length_s > LONGEST_MERGED_S:
        return False
    return before.same(after) or (carelessly and not before.certain and not after.certain)


def _united(a: Perceived, b: Perceived) -> Perceived:
    event = replace(a.event, end_frame=b.event.end_frame)
    return Perceived(
        event, a.visual or b.visual, a.speech or b.speech, a.sound or b.sound, a.certain | b.certain
    )


def _split(stretches: list[Perceived], habits: Habits, rng: np.random.Generator) -> list[Perceived]:
    """Let a fine annotator cut long stretches near their middle."""
    parts: list[Perceived] = []
    for stretch in stretches:
        event = stretch.event
        cut = event.start_frame + round(event.n_frames * rng.uniform(0.45, 0.55))
        if rng.random() < habits.split and event.n_frames / FPS >= SHORTEST_SPLIT_S:
            parts.append(replace(stretch, event=replace(event, end_frame=cut)))
            parts.append(replace(stretch, event=replace(event, start_frame=cut)))
        else:
            parts.append(stretch)
    return parts


def _jittered(frame: int, habits: Habits, rng: np.random.Generator) -> int:
    jitter = int(rng.integers(-habits.jitter_frames, habits.jitter_frames + 1))
    return frame + jitter if frame else 0


def _judge(
    stretch: Perceived, habits: Habits, rng: np.random.Generator
) -> tuple[str, tuple[str, ...]]:
    """Return label and concepts: Sure from two modalities on, Hard Negative from one."""
    concepts = _concepts(stretch, rng)
    n = stretch.visual + stretch.speech + stretch.sound
    level = S if n >= 2 else HN if concepts else EN
    doubt, flip = rng.random(2)
    if flip < habits.level_flip and level != EN:
        level = HN if level == S else S
    if doubt < habits.not_sure and concepts and not stretch.certain:
        level = NS
    return level, concepts


def _concepts(stretch: Perceived, rng: np.random.Generator) -> tuple[str, ...]:
    named = set()
    luck = dict(zip((*VISUAL, *UNPLANTED), rng.random(len(VISUAL) + len(UNPLANTED)), strict=True))
    if stretch.visual:
        # The likeliest concept stands in where none was named, so the modality never gets lost.
        named |= {c for c, share in VISUAL.items() if luck[c] < share} or {"Clothing"}
    if stretch.speech:
        named.add("Speech")
    if stretch.sound:
        named.add("Soundtrack")
    if not stretch.event.title:
        named |= {c for c, share in UNPLANTED.items() if luck[c] < share}
    return tuple(c for c in ORDER if c in named)


def _comment(stretch: Perceived, label: str, rng: np.random.Generator) -> str:
    talkative, which = rng.random() < 0.15, int(rng.integers(len(COMMENTS)))
    if stretch.event.title:
        return "credits"
    return COMMENTS[which] if talkative and label != EN else ""
