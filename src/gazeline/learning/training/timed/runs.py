"""Every seed of one fold of a task over time: answers, weights and histories kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from gazeline.console import progress
from gazeline.files import write_json
from gazeline.learning.common.folder import atomic_folder
from gazeline.learning.training.determinism import choose_device
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.intervals import Intervals
from gazeline.learning.training.kept_files import PREDICTED, write_history, write_weights
from gazeline.learning.training.models.registry import model_sizes
from gazeline.learning.training.timed.answering import Answering, fit_intervals, fit_values
from gazeline.learning.training.timed.fold import TimedFold, load_timed_fold
from gazeline.learning.training.timings import Stopwatch
from gazeline.params.learning import ModelChoice, ModelsParams, TrainingParams
from gazeline.params.runtime import RuntimeParams
from gazeline.schema.temporal import DETECTIONS, PREDICTED_SERIES
from gazeline.tables import from_rows, write_table

TRUE = -1


@dataclass(frozen=True)
class SeedAnswers:
    """One seed's model and its answers by split: values of cells, or intervals."""

    seed: int
    fitted: Answering
    cells: Mapping[str, list[Floats]]
    intervals: Mapping[str, Intervals]


def train_timed(
    experiment: str,
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
        LearningError: a split has nothing to learn or test, or a loss diverges.
        FeatureError: features are missing, changed or not finite.
    """
    with watch.phase("read"):
        fold = load_timed_fold(experiment, number, standardise=training.standardise, root=root)
    settings = Settings(choice.model, models, training, fold.moments, choose_device(runtime.device))
    where = f"experiment {experiment}, fold {number}"
    fit = fit_values if fold.manifest.kind == "regression" else fit_intervals
    with watch.phase("fit"):
        seeds = progress(training.seeds, total=len(training.seeds), label=where, unit="seed")
        fitted = [fit(fold.stretches, settings, seed, where) for seed in seeds]
    with watch.phase("predict"):
        runs = [
            _answers(fold, seed, model) for seed, model in zip(training.seeds, fitted, strict=True)
        ]
    summary = _summary(fold, choice, models, runs)
    with watch.phase("write"):
        out = root / "data/runs" / experiment / f"fold-{number}"
        with atomic_folder(out) as folder:
            _write(folder, fold, runs, summary)
    return summary


def _answers(fold: TimedFold, seed: int, model: Answering) -> SeedAnswers:
    splits = {split: fold.stretches.splits[split] for split in PREDICTED}
    return SeedAnswers(
        seed,
        model,
        {s: model.cells(indices) for s, indices in splits.items()} if model.cells else {},
        {s: model.intervals(indices) for s, indices in splits.items()} if model.intervals else {},
    )


def _summary(
    fold: TimedFold, choice: ModelChoice, models: ModelsParams, runs: Sequence[SeedAnswers]
) -> dict[str, Any]:
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
        "segments": {s: {"stretches": len(of)} for s, of in stretches.splits.items()},
        "stretches": {split: _places(fold, stretches.splits[split]) for split in PREDICTED},
        "parameters": runs[0].fitted.n_parameters,
        "sizes": model_sizes(choice.model, models),
        "seeds": {str(run.seed): _said(run.fitted) for run in runs},
        **({"train_means": _train_means(fold)} if manifest.kind == "regression" else {}),
    }


def _said(fitted: Answering) -> dict[str, Any]:
    return {
        "best_epoch": fitted.best_epoch,
        "epochs": len(fitted.history),
        "validation_loss": fitted.validation_loss,
        "parameters": fitted.n_parameters,
        **fitted.chosen,
    }


def _places(fold: TimedFold, indices: Ints) -> dict[str, list[Any]]:
    names, films, of = fold.names, fold.films, fold.stretches
    return {
        names[i]: [films[i], float(of.starts_s[i]), float(of.ends_s[i])] for i in indices.tolist()
    }


def _train_means(fold: TimedFold) -> dict[str, float]:
    truth = fold.stretches.truth_of(fold.stretches.splits["train"])
    means = np.atleast_1d(np.nanmean(truth, axis=0, dtype=np.float64))
    return {name: float(mean) for name, mean in zip(fold.manifest.classes, means, strict=True)}


def _write(
    folder: Path, fold: TimedFold, runs: Sequence[SeedAnswers], summary: dict[str, Any]
) -> None:
    if fold.manifest.kind == "regression":
        table = from_rows(_series_rows(fold, runs), PREDICTED_SERIES)
        write_table(table, PREDICTED_SERIES, folder / "series.parquet")
    else:
        table = _detections(fold, runs)
        write_table(table, DETECTIONS, folder / "detections.parquet")
    for run in runs:
        write_weights(folder, run.seed, run.fitted.state)
    write_history(folder, [(run.seed, run.fitted.history) for run in runs])
    write_json(folder / "run.json", summary)


def _series_rows(fold: TimedFold, runs: Sequence[SeedAnswers]) -> list[dict[str, Any]]:
    """Return a row per second whose truth is known."""
    stretches, films, rows = fold.stretches, fold.films, []
    for run in runs:
        for split, answers in run.cells.items():
            indices = stretches.splits[split]
            truths = stretches.parts(stretches.truth_of(indices), indices)
            for index, truth, values in zip(indices.tolist(), truths, answers, strict=True):
                first = int(stretches.starts_s[index])
                rows += [
                    {
                        "seed": run.seed,
                        "split": split,
                        "film_id": films[index],
                        "second": first + cell,
                        "target": truth[cell].astype(float).tolist(),
                        "value": values[cell].astype(float).tolist(),
                    }
                    for cell in np.flatnonzero(np.isfinite(truth).all(axis=1)).tolist()
                ]
    return rows


def _detections(fold: TimedFold, runs: Sequence[SeedAnswers]) -> pa.Table:
    rows = [
        row for split in PREDICTED for row in _interval_rows(fold, TRUE, split, _true(fold, split))
    ]
    for run in runs:
        for split, found in run.intervals.items():
            rows += _interval_rows(fold, run.seed, split, found)
    return from_rows(rows, DETECTIONS)


def _true(fold: TimedFold, split: str) -> Intervals:
    parts = []
    for index in fold.stretches.splits[split].tolist():
        events = fold.stretches.events[index].once()
        n = len(events.targets)
        parts.append(
            Intervals(
                np.full(n, index, dtype=np.int64),
                events.bounds_s,
                events.targets,
                np.ones(n),
                np.ones(n, dtype=np.bool_),
            )
        )
    return Intervals.joined(parts)


def _interval_rows(
    fold: TimedFold, seed: int, split: str, found: Intervals
) -> list[dict[str, Any]]:
    names, films = fold.names, fold.films
    return [
        {
            "seed": seed,
            "split": split,
            "segment_id": names[sample],
            "film_id": films[sample],
            "start_s": float(bounds[0]),
            "end_s": float(bounds[1]),
            "target": int(target),
            "score": float(score),
            "decided": bool(decided),
        }
        for sample, bounds, target, score, decided in zip(
            found.samples.tolist(), found.bounds_s, found.targets, found.scores, found.decided,
            strict=True,
        )
    ]  # fmt: skip
