"""Read what the train stage left of one fold."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gazeline.errors import LearningError
from gazeline.evaluation.scores import Floats, Ints
from gazeline.files import read_json
from gazeline.schema.runs import PREDICTIONS
from gazeline.tables import read_frame


@dataclass(frozen=True)
class SeedScores:
    """One seed's answers on the test films of a fold: aligned arrays of n samples."""

    fold: int
    seed: int
    segment_ids: np.ndarray[tuple[int], np.dtype[np.object_]]
    film_ids: np.ndarray[tuple[int], np.dtype[np.object_]]
    targets: Ints
    scores: Floats


@dataclass(frozen=True)
class FoldRun:
    """One fold of an experiment: class names, a history and test answers per seed."""

    fold: int
    classes: tuple[str, ...]
    seeds: tuple[SeedScores, ...]
    histories: tuple[list[dict[str, Any]], ...]


def read_fold_run(experiment: str, fold: int, root: Path) -> FoldRun:
    """Read `data/runs/<experiment>/fold-<fold>/`.

    Raises:
        LearningError: the run is not there; the stage to run is named.
    """
    folder = root / "data/runs" / experiment / f"fold-{fold}"
    lacking = [
        name
        for name in ("run.json", "predictions.parquet", "history.csv")
        if not (folder / name).is_file()
    ]
    if lacking:
        raise LearningError(
            f"There is no run of experiment {experiment} on fold {fold}",
            where=f"{folder.relative_to(root).as_posix()}: {', '.join(lacking)} missing",
            todo=f"run `dvc repro train@{experiment}-{fold}`",
        )
    classes = tuple(read_json(folder / "run.json")["classes"])
    table = read_frame(folder / "predictions.parquet", PREDICTIONS)
    table = table[table["split"] == "test"]
    with (folder / "history.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    seeds, histories = [], []
    for seed, part in table.groupby("seed", sort=True):
        seeds.append(
            SeedScores(
                fold=fold,
                seed=int(str(seed)),
                segment_ids=part["segment_id"].to_numpy(dtype=object),
                film_ids=part["film_id"].to_numpy(dtype=object),
                targets=part["target"].to_numpy(dtype=np.int64),
                scores=np.stack(part["score"].to_list()).astype(np.float64),
            )
        )
        histories.append([row for row in rows if row["seed"] == str(seed)])
    return FoldRun(fold, classes, tuple(seeds), tuple(histories))
