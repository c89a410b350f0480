"""The cleaned text of every segment of a corpus, and the report of how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gazeline.params.subtitles import SubtitlesParams
from gazeline.subtitles.cleaning.clean import clean
from gazeline.subtitles.cleaning.join import join_cues
from gazeline.subtitles.cleaning.rules import rules_for


@dataclass(frozen=True)
class SegmentTexts:
    """A row per segment (columns of SEGMENT_TEXT) and the report."""

    frame: pd.DataFrame
    report: dict[str, Any]


def segment_texts(
    segments: pd.DataFrame, cues: pd.DataFrame, params: SubtitlesParams
) -> SegmentTexts:
    """Clean the cues, join them to the segments, and count what went where.

    A film without any cue keeps the text released with its segments, cleaned; the report says so.

    Args:
        segments: columns segment_id, film_id, start_s, end_s, start_frame, end_frame and
            text_released.
        cues: the columns of CUES.
    """
    rules = rules_for(params)
    released = params.preset == "released"
    cleaned = clean(cues["text_raw" if released else "text"], rules)
    left, right = join_cues(segments, cues, params.join)
    texts = _joined(len(segments), left.tolist(), right.tolist(), cleaned.texts, released)
    n_cues = np.bincount(left, minlength=len(segments))
    without_cues = ~segments["film_id"].isin(cues["film_id"].unique()).to_numpy()
    own = np.flatnonzero(without_cues)
    if len(own):
        kept = clean(segments["text_released"].iloc[own], () if released else rules).texts
        for row, text in zip(own.tolist(), kept, strict=True):
            texts[row] = text
    frame = pd.DataFrame(
        {"segment_id": segments["segment_id"], "n_cues": n_cues.astype(np.int32), "text": texts}
    )
    report = {
        "join": params.join,
        "preset": params.preset,
        "cues": _cue_counts(cleaned.texts, right),
        "rules_fired": cleaned.fired,
        "segments": _segment_counts(texts, without_cues),
        "films_with_released_text": sorted(segments["film_id"].iloc[own].unique().tolist()),
    }
    return SegmentTexts(frame, report | {"text": _readable(report)})


def _joined(
    n_segments: int, left: list[int], right: list[int], texts: tuple[str, ...], released: bool
) -> list[str]:
    """Put the cues of each segment in a row; the released text has a space before every cue."""
    parts: list[list[str]] = [[] for _ in range(n_segments)]
    for segment, cue in zip(left, right, strict=True):
        if texts[cue] or released:
            parts[segment].append(texts[cue])
    if released:
        return ["".join(f" {part}" for part in each) for each in parts]
    return [" ".join(each) for each in parts]


def _cue_counts(texts: tuple[str, ...], right: np.ndarray[Any, np.dtype[np.int64]]) -> Any:
    empty = np.array([not text for text in texts], dtype=bool)
    joined = np.zeros(len(texts), dtype=bool)
    joined[right] = True
    return {
        "in": len(texts),
        "joined": int((joined & ~empty).sum()),
        "dropped": {
            "nothing left after cleaning": int(empty.sum()),
            "in no segment": int((~joined & ~empty).sum()),
        },
    }


def _segment_counts(
    texts: list[str], without_cues: np.ndarray[Any, np.dtype[np.bool_]]
) -> dict[str, int]:
    spoken = sum(bool(text.strip()) for text in texts)
    return {
        "in": len(texts),
        "with_text": spoken,
        "without_text": len(texts) - spoken,
        "with_released_text_for_want_of_cues": int(without_cues.sum()),
    }


def _readable(report: dict[str, Any]) -> list[str]:
    cues, segments = report["cues"], report["segments"]
    fired = {name: count for name, count in report["rules_fired"].items() if count}
    lines = [
        f"Cues: {cues['in']} in, {cues['joined']} joined by the rule {report['join']}"
        + "".join(f"; {count} dropped: {why}" for why, count in cues["dropped"].items() if count)
        + ".",
        f"Segments: {segments['in']}, {segments['with_text']} with text.",
        f"Rules ({report['preset']}): "
        + (", ".join(f"{name} {count}" for name, count in fired.items()) or "none fired")
        + ".",
    ]
    if report["films_with_released_text"]:
        films = ", ".join(report["films_with_released_text"])
        lines.append(f"No cues: the text released with the segments stands in for {films}.")
    return lines
