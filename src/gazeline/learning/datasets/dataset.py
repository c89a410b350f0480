"""Stage `dataset`: list the segments of an experiment with their classes, windows and folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gazeline.alignment.record import read_alignment
from gazeline.errors import LearningError
from gazeline.learning.common.folder import atomic_folder
from gazeline.learning.common.manifest import SPLITS, Manifest, Shard, write_manifest
from gazeline.learning.datasets.neighbours import find_neighbours
from gazeline.learning.datasets.ranges import segment_windows
from gazeline.learning.datasets.shards import (
    check_one_encoder,
    describe_shard,
    tolerance_s,
    window_times,
)
from gazeline.learning.datasets.tasks import UNUSED, Task, make_part_task, make_task
from gazeline.params.corpora import ConceptGroups
from gazeline.params.learning import TaskChoice
from gazeline.schema.annotations import FOLDS, SEGMENTS
from gazeline.schema.runs import SAMPLES
from gazeline.tables import from_rows, read_table, write_table
from gazeline.timeline.maps import TimeMap
from gazeline.timeline.windows import Times

MODALITIES = ("video", "text", "audio")
ON_COPY = ("video", "audio")
NO_COPY = "film without a copy"
NOT_USED = "annotator not used"
NOT_SURE = "NS"
NOT_ON_COPY = "not on the copy"
EMPTY_SHARD = {"video": "film without picture", "audio": "film without sound"}
NO_WINDOW = {"video": "no video window", "audio": "no audio chunk"}

SEGMENT_COLUMNS = (
    "segment_id",
    "film_id",
    "annotator",
    "start_s",
    "end_s",
    "label",
    "concepts",
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """An experiment to list: its corpus and thesaurus, its choices, the films with a copy."""

    experiment: str
    corpus: str
    groups: ConceptGroups
    choice: TaskChoice
    copies: tuple[str, ...]

    @property
    def on_copy(self) -> tuple[str, ...]:
        """Return the modalities that need a copy of the film."""
        return tuple(m for m in self.choice.modalities if m in ON_COPY)


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


def build_dataset(request: Request, root: Path = Path()) -> Manifest:
    """Write `samples.parquet` and `manifest.json` of an experiment.

    Args:
        root: folder of the project.

    Raises:
        LearningError: an annotator or concept is unknown, or no segment is left.
        FeatureError: a shard is missing, or shards come from different encoders.
        AlignmentError: a film is not aligned with the corpus.
    """
    corpus = root / "data/corpora" / request.corpus
    segments: list[Row] = read_table(
        corpus / "segments.parquet", SEGMENTS, SEGMENT_COLUMNS
    ).to_pylist()
    folds: list[Row] = read_table(corpus / "folds.parquet", FOLDS).to_pylist()
    _check_annotators(request, segments)
    films = sorted({segment["film_id"] for segment in segments})
    if request.on_copy:
        films = [film for film in films if film in set(request.copies)]
    shards = _describe_shards(request, films, root)
    copies = {film: _read_copy(request, film, shards, root) for film in films if request.on_copy}
    task = make_task(request.choice.task, request.groups, request.choice.modalities)
    samples, dropped = list_samples(request, task, segments, films, copies)
    manifest = _manifest(request, task, folds, samples, dropped, shards, copies)
    _publish(root / "data/datasets" / request.experiment, samples, manifest)
    return manifest


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
        return NOT_SURE
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


def _check_annotators(request: Request, segments: Sequence[Row]) -> None:
    known = sorted({segment["annotator"] for segment in segments})
    for key in ("train_annotators", "test_annotators"):
        unknown = sorted(set(getattr(request.choice, key)) - set(known))
        if unknown:
            raise LearningError(
                f"{request.corpus} has no annotator {', '.join(unknown)}",
                where=f"params.yaml, experiments.{request.experiment}.{key}",
                todo=f"take of {', '.join(known)}",
            )


def _describe_shards(
    request: Request, films: Sequence[str], root: Path
) -> dict[str, dict[str, Shard]]:
    shards: dict[str, dict[str, Shard]] = {}
    for modality in request.choice.modalities:
        keys = films if modality in ON_COPY else [request.corpus]
        shards[modality] = {key: describe_shard(modality, key, root) for key in keys}
        check_one_encoder(modality, shards[modality])
    return shards


def _read_copy(
    request: Request, film: str, shards: Mapping[str, Mapping[str, Shard]], root: Path
) -> Copy:
    alignment = read_alignment(root / "data/aligned" / f"{film}.json", request.corpus)
    grids = {}
    for modality in request.on_copy:
        shard = shards[modality][film]
        starts_s, ends_s = window_times(modality, shard, root)
        tolerance = tolerance_s(modality, root / shard.path, starts_s, ends_s)
        grids[modality] = Grid(starts_s, ends_s, tolerance)
    return Copy(alignment.time_map, grids)


def _manifest(
    request: Request,
    task: Task,
    folds: Sequence[Row],
    samples: Sequence[Row],
    dropped: Mapping[str, Counter[str]],
    shards: Mapping[str, Mapping[str, Shard]],
    copies: Mapping[str, Copy],
) -> Manifest:
    films = tuple(sorted({row["film_id"] for row in samples}))
    if not films:
        raise LearningError(
            f"No segment is left for {request.experiment}",
            where=f"params.yaml, experiments.{request.experiment}",
            todo=f"see why: {dict(sum(dropped.values(), Counter()))}",
        )
    manifest = Manifest(
        experiment=request.experiment,
        corpus=request.corpus,
        task=task.name,
        classes=task.classes,
        modalities=tuple(request.choice.modalities),
        films=films,
        folds=_usable_folds(folds, films),
        shards={m: _of_films(of, films, request) for m, of in shards.items()},
        time_maps={f: c.time_map.to_json() for f, c in sorted(copies.items()) if f in films},
        counts=_counts(samples, dropped),
    )
    return replace(manifest, class_counts=_class_counts(manifest, samples))


def _of_films(
    shards: Mapping[str, Shard], films: Sequence[str], request: Request
) -> dict[str, Shard]:
    return {k: shard for k, shard in sorted(shards.items()) if k in films or k == request.corpus}


def _usable_folds(
    folds: Sequence[Row], films: Sequence[str]
) -> dict[int, dict[str, tuple[str, ...]]]:
    kept = [row for row in folds if row["film_id"] in films]
    return {
        fold: {
            split: tuple(
                sorted(r["film_id"] for r in kept if (r["fold"], r["split"]) == (fold, split))
            )
            for split in SPLITS
        }
        for fold in sorted({row["fold"] for row in kept})
    }


def _counts(samples: Sequence[Row], dropped: Mapping[str, Counter[str]]) -> dict[str, Any]:
    total: Counter[str] = sum(dropped.values(), Counter())
    return {
        "in": len(samples) + total.total(),
        "kept": len(samples),
        "dropped": dict(sorted(total.items())),
        "dropped_by_film": {film: dict(sorted(c.items())) for film, c in sorted(dropped.items())},
    }


def _class_counts(manifest: Manifest, samples: Sequence[Row]) -> dict[str, Any]:
    """Return how many segments of each class a split of a fold has."""
    counts: dict[str, Any] = {}
    for fold, splits in manifest.folds.items():
        for split, films in splits.items():
            column = "target_test" if split == "test" else "target_train"
            found = Counter(row[column] for row in samples if row["film_id"] in films)
            counts.setdefault(str(fold), {})[split] = {
                name: found[index] for index, name in enumerate(manifest.classes)
            }
    return counts


def _publish(out: Path, samples: Sequence[Row], manifest: Manifest) -> None:
    with atomic_folder(out) as folder:
        write_table(from_rows(samples, SAMPLES), SAMPLES, folder / "samples.parquet")
        write_manifest(manifest, folder / "manifest.json")
