"""Read a fold of a task over time: the cells of its stretches and what is true of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gazeline.errors import LearningError
from gazeline.learning.common.manifest import Manifest, read_manifest
from gazeline.learning.training.cells.store import load_cells
from gazeline.learning.training.cells.stretches import Stretches, cell_moments
from gazeline.learning.training.cells.truth import (
    bounds_of,
    events_of,
    marks_on_cells,
    targets_by_sample,
    values_on_cells,
)
from gazeline.learning.training.features import Floats
from gazeline.learning.training.fetch import ensure_shards
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.roles import Roles, assign_stretches
from gazeline.schema.runs import SAMPLES
from gazeline.schema.temporal import TARGETS
from gazeline.tables import read_table


@dataclass(frozen=True)
class TimedFold:
    """A fold ready to be learnt; `moments` are those of its training cells, by modality."""

    manifest: Manifest
    number: int
    roles: Roles
    stretches: Stretches
    moments: Mapping[str, Moments]

    @property
    def names(self) -> list[str]:
        """Return the id of each stretch."""
        return list(self.roles.samples.column("segment_id").to_pylist())

    @property
    def films(self) -> list[str]:
        """Return the film of each stretch."""
        return list(self.roles.samples.column("film_id").to_pylist())


def load_timed_fold(experiment: str, number: int, *, standardise: bool, root: Path) -> TimedFold:
    """Read the stretches of a fold; scale by its training films only.

    Raises:
        LearningError: a split has no stretch, or train or validation has nothing to learn.
        FeatureError: features are missing, changed or not finite.
    """
    folder = root / "data/datasets" / experiment
    manifest = read_manifest(folder / "manifest.json")
    roles = assign_stretches(manifest, number, read_table(folder / "samples.parquet", SAMPLES))
    columns = roles.samples.to_pydict()
    ensure_shards(manifest.shards_of(set(columns["film_id"])), experiment, root)
    step_s = float(manifest.step_s or 1.0)
    cells = load_cells(manifest, columns, step_s, root)
    targets = targets_by_sample(read_table(folder / "targets.parquet", TARGETS).to_pylist())
    rows = [targets.get(name, []) for name in columns["segment_id"]]
    events = [events_of(of) for of in rows]
    bounds = list(zip(columns["start_s"], columns["end_s"], strict=True))
    n = len(manifest.classes)
    truth = [
        values_on_cells(of, start, end, step_s, n)
        if manifest.kind == "regression"
        else marks_on_cells(event, start, end, step_s, n)
        for of, event, (start, end) in zip(rows, events, bounds, strict=True)
    ]
    stretches = Stretches(
        cells=cells,
        truth=np.concatenate(truth),
        events=events,
        starts_s=np.array(columns["start_s"], dtype=np.float64),
        ends_s=np.array(columns["end_s"], dtype=np.float64),
        step_s=step_s,
        films=roles.films,
        splits=roles.splits,
        classes=manifest.classes,
        given_s=[bounds_of(of) for of in rows],
    )
    _check(stretches, manifest, number)
    train = roles.splits["train"]
    moments = cell_moments(stretches, train) if standardise else _identity(stretches)
    return TimedFold(manifest, number, roles, stretches, moments)


def _identity(stretches: Stretches) -> dict[str, Moments]:
    columns = stretches.cells.columns
    return {name: Moments.identity(span.stop - span.start) for name, span in columns.items()}


def _check(stretches: Stretches, manifest: Manifest, number: int) -> None:
    for split in ("train", "validation"):
        truth = stretches.truth_of(stretches.splits[split])
        lacking = [name for i, name in enumerate(stretches.classes) if not _known(truth[:, i],
                   manifest.kind == "regression")]  # fmt: skip
        if lacking:
            what = "value" if manifest.kind == "regression" else "interval"
            raise LearningError(
                f"No {what} of {', '.join(lacking)} in the {split} films of fold {number}",
                where=f"experiment {manifest.experiment}, fold {number}: "
                f"{', '.join(manifest.films_of(number)[split])}",
                todo=f"choose other films in corpora.{manifest.corpus}.folds, or other folds in "
                f"experiments.{manifest.experiment}.folds",
            )


def _known(truth: Floats, is_value: bool) -> bool:
    return bool(np.isfinite(truth).any() if is_value else (truth > 0).any())
