"""From which score on to decide for a class: the one that serves the validation films best."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float32] | npt.NDArray[np.float64]
NEVER = 1.0 + 1e-6


def best_threshold(scores: Scores, truth: Scores) -> float:
    """Return the threshold with the largest intersection over union of decided and true cells.

    Cells from the threshold on are decided. It lies halfway to the next lower score; of equally
    good ones the highest is taken. Without a true cell nothing is ever decided.

    Args:
        scores: of cells, shape [n].
        truth: 0 or 1, shape [n].
    """
    positive = truth > 0
    if not positive.any():
        return NEVER
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order].astype(np.float64)
    hits = np.cumsum(positive[order])
    unions = positive.sum() + np.arange(1, len(order) + 1) - hits
    last_of_tie = np.append(ranked[1:] < ranked[:-1], True)
    shares = np.where(last_of_tie, hits / unions, -1.0)
    best = int(np.argmax(shares))
    below = ranked[best + 1] if best + 1 < len(ranked) else ranked[best]
    return float((ranked[best] + below) / 2)
