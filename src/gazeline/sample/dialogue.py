"""The spoken lines as subtitles write them: in the release, and in the user's copy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gazeline.params.sample import SampleParams
from gazeline.sample.catalogue import FPS
from gazeline.sample.copies import Edit, edit_of
from gazeline.sample.story import Cue, FilmStory, rng_of

LINE_LENGTH = 30
ZERO_LENGTH_AFTER_MS = 60
OVERLAP_MS = 150
COPY_JITTER_MS = 40
# What another subtitler writes for the same words.
WORDINGS = (
    ("do not", "don't"),
    ("Do not", "Don't"),
    ("It is", "It's"),
    (", I swear", ""),
    (", you know", ""),
    (", for once", ""),
    ("Come here and show", "Come and show"),
    ("The last bus", "The bus"),
    ("does not", "doesn't"),
)
INSERTED_LINES = ("Nobody told me about this tunnel.", "Hush, the conductor hears everything.")


def mojibake(text: str) -> str:
    """Return `text` as it reads when its UTF-8 bytes are taken for Latin-1."""
    return text.encode("utf-8").decode("latin-1")


def wrapped(text: str) -> str:
    """Break a long line in two near its middle, as subtitles do."""
    if len(text) <= LINE_LENGTH or "\n" in text:
        return text
    spaces = [i for i, letter in enumerate(text) if letter == " "]
    middle = min(spaces, key=lambda i: abs(i - len(text) / 2))
    return f"{text[:middle]}\n{text[middle + 1 :]}"


def written(story: FilmStory) -> list[Cue]:
    """Return a film's cues as subtitled, with tags, notes and brackets, annotation clock."""
    cues = [replace(cue, text=wrapped(cue.text)) for cue in story.cues]
    plain = [i for i, cue in enumerate(cues) if not cue.objectifying]
    first, last = plain[0], plain[-1]
    match story.facts.slug:
        case "lantern":
            cues[first] = replace(cues[first], text=f"<i>{cues[first].text}</i>")
        case "orchard":
            cues[last] = replace(cues[last], text=f"\u266a {cues[last].text} \u266a")
        case "tram":
            cues[first] = replace(cues[first], text=f"[Bell rings]\n{cues[first].text}")
        case "glass":
            both = f'- {cues[last].text}\n- I\'d say "no".'
            cues[last] = replace(cues[last], text=both)
    return cues


def released(story: FilmStory) -> list[Cue]:
    """Return a film's cues in the order of the release, with its quirks, annotation clock."""
    cues = written(story)
    match story.facts.slug:
        case "orchard":
            cues[1], cues[2] = cues[2], cues[1]
        case "kite":
            moment = cues[0].end_ms + ZERO_LENGTH_AFTER_MS
            cues.insert(1, Cue(moment, moment, "Hm."))
            cues.append(Cue(cues[-1].end_ms + 20, cues[-1].end_ms + 100, ""))
        case "glass":
            cues[0] = replace(cues[0], end_ms=cues[1].start_ms + OVERLAP_MS)
    return [replace(cue, text=mojibake(cue.text)) for cue in cues]


def on_copy(story: FilmStory, params: SampleParams) -> list[Cue]:
    """Return the cues of a copy's own subtitles, copy clock: other hands, nearly the same words."""
    rng = rng_of(params.seed, story.facts, 20)
    edit = edit_of(story, params.seconds)
    cues = written(story)
    if story.facts.copy.subtitles == "sidecar":
        cues = list(_resplit([replace(c, text=_reworded(c.text)) for c in cues]))
    moved = [_moved(cue, story, edit, rng) for cue in cues]
    return sorted([*moved, *_inserted(edit)], key=lambda cue: cue.start_ms)


def spoken_on_copy(story: FilmStory, seconds: int) -> list[Cue]:
    """Return the lines as they are heard in the copy, copy clock, to the millisecond."""
    edit = edit_of(story, seconds)
    still = np.random.default_rng(0)
    moved = [_moved(cue, story, edit, still, jitter_ms=0) for cue in story.cues]
    return sorted([*moved, *_inserted(edit)], key=lambda cue: cue.start_ms)


def _moved(
    cue: Cue,
    story: FilmStory,
    edit: Edit,
    rng: np.random.Generator,
    jitter_ms: int = COPY_JITTER_MS,
) -> Cue:
    """Move a cue to the copy clock, with the inaccuracy of another subtitler."""
    fps = story.facts.copy.fps
    frame = int(cue.start_ms / 1000 * FPS)
    shift_ms = float((edit.copy_frame(frame) - frame) / fps) * 1000
    start_jitter, end_jitter = rng.integers(-jitter_ms, jitter_ms + 1, 2)
    return replace(
        cue,
        start_ms=max(0, round(cue.start_ms * float(FPS / fps) + shift_ms + start_jitter)),
        end_ms=round(cue.end_ms * float(FPS / fps) + shift_ms + end_jitter),
    )


def _inserted(edit: Edit) -> Iterator[Cue]:
    """Speak the lines of the inserted scene, which the annotated version lacks."""
    if edit.cut_frame is None:
        return
    start_ms = 1000 * edit.cut_frame / FPS
    slot_ms = 1000 * edit.inserted_frames / FPS / len(INSERTED_LINES)
    for i, line in enumerate(INSERTED_LINES):
        first = round(start_ms + i * slot_ms)
        yield Cue(first + round(0.15 * slot_ms), first + round(0.85 * slot_ms), line)


def _reworded(text: str) -> str:
    for ours, theirs in WORDINGS:
        text = text.replace(ours, theirs)
    return text


def _resplit(cues: list[Cue]) -> Iterator[Cue]:
    """Split every fourth cue of several lines in two, as another subtitler would."""
    for i, cue in enumerate(cues):
        lines = cue.text.split("\n")
        if i % 4 == 1 and len(lines) == 2:
            middle = (cue.start_ms + cue.end_ms) // 2
            yield replace(cue, end_ms=middle - 20, text=lines[0])
            yield replace(cue, start_ms=middle + 20, text=lines[1])
        else:
            yield cue
