"""Stage `dataset`: list what an experiment learns from, with classes, windows and folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gazeline.alignment.record import read_alignment
from gazeline.errors import LearningError
from gazeline.learning.common.folder import atomic_folder
from gazeline.learning.common.manifest import SPLITS, Manifest, Shard, write_manifest
from gazeline.learning.datasets.corpus import Corpus
from gazeline.learning.datasets.request import ON_COPY, Request
from gazeline.learning.datasets.samples import Copy, Grid, list_samples
from gazeline.learning.datasets.shards import (
    check_one_encoder,
    describe_shard,
    tolerance_s,
    window_times,
)
from gazeline.learning.datasets.shot_rows import shot_rows, shot_task
from gazeline.learning.datasets.stretches import OverTime, detection, regression
from gazeline.learning.datasets.tasks import UNUSED, make_task
from gazeline.learning.datasets.timed import list_stretches
from gazeline.params.kinds import SHOTS, Kind, kind_of
from gazeline.schema.runs import SAMPLES
from gazeline.schema.temporal import TARGETS
from gazeline.tables import from_rows, write_table

Row = dict[str, Any]
Shards = dict[str, dict[str, Shard]]


@dataclass(frozen=True)
class Listed:
    """What is listed of an experiment: samples, what was dropped by film and why, and targets.

    `classes` are class names, or the measures of a regression.
    """

    samples: list[Row]
    dropped: Mapping[str, Counter[str]]
    classes: tuple[str, ...]
    shards: Shards
    copies: Mapping[str, Copy]
    kind: Kind = "classification"
    targets: list[Row] = field(default_factory=list)
    step_s: float | None = None


def build_dataset(request: Request, root: Path = Path()) -> Manifest:
    """Write `samples.parquet`, `targets.parquet` and `manifest.json` of an experiment.

    Args:
        root: folder of the project.

    Raises:
        LearningError: an annotator, concept, label or measure is unknown, or nothing is left.
        FeatureError: a shard is missing, or shards come from different encoders.
        AlignmentError: a film is not aligned with the corpus.
    """
    corpus = Corpus(request.corpus, root)
    timed = kind_of(request.choice.task) != "classification"
    listed = _list_over_time(request, corpus) if timed else _list_segments(request, corpus)
    manifest = _manifest(request, corpus.folds, listed)
    samples = [row for row in listed.samples if row["film_id"] in manifest.films]
    _publish(root / "data/datasets" / request.experiment, samples, listed.targets, manifest)
    return manifest


def _list_segments(request: Request, corpus: Corpus) -> Listed:
    name = request.choice.task
    if name.startswith(SHOTS):
        rows, task = shot_rows(corpus, name, f"{request.where}.task"), shot_task(name)
    else:
        rows = corpus.segments
        task = make_task(name, request.groups, request.choice.modalities)
    films, shards, copies = _features(request, corpus, rows)
    samples, dropped = list_samples(request, task, rows, films, copies)
    return Listed(samples, dropped, task.classes, shards, copies)


def _list_over_time(request: Request, corpus: Corpus) -> Listed:
    kind, where = kind_of(request.choice.task), f"{request.where}.task"
    found: OverTime = (
        regression(corpus, request.choice, request.scenes, where)
        if kind == "regression"
        else detection(corpus, request.choice, request.groups, request.scenes, where)
    )
    _, shards, copies = _features(request, corpus, found.stretches)
    maps = {film: copy.time_map for film, copy in copies.items()}
    samples, dropped = list_stretches(request, found, maps)
    kept = {row["segment_id"] for row in samples}
    targets = [row for row in found.targets if row["segment_id"] in kept]
    return Listed(samples, dropped, found.classes, shards, copies, kind, targets, found.step_s)


def _features(
    request: Request, corpus: Corpus, rows: Sequence[Row]
) -> tuple[list[str], Shards, dict[str, Copy]]:
    """Return the films that can be used, shards by modality, and what is known of copies."""
    request.check_annotators(row["annotator"] for row in rows)
    films = sorted({row["film_id"] for row in rows})
    if request.on_copy:
        films = [film for film in films if film in set(request.copies)]
    shards = _describe_shards(request, films, corpus.root)
    copies = {
        film: _read_copy(request, film, shards, corpus.root) for film in films if request.on_copy
    }
    return films, shards, copies


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


def _manifest(request: Request, folds: Sequence[Row], listed: Listed) -> Manifest:
    samples, dropped = listed.samples, listed.dropped
    films = tuple(sorted({row["film_id"] for row in samples}))
    if not films:
        raise LearningError(
            f"No segment is left for {request.experiment}",
            where=request.where,
            todo=f"see why: {dict(sum(dropped.values(), Counter()))}",
        )
    manifest = Manifest(
        experiment=request.experiment,
        corpus=request.corpus,
        task=request.choice.task,
        classes=listed.classes,
        modalities=tuple(request.choice.modalities),
        films=films,
        folds=_usable_folds(folds, films),
        shards={m: _of_films(of, films, request) for m, of in listed.shards.items()},
        time_maps={f: c.time_map.to_json() for f, c in sorted(listed.copies.items()) if f in films},
        counts=_counts(samples, dropped),
        kind=listed.kind,
        step_s=listed.step_s,
    )
    counts = (
        _class_counts(manifest, samples)
        if listed.kind == "classification"
        else _target_counts(manifest, listed)
    )
    return replace(manifest, class_counts=counts)


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


def _target_counts(manifest: Manifest, listed: Listed) -> dict[str, Any]:
    """Return how many stretches a split of a fold has, and how many seconds or intervals."""
    counts: dict[str, Any] = {}
    for fold, splits in manifest.folds.items():
        for split, films in splits.items():
            role = "target_test" if split == "test" else "target_train"
            used = {
                row["segment_id"]
                for row in listed.samples
                if row["film_id"] in films and row[role] == 0
            }
            found = Counter(t["target"] for t in listed.targets if t["segment_id"] in used)
            of = (
                {name: found[index] for index, name in enumerate(listed.classes)}
                if listed.kind == "detection"
                else {"seconds": found[UNUSED]}
            )
            counts.setdefault(str(fold), {})[split] = {"stretches": len(used), **of}
    return counts


def _publish(out: Path, samples: Sequence[Row], targets: Sequence[Row], manifest: Manifest) -> None:
    with atomic_folder(out) as folder:
        write_table(from_rows(targets, TARGETS), TARGETS, folder / "targets.parquet")
        write_table(from_rows(samples, SAMPLES), SAMPLES, folder / "samples.parquet")
        write_manifest(manifest, folder / "manifest.json")
