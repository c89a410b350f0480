"""Short windows of tokens, and how near a segment comes to landmarks among them.

A concept may be one remark in a long dialogue, which the mean of all tokens hides; the window that
is nearest to a landmark does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gazeline.learning.training.features import Floats, Ints, TokenStore

# Windows that landmarks are made from, and rounds of making them.
MOST_WINDOWS = 20_000
ROUNDS = 12

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Windows:
    """Rows `starts[i]` to `starts[i + 1]` of `values` are the windows of sample i.

    `values` is float32 [windows, width], each row of length one; `starts` is int64 [samples + 1].
    """

    values: Floats
    starts: Ints

    def chosen(self, samples: Ints) -> Windows:
        """Return the windows of some samples."""
        rows = [np.arange(self.starts[i], self.starts[i + 1]) for i in samples]
        ends = np.cumsum([0, *map(len, rows)])
        return Windows(self.values[np.concatenate(rows)], ends.astype(np.int64))


def token_windows(stores: Mapping[str, TokenStore], size: int) -> Windows:
    """Return the mean directions of windows of `size` tokens, half overlapping.

    Windows are cut within a modality; widths must agree if there are several. A text that is not
    there has one window, of its placeholder.
    """
    n = len(next(iter(stores.values())).starts)
    parts = [_of_sample(store, i, size) for i in range(n) for store in stores.values()]
    lengths = np.array([len(part) for part in parts]).reshape(n, len(stores)).sum(axis=1)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Windows(np.concatenate(parts), starts)


def _of_sample(store: TokenStore, sample: int, size: int) -> Floats:
    silent = store.silent is not None and bool(store.silent[sample])
    n_tokens = min(size, store.lengths[sample]) if silent else store.lengths[sample]
    tokens = store.values[store.starts[sample] : store.starts[sample] + n_tokens]
    half = size // 2
    first = np.arange(0, max(1, len(tokens) - half), half)
    stop = np.minimum(first + size, len(tokens))
    sums = np.concatenate([np.zeros((1, tokens.shape[1])), np.cumsum(tokens, axis=0, dtype=float)])
    return unit((sums[stop] - sums[first]) / (stop - first)[:, None]).astype(np.float32)


def unit(rows: Doubles) -> Doubles:
    """Return rows scaled to length one; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Doubles = rows / np.where(lengths == 0, 1, lengths)
    return scaled


def find_landmarks(windows: Floats, n: int, seed: int) -> Floats:
    """Return the directions of `n` clusters of windows (spherical k-means), [n, width] at most.

    Written out, as scikit-learn's sums depend on the number of threads.
    """
    generator = np.random.default_rng(seed)
    some = windows
    if len(windows) > MOST_WINDOWS:
        some = windows[np.sort(generator.choice(len(windows), MOST_WINDOWS, replace=False))]
    n = min(n, len(some))
    centres = some[np.sort(generator.choice(len(some), n, replace=False))]
    for _ in range(ROUNDS):
        nearest = np.argmax(some @ centres.T, axis=1)
        order = np.argsort(nearest, kind="stable")
        there, first = np.unique(nearest[order], return_index=True)
        sums = np.add.reduceat(some[order], first, axis=0, dtype=np.float64)
        # An empty cluster keeps its centre.
        centres = centres.copy()
        centres[there] = unit(sums)
    return centres


def nearness(windows: Windows, landmarks: Floats) -> Floats:
    """Return each sample's largest cosine with every landmark, float32 [samples, landmarks]."""
    cosines = windows.values @ landmarks.T
    largest: Floats = np.maximum.reduceat(cosines, windows.starts[:-1], axis=0)
    return largest
