"""Scores per test film: where a model works and where it does not (paper Fig. 12 and 14)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gazeline.evaluation.runs import SeedScores
from gazeline.evaluation.scores import run_scores


def scores_by_film(runs: Iterable[SeedScores], classes: tuple[str, ...]) -> dict[str, Any]:
    """Return the mean over seeds of every score of each film, n, and how many are undefined.

    A score that needs both classes is undefined on a film that lacks one.
    """
    found: dict[str, list[dict[str, float]]] = {}
    sizes: dict[str, dict[str, int]] = {}
    for run in runs:
        for film in np.unique(run.film_ids):
            here = run.film_ids == film
            targets = run.targets[here]
            found.setdefault(film, []).append(run_scores(targets, run.scores[here], classes))
            sizes[film] = _sizes(targets.tolist(), classes)
    return {film: _means(found[film]) | {"n": sizes[film]} for film in sorted(found)}


def _means(runs: Sequence[dict[str, float]]) -> dict[str, Any]:
    values = {name: [r[name] for r in runs if math.isfinite(r[name])] for name in runs[0]}
    entry: dict[str, Any] = {name: float(np.mean(v)) for name, v in values.items() if v}
    undefined = {name: len(runs) - len(v) for name, v in values.items() if len(v) < len(runs)}
    return entry | ({"undefined": undefined} if undefined else {})


def _sizes(targets: Sequence[int], classes: tuple[str, ...]) -> dict[str, int]:
    of_class = Counter(targets)
    return {
        "segments": len(targets),
        **{f"of_{label}": of_class[c] for c, label in enumerate(classes)},
    }
