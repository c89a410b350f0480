"""Stage `train`: every seed of one fold of an experiment, predictions and weights kept."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from safetensors.torch import save

from gazeline.console import progress
from gazeline.files import write_json
from gazeline.learning.common.folder import atomic_folder
from gazeline.learning.common.manifest import SPLITS, Manifest, read_manifest
from gazeline.learning.training.determinism import choose_device
from gazeline.learning.training.estimators.described import Described, load_described
from gazeline.learning.training.estimators.fitting import (
    Estimator,
    fit_estimator,
    predict_estimator,
)
from gazeline.learning.training.features import Floats, load_features
from gazeline.learning.training.fetch import ensure_shards
from gazeline.learning.training.fitting import Fitted, Settings, fit, predict
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.models.registry import max_tokens, pools_tokens
from gazeline.learning.training.problem import Problem, training_moments
from gazeline.learning.training.roles import Roles, assign_roles
from gazeline.params.learning import ESTIMATORS, ModelChoice, ModelsParams, TrainingParams
from gazeline.params.runtime import RuntimeParams
from gazeline.schema.runs import PREDICTIONS, SAMPLES
from gazeline.tables import read_table, write_table

PREDICTED = ("validation", "test")
HISTORY = ("seed", "epoch", "train_loss", "validation_loss", "lr")


@dataclass(frozen=True)
class Fold:
    """A fold ready to be learnt: `described` is there for estimators, `moments` for networks."""

    manifest: Manifest
    number: int
    roles: Roles
    problem: Problem
    moments: Mapping[str, Moments]
    described: Described | None = None


@dataclass(frozen=True)
class SeedRun:
    """One seed's model and its scores of the predicted splits."""

    seed: int
    fitted: Fitted
    scores: Mapping[str, Floats]


def train_fold(
    experiment: str,
    number: int,
    choice: ModelChoice,
    training: TrainingParams,
    models: ModelsParams,
    runtime: RuntimeParams,
    root: Path = Path(),
) -> dict[str, Any]:
    """Train every seed on one fold and write `data/runs/<experiment>/fold-<number>/`.

    Returns:
        the content of `run.json`.

    Raises:
        LearningError: a class is missing from a split, or a loss diverges.
        FeatureError: features are missing, changed or not finite.
    """
    training = choice.training.applied_to(training)
    if runtime.threads:
        torch.set_num_threads(runtime.threads)
    fold = load_fold(experiment, number, choice, training, models, root)
    device = choose_device(runtime.device)
    settings = Settings(choice.model, models, training, fold.moments, device)
    label = f"train@{experiment}-{number}"
    runs = [
        _run_seed(fold, settings, seed)
        for seed in progress(training.seeds, total=len(training.seeds), label=label, unit="seed")
    ]
    summary = _summary(fold, choice, runs)
    with atomic_folder(root / "data/runs" / experiment / f"fold-{number}") as folder:
        _write(folder, fold, runs, summary)
    return summary


def load_fold(
    experiment: str,
    number: int,
    choice: ModelChoice,
    training: TrainingParams,
    models: ModelsParams,
    root: Path,
) -> Fold:
    """Read the samples and features of a fold; scale by its training films only."""
    folder = root / "data/datasets" / experiment
    manifest = read_manifest(folder / "manifest.json")
    roles = assign_roles(manifest, number, read_table(folder / "samples.parquet", SAMPLES))
    films = set(roles.samples.column("film_id").to_pylist())
    ensure_shards(manifest.shards_of(films), experiment, root)
    if choice.model in ESTIMATORS:
        return _estimators_fold(manifest, number, roles, choice, training, models, root)
    stores = load_features(manifest, roles.samples.to_pydict(), root)
    moments = {
        name: training_moments(store, roles.splits["train"])
        if training.standardise
        else Moments.identity(store.width)
        for name, store in stores.items()
    }
    caps = {name: max_tokens(choice.model, models, name) for name in stores}
    if pools_tokens(choice.model):
        stores = {name: store.pooled() for name, store in stores.items()}
    problem = Problem(stores, caps, roles.targets, roles.splits, manifest.classes)
    return Fold(manifest, number, roles, problem, moments)


