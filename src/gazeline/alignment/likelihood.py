"""How much better edges of the copy fit the corpus at a given place than at a chance one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gazeline.alignment.activity import Activity, Edges
from gazeline.alignment.dialogue import Floats

Scores = npt.NDArray[np.float32]
# Edges are compared with their density over a quarter of a minute on either side, so that dense
# and sparse stretches, which all films have, say nothing: only the pattern does.
NEIGHBOURHOOD_S = 15.0
LOWEST_DENSITY = 1 / 60


@dataclass(frozen=True)
class Model:
    """How edges of the same moment agree: the share that does, and how closely, seconds.

    Subtitles linger after the words, so that the ends of speech say nothing of the exact offset.
    """

    starts: float
    ends: float
    sigma_s: float
    ends_are_exact: bool


MODELS = {"cues": Model(0.6, 0.5, 0.24, True), "speech": Model(0.6, 0.4, 0.2, False)}


@dataclass(frozen=True)
class Grid:
    """Steps of `step_s` seconds; chunks of the corpus are `chunk` steps long."""

    step_s: float
    chunk: int

    def copy_time(self, position: float) -> float:
        """Return the copy time at which a chunk at `position` begins; position 0 is before 0."""
        return (position - self.chunk) * self.step_s


def log_ratio(edges: Edges, at: Floats, share: float, sigma_s: float) -> Floats:
    """Return log P(edge here | the same moment) / P(edge here | chance) at times `at` [n].

    A share of the edges lies near an edge of `edges`, normally distributed; the others anywhere.
    """
    near = _density(edges, at, sigma_s)
    around = np.maximum(_density(edges, at, NEIGHBOURHOOD_S), LOWEST_DENSITY)
    ratio: Floats = np.log1p(share * (near / around - 1))
    return ratio


def _density(edges: Edges, at: Floats, sigma_s: float) -> Floats:
    """Return the density of edges, per second, smoothed; on a fine grid, then interpolated."""
    if len(edges) == 0 or len(at) == 0:
        return np.zeros(len(at))
    step = sigma_s / 4
    low = min(at.min(), edges.time_s[0]) - 5 * sigma_s
    count = int((max(at.max(), edges.time_s.max()) - low) / step) + 20
    where = np.rint((edges.time_s - low) / step).astype(np.int64)
    counts = np.bincount(where, weights=edges.weight, minlength=count)
    reach = np.arange(-16, 17) / 4
    bell = np.exp(-np.square(reach) / 2)
    smooth = np.convolve(counts, bell / (bell.sum() * step), mode="same")
    return np.interp(at, low + step * np.arange(len(smooth)), smooth)


def chunk_scores(corpus: Activity, copy: Activity, model: Model, grid: Grid) -> Scores:
    """Return the log likelihood ratio of every chunk at every place, shape [chunks, positions].

    Both activities are at one speed already. A chunk at position p begins at copy time
    `grid.copy_time(p)`.
    """
    n_chunks = max(1, int(np.ceil(corpus.end_s / (grid.step_s * grid.chunk))))
    n_positions = int(np.ceil(copy.end_s / grid.step_s)) + 1 + grid.chunk
    scores = np.zeros((n_chunks, n_positions), dtype=np.float32)
    pairs = ((corpus.starts, copy.starts, model.starts), (corpus.ends, copy.ends, model.ends))
    for ours, theirs, share in pairs:
        at = grid.step_s * np.arange(n_chunks * grid.chunk, dtype=np.float64)
        sigma = float(np.hypot(model.sigma_s, grid.step_s / 2))
        field = log_ratio(ours, at, share, sigma).astype(np.float32)
        where = np.rint(theirs.time_s / grid.step_s).astype(np.int64) + grid.chunk
        counts = np.bincount(where, minlength=n_positions + grid.chunk).astype(np.float32)
        shifted = np.lib.stride_tricks.sliding_window_view(counts, grid.chunk)[:n_positions]
        scores += field.reshape(n_chunks, grid.chunk) @ np.ascontiguousarray(shifted).T
    return scores
