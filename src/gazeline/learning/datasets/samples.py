"""Segments and shots as samples of a classification: their classes and their windows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gazeline.learning.datasets.neighbours import find_neighbours
from gazeline.learning.datasets.ranges import segment_windows
from gazeline.learning.datasets.request import MODALITIES, ON_COPY, Request
from gazeline.learning.datasets.tasks import UNUSED, Task, make_part_task
from gazeline.params.kinds import SHOTS
from gazeline.timeline.maps import TimeMap
from gazeline.timeline.windows import Times

NO_COPY = "film without a copy"
NOT_USED = "annotator not used"
NOT_SURE = "NS"
LEFT_OUT = "level that the task leaves out"
NOT_ON_COPY = "not on the copy"
EMPTY_SHARD = {"video": "film without picture", "audio": "film without sound"}
NO_WINDOW = {"video": "no video window", "audio": "no audio chunk"}

Row = dict[str, Any]


@dataclass(frozen=True)
class Grid:
    """The windows of one film and modality, and how much of one must be overlapped."""

    starts_s: Times
    ends_s: Times
    tolerance_s: float


@dataclass(frozen=True)
class Copy:
    """What is known of one film's copy: its time map and its window grids by modality."""

    time_map: TimeMap
    grids: Mapping[str, Grid]


def list_samples(
    request: Request,
    task: Task,
    segments: Sequence[Row],
    films: Sequence[str],
    copies: Mapping[str, Copy],
) -> tuple[list[Row], dict[str, Counter[str]]]:
    """Return the rows of `samples.parquet`, and how many segments of a film were dropped, why."""
    usable, rows, parts = set(films), [], _part_tasks(request)
    around = find_neighbours(segments)
    dropped: dict[str, Counter[str]] = {}
    for segment in segments:
        film = segment["film_id"]
        row: Row | str = NO_COPY
        if film in usable:
            row = _sample(request, task, parts, segment, copies.get(film))
        if isinstance(row, str):
            dropped.setdefault(film, Counter())[row] += 1
        else:
            rows.append(row | around[segment["segment_id"]].columns())
    return rows, dropped


def _part_tasks(request: Request) -> dict[str, Task]:
    """Return the task of each modality used, as a late fusion trains it."""
    choice = request.choice
    if choice.task.startswith(SHOTS):
        return {}
    return {m: make_part_task(choice.task, request.groups, m) for m in choice.modalities}


def _sample(
    request: Request, task: Task, parts: Mapping[str, Task], segment: Row, copy: Copy | None
) -> Row | str:
    """Return the sample of a segment, or the reason why it is none."""
    choice, annotator = request.choice, segment["annotator"]
    if annotator not in {*choice.train_annotators, *choice.test_annotators}:
        return NOT_USED
    label, concepts = segment["label"], segment["concepts"]
    specific = task.target(label, concepts, "specific")
    if specific == UNUSED:
        return NOT_SURE if label == NOT_SURE else LEFT_OUT
    trains = annotator in choice.train_annotators

    def trained(of: Task | None) -> int:
        return of.target(label, concepts, choice.positives) if trains and of else UNUSED

    row = {
        "segment_id": segment["segment_id"],
        "film_id": segment["film_id"],
        "annotator": annotator,
        "target_train": trained(task),
        "target_test": specific if annotator in choice.test_annotators else UNUSED,
        **{f"target_{m}": trained(parts.get(m)) for m in MODALITIES},
        "start_s": float(segment["start_s"]),
        "end_s": float(segment["end_s"]),
        "duration_s": float(segment["end_s"]) - float(segment["start_s"]),
    }
    spans = _spans(copy, float(segment["start_s"]), float(segment["end_s"]))
    return spans if isinstance(spans, str) else row | spans


def _spans(copy: Copy | None, start_s: float, end_s: float) -> dict[str, int] | str:
    """Return the window columns of a segment, or why it has no windows."""
    spans = {f"{m}_{side}": 0 for m in ON_COPY for side in ("start", "stop")}
    if copy is None:
        return spans
    parts = copy.time_map.intervals_to_copy(start_s, end_s)
    if not parts:
        return NOT_ON_COPY
    for modality, grid in copy.grids.items():
        if len(grid.starts_s) == 0:
            return EMPTY_SHARD[modality]
        first, stop = segment_windows(parts, grid.starts_s, grid.ends_s, grid.tolerance_s)
        if first == stop:
            return NO_WINDOW[modality]
        spans |= {f"{modality}_start": first, f"{modality}_stop": stop}
    return spans