def _estimators_fold(
    manifest: Manifest,
    number: int,
    roles: Roles,
    choice: ModelChoice,
    training: TrainingParams,
    models: ModelsParams,
    root: Path,
) -> Fold:
    size = (
        models.kernel.window_tokens if choice.model == "kernel" and models.kernel.landmarks else 0
    )
    described = load_described(manifest, roles.samples, training.context, size, root)
    problem = Problem({}, {}, roles.targets, roles.splits, manifest.classes)
    return Fold(manifest, number, roles, problem, {}, described)


def _run_seed(fold: Fold, settings: Settings, seed: int) -> SeedRun:
    where = f"experiment {fold.manifest.experiment}, fold {fold.number}"
    if fold.described is not None:
        return _run_estimator(fold, fold.described, settings, seed, where)
    fitted = fit(fold.problem, settings, seed, where)
    scores = {
        split: predict(fitted.model, fold.problem, fold.roles.splits[split], settings.device)
        for split in PREDICTED
    }
    return SeedRun(seed, fitted, scores)


def _run_estimator(
    fold: Fold, described: Described, settings: Settings, seed: int, where: str
) -> SeedRun:
    estimator = Estimator(settings.model, settings.models, settings.training, described)
    fitted = fit_estimator(fold.problem, estimator, seed, where)
    scores = {
        split: predict_estimator(fitted.model, fold.problem, described, fold.roles.splits[split])
        for split in PREDICTED
    }
    return SeedRun(seed, fitted, scores)


def _summary(fold: Fold, choice: ModelChoice, runs: Sequence[SeedRun]) -> dict[str, Any]:
    """Return what a run says of itself; no clock, so that the same run gives the same bytes."""
    classes = fold.manifest.classes
    return {
        "experiment": fold.manifest.experiment,
        "fold": fold.number,
        "task": fold.manifest.task,
        "model": choice.model,
        "modalities": list(fold.manifest.modalities),
        "classes": list(classes),
        "films": {split: list(f) for split, f in fold.manifest.films_of(fold.number).items()},
        "segments": {split: fold.roles.class_counts(split, classes) for split in SPLITS},
        "parameters": runs[0].fitted.n_parameters,
        "seeds": {
            str(run.seed): {
                "best_epoch": run.fitted.best_epoch,
                "epochs": len(run.fitted.history),
                "validation_loss": run.fitted.history[run.fitted.best_epoch - 1].validation_loss,
            }
            for run in runs
        },
    }


def _write(folder: Path, fold: Fold, runs: Sequence[SeedRun], summary: dict[str, Any]) -> None:
    predictions = pa.concat_tables(
        [_predictions(fold, run, split) for run in runs for split in PREDICTED]
    )
    write_table(predictions, PREDICTIONS, folder / "predictions.parquet")
    for run in runs:
        state = {k: v.cpu().contiguous() for k, v in run.fitted.model.state_dict().items()}
        (folder / f"model-{run.seed}.safetensors").write_bytes(save(state))
    with (folder / "history.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HISTORY)
        for run in runs:
            for e in run.fitted.history:
                writer.writerow([run.seed, e.epoch, e.train_loss, e.validation_loss, e.lr])
    write_json(folder / "run.json", summary)


def _predictions(fold: Fold, run: SeedRun, split: str) -> pa.Table:
    indices = fold.roles.splits[split]
    samples = fold.roles.samples.take(pa.array(indices))
    columns = {
        "seed": np.full(len(indices), run.seed, dtype=np.int32),
        "split": [split] * len(indices),
        **{name: samples.column(name) for name in ("segment_id", "film_id", "annotator")},
        "target": fold.roles.targets[indices].astype(np.int32),
        "score": list(run.scores[split]),
    }
    return pa.table(columns, schema=PREDICTIONS.schema)
