"""Events, shots, valence, arousal and fear of the sample, in the layouts of the MediaEval releases.

All follow from what is planted: violence is where the picture shows its cue, gunshots where the
sound has its own, fights where both are; fear is what the sound tells too. Valence falls
where the picture shows its cue, arousal rises where the sound has its own, both a little late and
smoothly, as people move a slider.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gazeline.params.sample import SampleParams
from gazeline.sample.catalogue import FPS, FilmFacts
from gazeline.sample.staging import INSERTED_VARIANT, reel
from gazeline.sample.story import Event, FilmStory, rng_of

VIOLENCE_FOLDER, AFFECT_FOLDER = "violence", "affect"
EVENT_FPS = 25
SMOOTHED_S = 5
LATE_S = 1.0
NOISE = 0.03
SPREAD = 0.7

Floats = npt.NDArray[np.float64]
Span = tuple[float, float]


def write_over_time(stories: Sequence[FilmStory], params: SampleParams, folder: Path) -> None:
    """Write the two folders beside the files in MObyGaze's format."""
    for story in stories:
        _write_violence(story, params, folder / VIOLENCE_FOLDER)
        _write_affect(story, params, folder / AFFECT_FOLDER)


def spans(events: Sequence[Event]) -> list[Span]:
    """Return the seconds of events, neighbours joined."""
    joined: list[Span] = []
    for event in sorted(events, key=lambda e: e.start_frame):
        start_s, end_s = float(event.start_frame / FPS), float(event.end_frame / FPS)
        if joined and joined[-1][1] == start_s:
            joined[-1] = (joined[-1][0], end_s)
        else:
            joined.append((start_s, end_s))
    return joined


def _write_violence(story: FilmStory, params: SampleParams, folder: Path) -> None:
    kinds = {
        "violence": [e for e in story.events if e.visual],
        "fights": [e for e in story.events if e.visual and e.sound],
    }
    for kind, events in kinds.items():
        lines = [f"{a} {b}" for a, b in map(_frames, spans(events))]
        _write(folder / f"{story.facts.film_id}_{kind}.txt", lines)
    heard = [f"{a:.2f} {b:.2f} gunshot" for a, b in spans([e for e in story.events if e.sound])]
    _write(folder / f"{story.facts.film_id}_gunshots.txt", heard)
    shots = [f"{a} {b}" for a, b in map(_frames, shot_spans(story, params))]
    _write(folder / f"{story.facts.film_id}_shots.txt", shots)


def shot_spans(story: FilmStory, params: SampleParams) -> Iterator[Span]:
    """Yield the shots of the annotated film, seconds: what the copy adds is none of them."""
    frame = 0
    for shot in reel(story, params):
        if shot.kind == "logo" or shot.variant == INSERTED_VARIANT:
            continue
        yield float(frame / FPS), float((frame + shot.n_frames) / FPS)
        frame += shot.n_frames


def _frames(span: Span) -> tuple[int, int]:
    """Return first and last frame at 25 a second."""
    return round(span[0] * EVENT_FPS), round(span[1] * EVENT_FPS) - 1


def _write_affect(story: FilmStory, params: SampleParams, folder: Path) -> None:
    number = affect_number(story.facts)
    valence, arousal = affect_of(story, params)
    rows = [
        f"{s}.0\t{v:.4f}\t{a:.4f}" for s, (v, a) in enumerate(zip(valence, arousal, strict=True))
    ]
    name = f"MEDIAEVAL18_{number}_Valence-Arousal.txt"
    _write(folder / name, ["Time\tValence\tArousal", *rows])
    fear = [f"{a:.2f} {b:.2f}" for a, b in spans([e for e in story.events if e.sound])]
    _write(folder / f"MEDIAEVAL18_{number}_Fear.txt", fear)


def affect_number(facts: FilmFacts) -> str:
    """Return the number of a film among the files of valence, arousal and fear."""
    return f"{facts.movie_id:02d}"


def affect_of(story: FilmStory, params: SampleParams) -> tuple[Floats, Floats]:
    """Return valence and arousal per second."""
    rng = rng_of(params.seed, story.facts, 40)
    n = int(story.n_frames / FPS)
    seen = _followed([e for e in story.events if e.visual], n)
    heard = _followed([e for e in story.events if e.sound], n)
    return (
        np.clip(SPREAD * (0.5 - seen) + rng.normal(0, NOISE, n), -1, 1),
        np.clip(SPREAD * (heard - 0.5) + rng.normal(0, NOISE, n), -1, 1),
    )


def _followed(events: Sequence[Event], n: int) -> Floats:
    """Return the share of each second that events fill, smoothed and late, [seconds]."""
    edges = np.arange(n)[:, None] - LATE_S
    filled = np.zeros(n)
    for start_s, end_s in spans(events):
        overlap = np.minimum(edges + 1, end_s) - np.maximum(edges, start_s)
        filled += np.clip(overlap, 0, 1)[:, 0]
    padded = np.pad(filled, SMOOTHED_S // 2, mode="edge")
    return np.convolve(padded, np.ones(SMOOTHED_S) / SMOOTHED_S, mode="valid")


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
