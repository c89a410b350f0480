"""The cells of all stretches of a fold as one mapped array, and each stretch's place in it.

Two annotators of one film share its stretches, and so their cells: nothing is copied per sample or
per epoch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gazeline.errors import FeatureError, LearningError
from gazeline.learning.common.manifest import Manifest, Shard
from gazeline.learning.training.cells.grid import cell_edges, n_cells, window_shares
from gazeline.learning.training.features import Bools, Floats, Ints, film_values
from gazeline.learning.training.mapped import mapped_array
from gazeline.schema.features import windows
from gazeline.tables import read_table
from gazeline.timeline.maps import TimeMap
from gazeline.timeline.windows import Times

Place = tuple[str, float, float]


@dataclass(frozen=True)
class Cells:
    """Rows `starts[i]` to `starts[i] + lengths[i]` are the cells of stretch i.

    `values` is float32 [rows, width], zero where the copy has nothing; `present` is bool [rows,
    modalities]; `columns` says which columns a modality has, in the order of `present`. `lengths`
    and `starts` are int64 [stretches].
    """

    values: Floats
    present: Bools
    columns: Mapping[str, slice]
    starts: Ints
    lengths: Ints

    @property
    def width(self) -> int:
        """Return the width of a cell, all modalities together."""
        return int(self.values.shape[1])

    @cached_property
    def firsts(self) -> Ints:
        """Return where the cells of each stretch begin when stretches share none, [stretches]."""
        firsts: Ints = np.cumsum(self.lengths) - self.lengths
        return firsts


def load_cells(
    manifest: Manifest, samples: Mapping[str, Sequence[Any]], step_s: float, root: Path
) -> Cells:
    """Put the features of the stretches on their cells.

    Args:
        samples: columns of `samples.parquet`, of the stretches wanted.

    Raises:
        LearningError: a modality has no windows in time.
        FeatureError: a value is not finite (film and window are named), or a film lacks features.
    """
    _check_modalities(manifest)
    places: list[Place] = list(
        zip(samples["film_id"], samples["start_s"], samples["end_s"], strict=True)
    )
    stretches = sorted(set(places))
    lengths = {place: n_cells(place[1], place[2], step_s) for place in stretches}
    firsts = dict(zip(stretches, np.cumsum([0, *lengths.values()])[:-1].tolist(), strict=True))
    columns = _columns(manifest)
    n_rows = sum(lengths.values())
    values = mapped_array(n_rows, max(c.stop for c in columns.values()), root)
    present = np.zeros((n_rows, len(columns)), dtype=np.bool_)
    for index, (modality, span) in enumerate(columns.items()):
        for film in sorted({place[0] for place in stretches}):
            of_film = [place for place in stretches if place[0] == film]
            edges = [cell_edges(start, end, step_s) for _, start, end in of_film]
            found = _film_cells(manifest, modality, film, edges, root)
            for place, (means, there) in zip(of_film, found, strict=True):
                rows = slice(firsts[place], firsts[place] + lengths[place])
                values[rows, span], present[rows, index] = means, there
    return Cells(
        values,
        present,
        columns,
        np.array([firsts[place] for place in places], dtype=np.int64),
        np.array([lengths[place] for place in places], dtype=np.int64),
    )


def _check_modalities(manifest: Manifest) -> None:
    if "text" in manifest.modalities:
        raise LearningError(
            f"The text of {manifest.corpus} belongs to segments and has no cells in time",
            where=f"params.yaml, experiments.{manifest.experiment}.modalities",
            todo="take video, audio or both",
        )


def _columns(manifest: Manifest) -> dict[str, slice]:
    columns, start = {}, 0
    for modality in manifest.modalities:
        width = next(iter(manifest.shards[modality].values())).width
        columns[modality] = slice(start, start + width)
        start += width
    return columns


def _film_cells(
    manifest: Manifest, modality: str, film: str, edges: Sequence[Times], root: Path
) -> Iterator[tuple[Floats, Bools]]:
    """Yield the cells of each stretch of a film, and which of them the copy has."""
    shard = _shard(manifest, modality, film)
    starts_s, ends_s = _window_times(modality, shard, root)
    values = film_values(modality, film, shard, root)
    time_map = TimeMap.from_json(manifest.time_maps[film])
    for of_stretch in edges:
        shares = window_shares(of_stretch, time_map, starts_s, ends_s)
        used = np.unique(shares.indices)
        means = shares[:, used] @ values[used].astype(np.float64)
        yield means.astype(np.float32), np.diff(shares.indptr) > 0


def _shard(manifest: Manifest, modality: str, film: str) -> Shard:
    shard = manifest.shards[modality].get(film)
    if shard is None or film not in manifest.time_maps:
        raise FeatureError(
            f"The dataset lists no {modality} features or time map of {film}",
            todo=f"run `dvc repro dataset@{manifest.experiment}`",
        )
    return shard


def _window_times(modality: str, shard: Shard, root: Path) -> tuple[Times, Times]:
    table = read_table(root / shard.path, windows(modality, shard.width), ["start_s", "end_s"])
    return table.column("start_s").to_numpy(), table.column("end_s").to_numpy()
