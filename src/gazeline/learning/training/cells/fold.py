"""Read the stretches of a fold, what is true of them and their features, and check them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gazeline.errors import LearningError
from gazeline.learning.common.manifest import Manifest
from gazeline.learning.training.cells.store import load_cells
from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.cells.truth import (
    Events,
    Row,
    events_of,
    marks_on_cells,
    targets_by_sample,
    values_on_cells,
)
from gazeline.learning.training.features import Floats
from gazeline.learning.training.roles import Roles
from gazeline.schema.temporal import TARGETS
from gazeline.tables import read_table

LEARNT_FROM = ("train", "validation")


def load_stretches(manifest: Manifest, fold: int, roles: Roles, root: Path) -> Stretches:
    """Return one fold of a task over time.

    Raises:
        LearningError: nothing is true in the training or validation films.
        FeatureError: a value is not finite, or a film lacks features.
    """
    step_s = manifest.step_s
    if step_s is None:
        raise LearningError(
            f"The dataset of {manifest.experiment} does not say how long a cell is",
            todo=f"run `dvc repro -f dataset@{manifest.experiment}`",
        )
    samples = roles.samples.to_pydict()
    path = root / "data/datasets" / manifest.experiment / "targets.parquet"
    targets = targets_by_sample(read_table(path, TARGETS).to_pylist())
    rows = [targets.get(name, []) for name in samples["segment_id"]]
    events = [events_of(of_sample) for of_sample in rows]
    truth = [
        _truth(manifest, of_sample, of, (start_s, end_s), step_s)
        for of_sample, of, start_s, end_s in zip(
            rows, events, samples["start_s"], samples["end_s"], strict=True
        )
    ]
    stretches = Stretches(
        cells=load_cells(manifest, samples, step_s, root),
        truth=np.concatenate(truth),
        events=events,
        starts_s=np.array(samples["start_s"], dtype=np.float64),
        ends_s=np.array(samples["end_s"], dtype=np.float64),
        step_s=step_s,
        films=roles.films,
        splits=roles.splits,
        classes=manifest.classes,
    )
    _check(stretches, manifest, fold)
    return stretches


def _truth(
    manifest: Manifest,
    rows: list[Row],
    events: Events,
    bounds_s: tuple[float, float],
    step_s: float,
) -> Floats:
    n_outputs = len(manifest.classes)
    if manifest.kind == "regression":
        return values_on_cells(rows, *bounds_s, step_s, n_outputs)
    return marks_on_cells(events, *bounds_s, step_s, n_outputs)


def _check(stretches: Stretches, manifest: Manifest, fold: int) -> None:
    """Check that each measure or class is there to learn and to choose by."""
    for split in LEARNT_FROM:
        truth = stretches.truth_of(stretches.splits[split])
        there = np.isfinite(truth) if manifest.kind == "regression" else truth > 0
        lacking = [name for c, name in enumerate(manifest.classes) if not there[:, c].any()]
        if lacking:
            what = "value of" if manifest.kind == "regression" else "interval of"
            films = ", ".join(manifest.films_of(fold)[split])
            raise LearningError(
                f"No {what} {' and '.join(lacking)} in the {split} films of fold {fold}",
                where=f"experiment {manifest.experiment}, fold {fold}: {films}",
                todo=f"choose other films in corpora.{manifest.corpus}.folds, or name the folds "
                f"that can be learnt in experiments.{manifest.experiment}.folds",
            )
