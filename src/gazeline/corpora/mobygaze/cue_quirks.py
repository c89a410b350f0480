"""What is odd about the subtitle cues, and what their frame numbers did to the released text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from gazeline.corpora.release import Action, Cue, Film, Quirk, Segment, examples_of
from gazeline.timeline.overlaps import overlapping_pairs
from gazeline.timeline.rates import NTSC, WHOLE

CUES = "cues"
RATES = (*NTSC, *WHOLE)
_TAG = re.compile(r"<[^>]*>")
_MUSIC = re.compile(r"[♪♫]")
_SDH = re.compile(r"\[[^\]]*\]|\([^)]*\)")


def cue_quirks(
    cues: Sequence[Cue], segments: Sequence[Segment], films: Sequence[Film], there: bool
) -> list[Quirk]:
    """Return the quirks of the cues; each is unknown where the release has no cues."""
    if not there:
        reason = "the release has no subtitles table"
        return [Quirk("cues", "anything about cues", "kept", CUES, None, unknown=reason)]
    return [
        *_text_quirks(cues),
        *_order_quirks(cues),
        *_frame_quirks(cues, segments, films),
    ]


def _text_quirks(cues: Sequence[Cue]) -> Iterator[Quirk]:
    looks: tuple[tuple[str, str, Action, Callable[[Cue], bool]], ...] = (
        (
            "cue_mojibake",
            "cue in which UTF-8 was read as Latin-1",
            "repaired",
            lambda c: c.text != c.text_raw,
        ),
        ("cue_tags", "cue with tags", "kept", lambda c: bool(_TAG.search(c.text))),
        ("cue_music", "cue with music notes", "kept", lambda c: bool(_MUSIC.search(c.text))),
        ("cue_sdh", "cue with SDH brackets", "kept", lambda c: bool(_SDH.search(c.text))),
        ("cue_empty", "cue without text", "kept", lambda c: not c.text.strip()),
    )
    for name, meaning, action, look in looks:
        found = [_shown(cue) for cue in cues if look(cue)]
        yield _quirk(name, meaning, action, found, len(cues))


def _order_quirks(cues: Sequence[Cue]) -> Iterator[Quirk]:
    no_length = [_shown(cue) for cue in cues if cue.start_frame >= cue.end_frame]
    meaning = "cue of no length by its frames (its time stamps have one)"
    yield _quirk("cue_zero_length", meaning, "kept", no_length, len(cues))
    by_number = sorted(cues, key=lambda c: (c.film_id, c.cue_id))
    late = [
        _shown(b)
        for a, b in pairwise(by_number)
        if a.film_id == b.film_id and b.start_s < a.start_s
    ]
    yield _quirk(
        "cue_out_of_order",
        "cue that starts before the one with the number before",
        "kept",
        late,
        len(cues),
    )
    by_time = sorted(cues, key=lambda c: (c.film_id, c.start_s, c.end_s))
    inclusive = _overlapping(by_time, lambda a, b: b.start_frame <= a.end_frame)
    in_time = _overlapping(by_time, lambda a, b: b.start_s < a.end_s)
    meaning = "cue that overlaps the one before by its inclusive frames"
    yield _quirk("cue_overlaps", meaning, "kept", inclusive, len(cues), in_time=len(in_time))


def _overlapping(cues: Sequence[Cue], overlap: Callable[[Cue, Cue], bool]) -> list[str]:
    return [_shown(b) for a, b in pairwise(cues) if a.film_id == b.film_id and overlap(a, b)]


def _frame_quirks(
    cues: Sequence[Cue], segments: Sequence[Segment], films: Sequence[Film]
) -> Iterator[Quirk]:
    drifting, odd_rates, worst_s = [], {}, 0.0
    for film in films:
        own = [cue for cue in cues if cue.film_id == film.film_id]
        rate = frame_rate_of(own, film.fps)
        if rate is None or rate == film.fps:
            continue
        odd_rates[film.film_id] = rate
        drift_s = abs(float(1 - film.fps / rate)) * max(cue.end_s for cue in own)
        worst_s = max(worst_s, drift_s)
        drifting.append(f"{film.film_id}: cue frames at {rate}, off {drift_s:.1f} s at the end")
    meaning = "cue frames made at another rate than the annotation's: released texts drift"
    details = {"worst_drift_s": round(worst_s, 3)}
    yield Quirk(
        "cue_frame_rate", meaning, "repaired", "films", len(drifting), len(films),
        examples_of(drifting), details=details,
    )  # fmt: skip
    changed = _other_cue_sets(cues, segments)
    meaning = "other cues by the released frames than by time stamps (cue and segment overlap)"
    yield Quirk(
        "other_cues", meaning, "repaired", "segments", len(changed), len(segments),
        examples_of(changed), details={"share": round(len(changed) / max(1, len(segments)), 4)},
    )  # fmt: skip


def frame_rate_of(cues: Sequence[Cue], preferred: Fraction) -> Fraction | None:
    """Return the standard rate at which every cue's frame is its time stamp, rounded down.

    `preferred` wins where several fit (short films); None where there are no cues or none fits.
    """
    stamps = [(round(cue.start_s * 1000), cue.start_frame) for cue in cues]
    for rate in (preferred, *RATES):
        # Whole numbers: a float can land on the wrong side of a frame's edge.
        up, down = rate.numerator, rate.denominator * 1000
        if stamps and all(ms * up // down == frame for ms, frame in stamps):
            return rate
    return None


def _other_cue_sets(cues: Sequence[Cue], segments: Sequence[Segment]) -> list[str]:
    changed = []
    for film_id in sorted({segment.film_id for segment in segments}):
        own = [cue for cue in cues if cue.film_id == film_id]
        its = [segment for segment in segments if segment.film_id == film_id]
        by_frame = _pairs(
            [(s.start_frame, s.end_frame + 1) for s in its],
            [(c.start_frame, c.end_frame + 1) for c in own],
        )
        by_time = _pairs([(s.start_s, s.end_s) for s in its], [(c.start_s, c.end_s) for c in own])
        frames, times = (Counter(i for i, _ in pairs) for pairs in (by_frame, by_time))
        changed += [
            f"{its[i].segment_id}: {frames[i]} cues by frames, {times[i]} by time"
            for i in sorted({i for i, _ in by_frame ^ by_time})
        ]
    return changed


def _pairs(
    intervals: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]
) -> set[tuple[int, int]]:
    if not intervals or not others:
        return set()
    starts, ends = np.asarray(intervals, dtype=np.float64).T
    other_starts, other_ends = np.asarray(others, dtype=np.float64).T
    left, right = overlapping_pairs(starts, ends, other_starts, other_ends)
    return set(zip(left.tolist(), right.tolist(), strict=True))


def _quirk(
    name: str, meaning: str, action: Action, found: list[str], total: int, **details: int
) -> Quirk:
    return Quirk(
        name, meaning, action, CUES, len(found), total, examples_of(found), details=details
    )


def _shown(cue: Cue) -> str:
    text = " ".join(cue.text_raw.split())
    return f"{cue.film_id} cue {cue.cue_id}: {text[:40]!r}"
