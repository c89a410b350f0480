"""Read what the train stage left of one fold of a task over time, and score every seed of it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gazeline.errors import LearningError
from gazeline.evaluation.over_time.detections import detection_seeds
from gazeline.evaluation.over_time.scored import ScoredSeed
from gazeline.evaluation.over_time.series import series_seeds
from gazeline.files import read_json
from gazeline.params.kinds import Kind

ANSWERS = {"regression": "series.parquet", "detection": "detections.parquet"}


@dataclass(frozen=True)
class TimedRun:
    """One fold of an experiment over time: what was asked, and every seed scored."""

    fold: int
    kind: Kind
    task: str
    classes: tuple[str, ...]
    parameters: int
    seeds: tuple[ScoredSeed, ...]
    histories: tuple[list[dict[str, Any]], ...]


def kind_of_run(experiment: str, fold: int, root: Path) -> Kind:
    """Return the kind of task that a run answers; classification where it is not there to tell."""
    about = _folder(experiment, fold, root) / "run.json"
    kind: Kind = (
        read_json(about).get("kind", "classification") if about.is_file() else ("classification")
    )
    return kind


def read_timed_run(experiment: str, fold: int, root: Path) -> TimedRun:
    """Read and score `data/runs/<experiment>/fold-<fold>/`.

    Raises:
        LearningError: the run is damaged; the stage to run is named.
        TableError: one of its files cannot be read.
    """
    folder = _folder(experiment, fold, root)
    try:
        return _read(folder, fold)
    except (KeyError, ValueError, OSError) as error:
        problem = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise LearningError(
            f"The run of experiment {experiment} on fold {fold} is damaged: {problem}",
            where=folder.relative_to(root).as_posix(),
            todo=f"run `dvc repro -f train@{experiment}-{fold}`",
        ) from error


def _folder(experiment: str, fold: int, root: Path) -> Path:
    return root / "data/runs" / experiment / f"fold-{fold}"


def _read(folder: Path, fold: int) -> TimedRun:
    about: Mapping[str, Any] = read_json(folder / "run.json")
    kind: Kind = about["kind"]
    seeds = (
        series_seeds(folder / ANSWERS[kind], fold, about)
        if kind == "regression"
        else detection_seeds(folder / ANSWERS[kind], fold, about)
    )
    with (folder / "history.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return TimedRun(
        fold=fold,
        kind=kind,
        task=about["task"],
        classes=tuple(about["classes"]),
        parameters=int(about["parameters"]),
        seeds=seeds,
        histories=tuple([row for row in rows if row["seed"] == str(s.seed)] for s in seeds),
    )
