"""Stretches of film as rows of `samples.parquet`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gazeline.learning.datasets.request import MODALITIES, ON_COPY, Request
from gazeline.learning.datasets.samples import NO_COPY, NOT_ON_COPY, NOT_USED
from gazeline.learning.datasets.stretches import NO_INTERVAL, OverTime
from gazeline.learning.datasets.tasks import UNUSED
from gazeline.timeline.maps import TimeMap

Row = dict[str, Any]


def list_stretches(
    request: Request, found: OverTime, maps: Mapping[str, TimeMap]
) -> tuple[list[Row], dict[str, Counter[str]]]:
    """Return the rows of `samples.parquet`, and how many stretches of a film were dropped, why.

    A stretch without an interval is tested on, and trained on where `scenes.empty` keeps it.

    Args:
        maps: time maps of the films with a copy.
    """
    rows: list[Row] = []
    dropped: dict[str, Counter[str]] = {}
    for stretch in found.stretches:
        row = _row(request, stretch, maps)
        if isinstance(row, str):
            dropped.setdefault(stretch["film_id"], Counter())[row] += 1
        else:
            rows.append(row)
    return rows, dropped


def _row(request: Request, stretch: Row, maps: Mapping[str, TimeMap]) -> Row | str:
    choice, annotator = request.choice, stretch["annotator"]
    if annotator not in {*choice.train_annotators, *choice.test_annotators}:
        return NOT_USED
    if stretch["film_id"] not in maps:
        return NO_COPY
    start_s, end_s = stretch["start_s"], stretch["end_s"]
    if not maps[stretch["film_id"]].intervals_to_copy(start_s, end_s):
        return NOT_ON_COPY
    trains = annotator in choice.train_annotators and not (
        stretch["empty"] and request.scenes.empty == "drop"
    )
    tests = annotator in choice.test_annotators
    if not trains and not tests:
        return NO_INTERVAL
    return {
        **{name: stretch[name] for name in ("segment_id", "film_id", "annotator")},
        "target_train": 0 if trains else UNUSED,
        "target_test": 0 if tests else UNUSED,
        **{f"target_{m}": UNUSED for m in MODALITIES},
        **{f"{m}_{side}": 0 for m in ON_COPY for side in ("start", "stop")},
        "start_s": start_s,
        "end_s": end_s,
        "duration_s": end_s - start_s,
        "neighbours": [],
        "neighbours_s": [],
    }
