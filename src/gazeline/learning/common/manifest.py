"""`manifest.json` of a dataset: everything that `train` needs to know beside the samples."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gazeline.errors import LearningError
from gazeline.files import read_json, write_json
from gazeline.params.kinds import Kind

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Shard:
    """One feature file: where it is, its content, its width and the encoder that made it.

    `stage` is the stage of `dvc.yaml` that makes it, for messages.
    """

    path: str
    md5: str
    width: int
    encoder: str
    weights_sha256: str
    stage: str


@dataclass(frozen=True)
class Manifest:
    """What an experiment learns from, without any setting of the training.

    `shards` is keyed by modality, then by film (video, audio) or corpus (text); `folds` by fold
    number and split, films without a usable copy left out; `time_maps` by film; `counts` says how
    many segments came in, were kept and were dropped, by reason; `class_counts` by fold, split
    and class name. `classes` are the measures of a regression and the classes of intervals of a
    detection; `step_s` is the length of a cell of the grid of a task over time, in seconds.
    """

    experiment: str
    corpus: str
    task: str
    classes: tuple[str, ...]
    modalities: tuple[str, ...]
    films: tuple[str, ...]
    folds: Mapping[int, Mapping[str, tuple[str, ...]]]
    shards: Mapping[str, Mapping[str, Shard]]
    time_maps: Mapping[str, list[dict[str, float]]]
    counts: Mapping[str, Any]
    class_counts: Mapping[str, Any] = field(default_factory=dict)
    kind: Kind = "classification"
    step_s: float | None = None

    def shards_of(self, films: Collection[str]) -> list[Shard]:
        """Return the shards with the features of `films`, and those of the whole corpus."""
        return [
            shard
            for shards in self.shards.values()
            for key, shard in shards.items()
            if key in films or key == self.corpus
        ]

    def films_of(self, fold: int) -> Mapping[str, tuple[str, ...]]:
        """Return the films of a fold by split.

        Raises:
            LearningError: there is no such fold.
        """
        if fold not in self.folds:
            known = ", ".join(str(k) for k in self.folds)
            raise LearningError(f"{self.experiment} has no fold {fold}, only {known}")
        return self.folds[fold]


def write_manifest(manifest: Manifest, path: Path) -> None:
    """Write a manifest as JSON."""
    data = asdict(manifest)
    data["folds"] = {str(k): dict(splits) for k, splits in manifest.folds.items()}
    write_json(path, data)


def read_manifest(path: Path) -> Manifest:
    """Read what `write_manifest` wrote.

    Raises:
        TableError: the file is missing or is not JSON.
        LearningError: it was written by another version.
    """
    data = read_json(path)
    try:
        return _from_json(data)
    except (KeyError, TypeError, ValueError) as error:
        raise LearningError(
            f"The manifest does not have the promised form: {error}",
            where=str(path),
            todo=f"run `dvc repro -f dataset@{path.parent.name}`",
        ) from error


def _from_json(data: Mapping[str, Any]) -> Manifest:
    return Manifest(
        **{
            **data,
            **{name: tuple(data[name]) for name in ("classes", "modalities", "films")},
            "folds": {
                int(k): {split: tuple(films) for split, films in splits.items()}
                for k, splits in sorted(data["folds"].items(), key=lambda item: int(item[0]))
            },
            "shards": {
                modality: {key: Shard(**entry) for key, entry in shards.items()}
                for modality, shards in data["shards"].items()
            },
        }
    )
