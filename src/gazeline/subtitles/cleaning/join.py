"""Which cues belong to which segment.

Three rules. `midpoint`: the middle of the cue lies in the segment, so a cue belongs to one of
several neighbours. `overlap`: cue and segment have a moment in common. `released`: their frames as
released have one in common, ends included; MObyGaze made cue frames at 24 fps and segment frames at
23.976, so that this rule drifts, and it is here to reproduce the released text.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from gazeline.timeline.overlaps import Indices, Numbers, overlapping_pairs

JoinRule = Literal["midpoint", "overlap", "released"]
Edges = tuple[Numbers, Numbers]


def join_cues(
    segments: pd.DataFrame, cues: pd.DataFrame, rule: JoinRule
) -> tuple[Indices, Indices]:
    """Return pairs (row of `segments`, row of `cues`), by segment, cues in spoken order.

    Spoken order is by start, then number; for `released` it is the release's numbers.

    Args:
        segments, cues: with the columns of the tables; positions are returned, not labels.
    """
    order = _spoken_order(cues, rule)
    cue_films = cues["film_id"].to_numpy()[order]
    segment_films = segments["film_id"].to_numpy()
    pairs = []
    for film in pd.unique(segment_films):
        rows = np.flatnonzero(segment_films == film)
        own = order[cue_films == film]
        left, right = overlapping_pairs(
            *_segment_edges(segments.iloc[rows], rule), *_cue_edges(cues.iloc[own], rule)
        )
        pairs.append((rows[left], own[right]))
    if not pairs:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    left, right = (np.concatenate(side) for side in zip(*pairs, strict=True))
    by_segment = np.argsort(left, kind="stable")
    return left[by_segment], right[by_segment]


def _spoken_order(cues: pd.DataFrame, rule: JoinRule) -> Indices:
    numbers = cues["cue_id"].to_numpy()
    if rule == "released":
        return np.argsort(numbers, kind="stable")
    return np.lexsort((numbers, cues["start_s"].to_numpy()))


def _segment_edges(segments: pd.DataFrame, rule: JoinRule) -> Edges:
    if rule == "released":
        return _whole(segments["start_frame"]), _whole(segments["end_frame"]) + 1
    return segments["start_s"].to_numpy(), segments["end_s"].to_numpy()


def _cue_edges(cues: pd.DataFrame, rule: JoinRule) -> Edges:
    if rule == "released":
        return _whole(cues["start_frame"]), _whole(cues["end_frame"]) + 1
    start_s, end_s = cues["start_s"].to_numpy(), cues["end_s"].to_numpy()
    if rule == "overlap":
        return start_s, end_s
    middle_s = (start_s + end_s) / 2
    return middle_s, middle_s


def _whole(column: pd.Series) -> npt.NDArray[np.int64]:
    return column.to_numpy(dtype=np.int64)
