"""Train every seed on one fold of a task over time; answers, weights and history are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from gazeline.files import write_json
from gazeline.learning.common.folder import atomic_folder
from gazeline.learning.common.manifest import SPLITS, Manifest
from gazeline.learning.training.cells.fold import load_stretches
from gazeline.learning.training.cells.stretches import Stretches, cell_moments
from gazeline.learning.training.determinism import choose_device
from gazeline.learning.training.features import Floats
from gazeline.learning.training.fetch import ensure_shards
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.intervals import Intervals
from gazeline.learning.training.learnt import Learnt
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.models.registry import model_sizes
from gazeline.learning.training.roles import Roles, assign_stretches
from gazeline.learning.training.run_files import write_models
from gazeline.learning.training.timed_answers import (
    found_table,
    series_table,
    tested,
    true_table,
)
from gazeline.learning.training.timed_learners import DETECTIONS as DETECTION_FITS
from gazeline.learning.training.timed_learners import REGRESSIONS as REGRESSION_FITS
from gazeline.learning.training.timings import Stopwatch
from gazeline.params.learning import ModelChoice, ModelsParams, TrainingParams
from gazeline.params.runtime import RuntimeParams
from gazeline.schema.runs import SAMPLES
from gazeline.schema.temporal import DETECTIONS, PREDICTED_SERIES
from gazeline.tables import TableSpec, read_table, write_table

PREDICTED = ("validation", "test")


@dataclass(frozen=True)
class TimedFold:
    """One fold of a task over time."""

    manifest: Manifest
    number: int
    roles: Roles
    stretches: Stretches
    moments: Mapping[str, Moments]

    @property
    def where(self) -> str:
        """Return the fold's name, for messages."""
        return f"experiment {self.manifest.experiment}, fold {self.number}"


def train_stretches(
    manifest: Manifest,
    number: int,
    choice: ModelChoice,
    training: TrainingParams,
    models: ModelsParams,
    runtime: RuntimeParams,
    watch: Stopwatch,
    root: Path,
) -> dict[str, Any]:
    """Train every seed on one fold and write `data/runs/<experiment>/fold-<number>/`.

    Returns:
        the content of `run.json`.

    Raises:
        LearningError: nothing is there to learn from, or a loss diverges.
        FeatureError: features are missing, changed or not finite.
    """
    with watch.phase("read"):
        fold = load_timed_fold(manifest, number, training, root)
    device = choose_device(runtime.device)
    settings = Settings(choice.model, models, training, fold.moments, device)
    found, table, spec = _answers(fold, settings, watch)
    summary = _summary(fold, choice, models, training.seeds, found)
    with watch.phase("write"):
        out = root / "data/runs" / manifest.experiment / f"fold-{number}"
        with atomic_folder(out) as folder:
            write_table(table, spec, folder / spec.path.rpartition("/")[2])
            write_models(folder, zip(training.seeds, found, strict=True))
            write_json(folder / "run.json", summary)
    return summary


def load_timed_fold(
    manifest: Manifest, number: int, training: TrainingParams, root: Path
) -> TimedFold:
    """Read the stretches and features of a fold; scale by its training films only."""
    folder = root / "data/datasets" / manifest.experiment
    roles = assign_stretches(manifest, number, read_table(folder / "samples.parquet", SAMPLES))
    films = set(roles.samples.column("film_id").to_pylist())
    ensure_shards(manifest.shards_of(films), manifest.experiment, root)
    stretches = load_stretches(manifest, number, roles, root)
    columns = stretches.cells.columns
    moments = (
        cell_moments(stretches, roles.splits["train"])
        if training.standardise
        else {name: Moments.identity(of.stop - of.start) for name, of in columns.items()}
    )
    return TimedFold(manifest, number, roles, stretches, moments)


def _answers(
    fold: TimedFold, settings: Settings, watch: Stopwatch
) -> tuple[Sequence[Learnt[Any]], pa.Table, TableSpec]:
    """Return the models by seed, their answers as a table, and its contract."""
    seeds = settings.training.seeds
    if fold.manifest.kind == "regression":
        with watch.phase("fit"):
            fit = REGRESSION_FITS[settings.model]
            values = fit(fold.stretches, settings, seeds, fold.where)
        with watch.phase("predict"):
            return values, _series(fold, seeds, values), PREDICTED_SERIES
    with watch.phase("fit"):
        found = DETECTION_FITS[settings.model](fold.stretches, settings, seeds, fold.where)
    with watch.phase("predict"):
        return found, _detections(fold, seeds, found), DETECTIONS


def _series(fold: TimedFold, seeds: Sequence[int], models: Sequence[Learnt[Floats]]) -> pa.Table:
    splits = fold.stretches.splits
    return pa.concat_tables(
        series_table(fold.stretches, fold.roles, split, seed, model.answer(splits[split]))
        for seed, model in zip(seeds, models, strict=True)
        for split in PREDICTED
    )


def _detections(
    fold: TimedFold, seeds: Sequence[int], models: Sequence[Learnt[Intervals]]
) -> pa.Table:
    splits = fold.stretches.splits
    found = [
        found_table(fold.stretches, fold.roles, split, seed, model.answer(splits[split]))
        for seed, model in zip(seeds, models, strict=True)
        for split in PREDICTED
    ]
    true = [true_table(fold.stretches, fold.roles, split) for split in PREDICTED]
    return pa.concat_tables([*true, *found])


def _summary(
    fold: TimedFold,
    choice: ModelChoice,
    models: ModelsParams,
    seeds: Sequence[int],
    found: Sequence[Learnt[Any]],
) -> dict[str, Any]:
    """Return what a run says of itself; no clock, so that the same run gives the same bytes."""
    manifest, stretches = fold.manifest, fold.stretches
    return {
        "experiment": manifest.experiment,
        "fold": fold.number,
        "kind": manifest.kind,
        "task": manifest.task,
        "model": choice.model,
        "modalities": list(manifest.modalities),
        "classes": list(manifest.classes),
        "step_s": stretches.step_s,
        "films": {split: list(f) for split, f in manifest.films_of(fold.number).items()},
        "segments": {split: {"stretches": len(stretches.splits[split])} for split in SPLITS},
        "parameters": found[0].n_parameters,
        "sizes": model_sizes(choice.model, models),
        **_of_kind(fold),
        "seeds": {str(s): _said(m) for s, m in zip(seeds, found, strict=True)},
    }


def _of_kind(fold: TimedFold) -> dict[str, Any]:
    """Return what scores need: the training mean of each measure, or which stretches were asked."""
    stretches, splits = fold.stretches, fold.stretches.splits
    if fold.manifest.kind == "regression":
        return {"train_means": stretches.train_means()}
    return {"stretches": {s: tested(stretches, fold.roles, splits[s]) for s in PREDICTED}}


def _said(model: Learnt[Any]) -> dict[str, Any]:
    return {
        "best_epoch": model.best_epoch,
        "epochs": max(epoch.epoch for epoch in model.history),
        "validation_loss": model.validation_loss,
        "parameters": model.n_parameters,
        **model.said,
    }
