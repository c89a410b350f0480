"""Which samples train, validate and test in a fold, and the class each counts as there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from gazeline.errors import LearningError
from gazeline.learning.common.manifest import SPLITS, Manifest
from gazeline.learning.training.features import Ints

TARGET_COLUMN = {
    "train": "target_train",
    "validation": "target_train",
    "test": "target_test",
}


@dataclass(frozen=True)
class Roles:
    """The samples used in a fold (rows of `samples.parquet`), their classes, and the splits.

    `targets` is int64 [samples], `part_targets` the same for a model of one modality alone, by
    modality; `films` numbers the film of each sample; `splits` holds sample indices of train,
    validation and test.
    """

    samples: pa.Table
    targets: Ints
    part_targets: Mapping[str, Ints]
    films: Ints
    splits: Mapping[str, Ints]

    def class_counts(self, split: str, classes: tuple[str, ...]) -> dict[str, int]:
        """Return how many samples of each class a split has."""
        found = np.bincount(self.targets[self.splits[split]], minlength=len(classes))
        return dict(zip(classes, found.tolist(), strict=True))


def assign_roles(manifest: Manifest, fold: int, samples: pa.Table) -> Roles:
    """Return the samples of a fold's films that have a class in their role.

    Raises:
        LearningError: there is no such fold, a class is missing from train or validation, or
            nothing is left to test.
    """
    roles = _roles(manifest, fold, samples)
    _check(roles, manifest, fold)
    return roles


def assign_stretches(manifest: Manifest, fold: int, samples: pa.Table) -> Roles:
    """Return the stretches of a fold's films that are used in their role; every class is 0.

    Raises:
        LearningError: there is no such fold, or a split has no stretch.
    """
    roles = _roles(manifest, fold, samples)
    for split in SPLITS:
        if len(roles.splits[split]) == 0:
            films = ", ".join(manifest.films_of(fold)[split]) or "no film"
            raise LearningError(
                f"No stretch of film to use in the {split} films of fold {fold}",
                where=f"experiment {manifest.experiment}, fold {fold}: {films}",
                todo="choose other films in the fold, or set scenes.empty: keep in params.yaml",
            )
    return roles


def _roles(manifest: Manifest, fold: int, samples: pa.Table) -> Roles:
    films = np.asarray(samples.column("film_id").to_pylist())
    targets = np.full(len(films), -1, dtype=np.int64)
    split_of = np.full(len(films), "", dtype=object)
    for split, of_split in manifest.films_of(fold).items():
        there = np.isin(films, list(of_split))
        split_of[there] = split
        targets[there] = samples.column(TARGET_COLUMN[split]).to_numpy()[there]
    kept = np.flatnonzero(targets >= 0)
    return Roles(
        samples.take(pa.array(kept)),
        targets[kept],
        {m: _part_targets(samples, m)[kept] for m in manifest.modalities},
        np.unique_inverse(films[kept]).inverse_indices.astype(np.int64),
        {split: np.flatnonzero(split_of[kept] == split) for split in SPLITS},
    )


def _part_targets(samples: pa.Table, modality: str) -> Ints:
    targets: Ints = samples.column(f"target_{modality}").to_numpy().astype(np.int64)
    return targets


def _check(roles: Roles, manifest: Manifest, fold: int) -> None:
    where = f"experiment {manifest.experiment}, fold {fold}"
    todo = (
        f"choose other films in corpora.{manifest.corpus}.folds, or name the folds that can be "
        f"learnt in experiments.{manifest.experiment}.folds"
    )
    for split in ("train", "validation"):
        counts = roles.class_counts(split, manifest.classes)
        lacking = [name for name, n in counts.items() if n == 0]
        if lacking:
            raise LearningError(
                f"No {' and no '.join(lacking)} segment in the {split} films of fold {fold}",
                where=f"{where}: {', '.join(manifest.films_of(fold)[split]) or 'no film'}",
                todo=todo,
            )
    if len(roles.splits["test"]) == 0:
        raise LearningError(f"No segment in the test films of fold {fold}", where=where, todo=todo)
