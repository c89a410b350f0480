"""What an estimator sees of each segment: mean features, those of its neighbours, lengths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gazeline.learning.common.manifest import Manifest
from gazeline.learning.training.estimators.windows import Windows, token_windows
from gazeline.learning.training.features import Floats, Ints, TokenStore, load_features

OWN, LAYOUT, NEAR = "own", "layout", "near"

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Described:
    """Blocks of features, float32 [samples, width] each, and the windows of tokens, if wanted.

    `own` holds the mean features, `near<i>` those of the i-th neighbour (zeros: none), `layout`
    lengths in time and tokens.
    """

    blocks: Mapping[str, Floats]
    windows: Windows | None = None


def load_described(
    manifest: Manifest, samples: pa.Table, context: int, window_tokens: int, root: Path
) -> Described:
    """Load the features of the samples and describe them.

    Args:
        samples: rows of `samples.parquet`.
        context: neighbours on each side (text only).
        window_tokens: tokens of a window; 0 leaves windows out.

    Raises:
        FeatureError: as `load_features`.
    """
    columns = samples.to_pydict()
    around = _neighbours(samples, context)
    n = samples.num_rows
    if context:
        others = sorted({name for name in around.ravel().tolist() if name})
        columns = {"segment_id": [*columns["segment_id"], *others]}
    stores = load_features(manifest, columns, root)
    own = {name: _first(store, n) for name, store in stores.items()}
    blocks = {OWN: np.hstack([store.pooled().values for store in own.values()])}
    places = _places(around, columns["segment_id"])
    if context:
        pooled = stores["text"].pooled().values
        for i, of_side in enumerate(places.T):
            blocks[f"{NEAR}{i}"] = np.where(of_side[:, None] < 0, np.float32(0), pooled[of_side])
    blocks[LAYOUT] = _layout(samples, stores, places)
    windows = token_windows(own, window_tokens) if window_tokens else None
    return Described(blocks, windows)


def _neighbours(samples: pa.Table, context: int) -> npt.NDArray[np.str_]:
    """Return the ids of the neighbours, [samples, 2 * context]."""
    rows = [row[: 2 * context] for row in samples.column("neighbours").to_pylist()]
    return np.array(rows, dtype=np.str_).reshape(len(rows), 2 * context)


def _places(around: npt.NDArray[np.str_], ids: list[str]) -> Ints:
    """Return where each neighbour stands in `ids`; -1: nowhere."""
    place_of = {name: place for place, name in enumerate(ids)} | {"": -1}
    places = [[place_of[str(name)] for name in row] for row in around]
    return np.array(places, dtype=np.int64).reshape(around.shape)


def _layout(samples: pa.Table, stores: Mapping[str, TokenStore], places: Ints) -> Floats:
    """Return logs of duration and tokens, tokens a second, silence; then the neighbours' logs."""
    duration_s = samples.column("duration_s").to_numpy()
    lengths = np.stack([_spoken(store) for store in stores.values()], axis=1)
    own = lengths[: len(duration_s)]
    columns: list[Doubles] = [np.log1p(duration_s)[:, None], np.log1p(own)]
    columns += [own / np.maximum(duration_s, 1.0)[:, None], own == 0]
    if places.shape[1]:
        rows = samples.column("neighbours_s").to_pylist()
        columns.append(np.log1p(np.array([row[: places.shape[1]] for row in rows])))
        columns.append(np.where(places < 0, 0.0, np.log1p(lengths[places, 0])))
    return np.hstack(columns).astype(np.float32)


def _spoken(store: TokenStore) -> Doubles:
    """Return the tokens of each sample, none where a placeholder stands in for a text."""
    lengths = store.lengths.astype(np.float64)
    return lengths if store.silent is None else np.where(store.silent, 0.0, lengths)


def _first(store: TokenStore, n: int) -> TokenStore:
    silent = None if store.silent is None else store.silent[:n]
    return TokenStore(store.values, store.starts[:n], store.lengths[:n], silent)
