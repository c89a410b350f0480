"""The embeddings of an experiment as one array a modality, and each sample's place in it.

Samples share windows (two annotators, overlapping segments), so they are ranges of rows of a mapped
file: nothing is copied per sample or per epoch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gazeline.errors import FeatureError
from gazeline.learning.common.manifest import Manifest, Shard
from gazeline.learning.training.mapped import mapped_array
from gazeline.schema.features import EMPTY_TEXT, TEXT, unpack, windows
from gazeline.tables import read_table

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class TokenStore:
    """Rows `starts[i]` to `starts[i] + lengths[i]` of `values` are the tokens of sample i.

    `values` is float32 [rows, width]; `starts` and `lengths` are int64 [samples]. `silent` says
    which samples have no text of their own, so that the placeholder stands in for it.
    """

    values: Floats
    starts: Ints
    lengths: Ints
    silent: Bools | None = None

    def __post_init__(self) -> None:
        if len(self.lengths) and self.lengths.min() < 1:
            raise FeatureError("A sample has no tokens")
        if len(self.lengths) and (self.starts + self.lengths).max() > len(self.values):
            raise FeatureError("A sample reaches past the end of its features")

    @property
    def width(self) -> int:
        """Return the width of the embeddings."""
        return int(self.values.shape[1])

    def pooled(self) -> TokenStore:
        """Return the mean token of every sample, one token each."""
        means = np.empty((len(self.starts), self.width), dtype=np.float32)
        for index, (start, length) in enumerate(zip(self.starts, self.lengths, strict=True)):
            means[index] = self.values[start : start + length].mean(axis=0, dtype=np.float64)
        samples = np.arange(len(self.starts), dtype=np.int64)
        return TokenStore(means, samples, np.ones_like(samples), self.silent)


def token_rows(starts: Ints, lengths: Ints, cap: int | None) -> tuple[Ints, Ints]:
    """Return the rows of a batch, sample after sample, and how many each sample has.

    A sample longer than `cap` is thinned out uniformly: one row from the middle of each of `cap`
    equal parts.

    Returns:
        rows int64 [all tokens], lengths int64 [batch].
    """
    kept = lengths if cap is None else np.minimum(lengths, cap)
    ends = np.cumsum(kept)
    steps = np.arange(ends[-1], dtype=np.int64) - np.repeat(ends - kept, kept)
    offsets = ((2 * steps + 1) * np.repeat(lengths, kept)) // np.repeat(2 * kept, kept)
    return np.repeat(starts, kept) + offsets, kept


def load_features(
    manifest: Manifest, samples: Mapping[str, Sequence[object]], root: Path
) -> dict[str, TokenStore]:
    """Load the features of the samples, by modality.

    Args:
        samples: columns of `samples.parquet`, of the samples wanted.

    Raises:
        FeatureError: a value is not finite (film and window are named), a segment has no text row,
            or a range lies outside its shard.
    """
    return {
        modality: _load_text(manifest, samples, root)
        if modality == "text"
        else _load_windows(modality, manifest, samples, root)
        for modality in manifest.modalities
    }


def _load_windows(
    modality: str, manifest: Manifest, samples: Mapping[str, Sequence[object]], root: Path
) -> TokenStore:
    film_ids = np.asarray(samples["film_id"])
    first = np.asarray(samples[f"{modality}_start"], dtype=np.int64)
    stop = np.asarray(samples[f"{modality}_stop"], dtype=np.int64)
    films = sorted(set(film_ids.tolist()))
    shards = {film: manifest.shards[modality][film] for film in films}
    sizes = {film: _n_windows(modality, shards[film], root) for film in films}
    all_values = mapped_array(sum(sizes.values()), shards[films[0]].width, root)
    rows, starts = 0, np.zeros(len(film_ids), dtype=np.int64)
    for film, shard in shards.items():
        values = film_values(modality, film, shard, root)
        of_film = film_ids == film
        if stop[of_film].max() > len(values):
            raise FeatureError(
                f"{film} has {len(values)} {modality} windows, the dataset wants more",
                where=shard.path,
                todo=f"run `dvc repro dataset@{manifest.experiment}`",
            )
        starts[of_film] = first[of_film] + rows
        all_values[rows : rows + len(values)] = values
        rows += len(values)
    return TokenStore(all_values, starts, stop - first)


def _n_windows(modality: str, shard: Shard, root: Path) -> int:
    table = read_table(root / shard.path, windows(modality, shard.width), ["window"])
    return len(table)


def film_values(modality: str, film: str, shard: Shard, root: Path) -> Floats:
    """Return the embeddings of one shard, float32 [windows, width].

    Raises:
        FeatureError: a value is not finite.
    """
    table = read_table(root / shard.path, windows(modality, shard.width), ["window", "embedding"])
    values = unpack(table.column("embedding"))
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(bad):
        window = table.column("window")[int(bad[0])].as_py()
        raise _not_finite(f"window {window} of {film}", len(bad), modality, shard)
    return values


def _load_text(
    manifest: Manifest, samples: Mapping[str, Sequence[object]], root: Path
) -> TokenStore:
    shard = manifest.shards["text"][manifest.corpus]
    table = read_table(root / shard.path, TEXT, ["segment_id", "n_tokens", "embedding"])
    ids = table.column("segment_id").to_pylist()
    row_of = {segment: row for row, segment in enumerate(ids)}
    lacking = [str(s) for s in samples["segment_id"] if s not in row_of]
    if lacking:
        raise _no_text(f"{len(lacking)} segments, {lacking[0]} first, have", shard)
    rows = np.array([row_of[str(s)] for s in samples["segment_id"]], dtype=np.int64)
    empty = table.column("n_tokens").to_numpy()[rows] == 0
    if empty.any():
        if EMPTY_TEXT not in row_of:
            raise _no_text(f"The placeholder {EMPTY_TEXT} of silent segments has", shard)
        rows = np.where(empty, row_of[EMPTY_TEXT], rows)
    column = table.column("embedding")
    ends = _offsets(column)
    values = mapped_array(int(ends[-1]) // shard.width, shard.width, root)
    _copy_flat(column, values.reshape(-1))
    store = TokenStore(values, ends[rows] // shard.width, np.diff(ends)[rows] // shard.width, empty)
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(bad):
        row = int(np.searchsorted(ends, bad[0] * shard.width, side="right")) - 1
        raise _not_finite(f"the text of {ids[row]}", len(bad), "text", shard)
    return store


def _offsets(column: pa.ChunkedArray) -> Ints:
    """Return where each row's values begin in the flat values, and the end: [rows + 1]."""
    lengths = [np.diff(chunk.offsets.to_numpy()) for chunk in column.chunks]
    ends: Ints = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
    return ends


def _flat(column: pa.ChunkedArray) -> Floats:
    parts = [chunk.flatten().to_numpy() for chunk in column.chunks]
    if len(parts) == 1:
        return np.asarray(parts[0], dtype=np.float32)
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.float32)


def _copy_flat(column: pa.ChunkedArray, out: Floats) -> None:
    """Copy the values of a column chunk by chunk, so that they are never in memory twice."""
    start = 0
    for chunk in column.chunks:
        part = chunk.flatten().to_numpy()
        out[start : start + len(part)] = part
        start += len(part)


def _not_finite(which: str, n: int, modality: str, shard: Shard) -> FeatureError:
    return FeatureError(
        f"The {modality} features hold values that are not finite: {which}"
        + (f" and {n - 1} more" if n > 1 else ""),
        where=shard.path,
        todo=f"run `dvc repro -f {shard.stage}`",
    )


def _no_text(which: str, shard: Shard) -> FeatureError:
    return FeatureError(
        f"{which} no text features", where=shard.path, todo=f"run `dvc repro {shard.stage}`"
    )
