"""Read what the train stage left of one fold, and refuse what is damaged."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gazeline.errors import LearningError
from gazeline.evaluation.scores import Floats, Ints
from gazeline.files import read_json
from gazeline.schema.runs import PREDICTIONS
from gazeline.tables import read_frame

FILES = ("run.json", "predictions.parquet", "history.csv")
HISTORY = ("seed", "epoch", "train_loss", "validation_loss")

Names = np.ndarray[tuple[int], np.dtype[np.object_]]


@dataclass(frozen=True)
class SeedScores:
    """One seed's answers on the test films of a fold: aligned arrays of n samples."""

    fold: int
    seed: int
    segment_ids: Names
    film_ids: Names
    targets: Ints
    scores: Floats


@dataclass(frozen=True)
class FoldRun:
    """One fold of an experiment: what was asked, and a history and test answers per seed.

    `annotators` are those whose labels are tested on; every seed answers the same segments.
    `parameters` counts the numbers that the model learns.
    """

    fold: int
    task: str
    classes: tuple[str, ...]
    annotators: tuple[str, ...]
    parameters: int
    seeds: tuple[SeedScores, ...]
    histories: tuple[list[dict[str, Any]], ...]


def read_fold_run(experiment: str, fold: int, root: Path) -> FoldRun:
    """Read `data/runs/<experiment>/fold-<fold>/`.

    Raises:
        LearningError: the run is not there or is damaged; the stage to run is named.
        TableError: one of its files cannot be read.
    """
    folder = root / "data/runs" / experiment / f"fold-{fold}"
    lacking = [name for name in FILES if not (folder / name).is_file()]
    if lacking:
        raise LearningError(
            f"There is no run of experiment {experiment} on fold {fold}",
            where=f"{folder.relative_to(root).as_posix()}: {', '.join(lacking)} missing",
            todo=f"run `dvc repro train@{experiment}-{fold}`",
        )
    try:
        return _read(folder, fold)
    except (KeyError, ValueError) as error:
        problem = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise LearningError(
            f"The run of experiment {experiment} on fold {fold} is damaged: {problem}",
            where=folder.relative_to(root).as_posix(),
            todo=f"run `dvc repro -f train@{experiment}-{fold}`",
        ) from error


def _read(folder: Path, fold: int) -> FoldRun:
    about = read_json(folder / "run.json")
    classes = tuple(about["classes"])
    table = read_frame(folder / "predictions.parquet", PREDICTIONS)
    table = table[table["split"] == "test"]
    if table.empty:
        raise ValueError("predictions.parquet has no test segment")
    rows = _history(folder / "history.csv")
    seeds, histories = [], []
    for seed, part in table.groupby("seed", sort=True):
        seeds.append(_seed_scores(fold, int(str(seed)), part, classes))
        histories.append([row for row in rows if row["seed"] == str(seed)])
    _check_same_segments(seeds)
    annotators = tuple(sorted(table["annotator"].unique()))
    return FoldRun(
        fold=fold,
        task=about["task"],
        classes=classes,
        annotators=annotators,
        parameters=int(about["parameters"]),
        seeds=tuple(seeds),
        histories=tuple(histories),
    )


def _history(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        reader = csv.DictReader(file)
        lacking = set(HISTORY) - set(reader.fieldnames or ())
        if lacking:
            raise ValueError(f"history.csv has no column {', '.join(sorted(lacking))}")
        return list(reader)


def _seed_scores(fold: int, seed: int, part: pd.DataFrame, classes: tuple[str, ...]) -> SeedScores:
    width = 1 if len(classes) == 2 else len(classes)
    given = part["score"].to_list()
    if any(len(row) != width for row in given):
        raise ValueError(f"a score of seed {seed} does not have {width} numbers")
    scores: Floats = np.stack(given).astype(np.float64)
    if not np.isfinite(scores).all() or scores.min() < 0 or scores.max() > 1:
        raise ValueError(f"a score of seed {seed} is no probability")
    targets: Ints = part["target"].to_numpy(dtype=np.int64)
    if targets.min() < 0 or targets.max() >= len(classes):
        raise ValueError(f"a target is none of the {len(classes)} classes {', '.join(classes)}")
    names: Mapping[str, Names] = {
        name: part[name].to_numpy(dtype=object) for name in ("segment_id", "film_id")
    }
    return SeedScores(fold, seed, names["segment_id"], names["film_id"], targets, scores)


def _check_same_segments(seeds: list[SeedScores]) -> None:
    first = seeds[0]
    for other in seeds[1:]:
        if other.segment_ids.tolist() != first.segment_ids.tolist():
            raise ValueError(f"seeds {first.seed} and {other.seed} answer other segments")
