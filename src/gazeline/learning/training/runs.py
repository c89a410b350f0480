"""Stage `train`: every seed of one fold of an experiment, predictions and weights kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch

from gazeline.files import write_json
from gazeline.learning.common.folder import atomic_folder
from gazeline.learning.common.manifest import SPLITS, Manifest, read_manifest
from gazeline.learning.training.determinism import choose_device
from gazeline.learning.training.estimators.described import load_described
from gazeline.learning.training.features import Floats, TokenStore, load_features
from gazeline.learning.training.fetch import ensure_shards
from gazeline.learning.training.fitted import Fitted, Settings
from gazeline.learning.training.kept_files import PREDICTED, write_history, write_weights
from gazeline.learning.training.learners import LEARNERS
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.models.registry import model_sizes
from gazeline.learning.training.problem import Problem, training_moments
from gazeline.learning.training.roles import Roles, assign_roles
from gazeline.learning.training.timed.runs import train_timed
from gazeline.learning.training.timings import Stopwatch, write_timings
from gazeline.params.learning import ModelChoice, ModelsParams, TrainingParams
from gazeline.params.runtime import RuntimeParams
from gazeline.schema.runs import PREDICTIONS, SAMPLES
from gazeline.tables import read_table, write_table


@dataclass(frozen=True)
class Fold:
    """A fold ready to be learnt."""

    manifest: Manifest
    number: int
    roles: Roles
    problem: Problem
    moments: Mapping[str, Moments]


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
    watch = Stopwatch()
    manifest = read_manifest(root / "data/datasets" / experiment / "manifest.json")
    run = _train_segments if manifest.kind == "classification" else train_timed
    summary = run(experiment, number, choice, training, models, runtime, watch, root)
    write_timings(experiment, number, watch, root)
    return summary


def _train_segments(
    experiment: str,
    number: int,
    choice: ModelChoice,
    training: TrainingParams,
    models: ModelsParams,
    runtime: RuntimeParams,
    watch: Stopwatch,
    root: Path,
) -> dict[str, Any]:
    """Train every seed of a classification of segments or shots (see `train_fold`)."""
    with watch.phase("read"):
        fold = load_fold(experiment, number, choice, training, models, root)
    device = choose_device(runtime.device)
    settings = Settings(choice.model, models, training, fold.moments, device)
    where = f"experiment {experiment}, fold {number}"
    with watch.phase("fit"):
        found = LEARNERS[choice.model].fit(fold.problem, settings, training.seeds, where)
    with watch.phase("predict"):
        runs = [
            SeedRun(seed, fitted, _scores(fold, fitted))
            for seed, fitted in zip(training.seeds, found, strict=True)
        ]
    summary = _summary(fold, choice, models, runs)
    with watch.phase("write"):
        out = root / "data/runs" / experiment / f"fold-{number}"
        with atomic_folder(out) as folder:
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
    if LEARNERS[choice.model].describes:
        return _described_fold(manifest, number, roles, choice, training, models, root)
    stores = load_features(manifest, roles.samples.to_pydict(), root)
    moments = {
        name: training_moments(store, roles.splits["train"])
        if training.standardise
        else Moments.identity(store.width)
        for name, store in stores.items()
    }
    caps = {str(name): n for name, n in models.transformer.max_tokens.items()}
    if LEARNERS[choice.model].pools:
        stores, caps = {name: store.pooled() for name, store in stores.items()}, {}
    problem = _problem(manifest, roles, stores, {name: caps.get(name) for name in stores})
    return Fold(manifest, number, roles, problem, moments)


def _described_fold(
    manifest: Manifest,
    number: int,
    roles: Roles,
    choice: ModelChoice,
    training: TrainingParams,
    models: ModelsParams,
    root: Path,
) -> Fold:
    """Describe the samples of a fold as an estimator sees them; it scales them by itself."""
    landmarks = choice.model == "kernel" and models.kernel.landmarks
    described = load_described(
        manifest,
        roles.samples,
        training.context,
        models.kernel.window_tokens if landmarks else 0,
        root,
    )
    problem = replace(_problem(manifest, roles, {}, {}), described=described)
    return Fold(manifest, number, roles, problem, {})


def _problem(
    manifest: Manifest,
    roles: Roles,
    stores: Mapping[str, TokenStore],
    caps: Mapping[str, int | None],
) -> Problem:
    return Problem(
        stores=stores,
        caps=caps,
        targets=roles.targets,
        part_targets=roles.part_targets,
        films=roles.films,
        splits=roles.splits,
        classes=manifest.classes,
    )


def _scores(fold: Fold, fitted: Fitted) -> dict[str, Floats]:
    return {split: fitted.predict(fold.problem, fold.roles.splits[split]) for split in PREDICTED}


def _summary(
    fold: Fold, choice: ModelChoice, models: ModelsParams, runs: Sequence[SeedRun]
) -> dict[str, Any]:
    """Return what a run says of itself; no clock, so that the same run gives the same bytes."""
    classes = fold.manifest.classes
    return {
        "experiment": fold.manifest.experiment,
        "fold": fold.number,
        "kind": "classification",
        "task": fold.manifest.task,
        "model": choice.model,
        "modalities": list(fold.manifest.modalities),
        "classes": list(classes),
        "films": {split: list(f) for split, f in fold.manifest.films_of(fold.number).items()},
        "segments": {split: fold.roles.class_counts(split, classes) for split in SPLITS},
        "parameters": runs[0].fitted.n_parameters,
        "sizes": model_sizes(choice.model, models),
        "seeds": {str(run.seed): _said(run.fitted) for run in runs},
    }


def _said(fitted: Fitted) -> dict[str, Any]:
    """Return what a run says of one seed, and of each part that was fitted apart."""
    parts = {name: _said(part) for name, part in fitted.parts.items()}
    return {
        "best_epoch": fitted.best_epoch,
        "epochs": max(epoch.epoch for epoch in fitted.history),
        "validation_loss": fitted.validation_loss,
        "parameters": fitted.n_parameters,
        **({"parts": parts} if parts else {}),
    }


def _write(folder: Path, fold: Fold, runs: Sequence[SeedRun], summary: dict[str, Any]) -> None:
    predictions = pa.concat_tables(
        [_predictions(fold, run, split) for run in runs for split in PREDICTED]
    )
    write_table(predictions, PREDICTIONS, folder / "predictions.parquet")
    for run in runs:
        write_weights(folder, run.seed, run.fitted.state)
    write_history(folder, [(run.seed, run.fitted.history) for run in runs])
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
