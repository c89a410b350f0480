"""A few segments of a film, spread over it, with what is said in them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gazeline.subtitles.reading.read import Cue
from gazeline.timeline.maps import Interval, TimeMap


@dataclass(frozen=True)
class SampleSegment:
    """An annotated segment, where the map finds it, and what is said there on either side.

    Intervals are seconds; `copy` is on the copy clock. `copy_lines` is None where the copy has no
    text of its own to compare with.
    """

    segment_id: str
    label: str
    annotation: Interval
    copy: Interval
    lines: tuple[str, ...]
    copy_lines: tuple[str, ...] | None


@dataclass(frozen=True)
class Mapped:
    """How many segments the copy has whole, in part, or not at all."""

    whole: int
    partly: int
    missing: int


def count_mapped(segments: pd.DataFrame, time_map: TimeMap) -> Mapped:
    """Count the segments by how much of each the copy has."""
    shares = [time_map.coverage(s, e) for s, e in _times(segments)]
    whole = sum(share > 1 - 1e-9 for share in shares)
    missing = sum(share == 0 for share in shares)
    return Mapped(whole, len(shares) - whole - missing, missing)


def choose_segments(
    segments: pd.DataFrame,
    cues: Sequence[Cue],
    time_map: TimeMap,
    copy_cues: Sequence[Cue] | None,
    n_segments: int,
) -> list[SampleSegment]:
    """Choose segments that lie whole in the copy, one from each part of the film.

    In each part the one with most words is taken, since words are what a person recognises, and
    none that begins while the one before lasts: annotators often agree.

    Args:
        segments: columns segment_id, label, start_s, end_s.
        cues: of the annotated version, annotation clock.
        copy_cues: of the copy, copy clock; None if it has none.
    """
    rows = segments.sort_values(["start_s", "end_s", "segment_id"])
    found = [_sample(row, cues, time_map, copy_cues) for row in rows.itertuples()]
    usable = [sample for sample in found if sample is not None]
    if not usable:
        return []
    first, last = usable[0].annotation[0], usable[-1].annotation[0]
    edges = np.linspace(first, last, n_segments + 1)[1:-1]
    parts: list[list[SampleSegment]] = [[] for _ in range(n_segments)]
    for sample in usable:
        parts[int(np.searchsorted(edges, sample.annotation[0], side="right"))].append(sample)
    chosen: list[SampleSegment] = []
    for part in parts:
        free_s = chosen[-1].annotation[1] if chosen else first
        free = [sample for sample in part if sample.annotation[0] >= free_s]
        if free:
            chosen.append(max(free, key=lambda s: sum(map(len, s.lines))))
    return chosen


def _sample(
    row: object, cues: Sequence[Cue], time_map: TimeMap, copy_cues: Sequence[Cue] | None
) -> SampleSegment | None:
    start, end = float(row.start_s), float(row.end_s)  # type: ignore[attr-defined]
    inside = time_map.intervals_to_copy(start, end)
    if len(inside) != 1 or time_map.coverage(start, end) < 1 - 1e-9:
        return None
    copy = inside[0]
    return SampleSegment(
        segment_id=str(row.segment_id),  # type: ignore[attr-defined]
        label=str(row.label),  # type: ignore[attr-defined]
        annotation=(start, end),
        copy=copy,
        lines=_lines(cues, (start, end)),
        copy_lines=None if copy_cues is None else _lines(copy_cues, copy),
    )


def _lines(cues: Sequence[Cue], during: Interval) -> tuple[str, ...]:
    """Return what is said in an interval: the cues whose middle lies in it."""
    start, end = during
    return tuple(" ".join(c.text.split()) for c in cues if start <= (c.start_s + c.end_s) / 2 < end)


def _times(segments: pd.DataFrame) -> list[Interval]:
    return list(zip(segments["start_s"].tolist(), segments["end_s"].tolist(), strict=True))
