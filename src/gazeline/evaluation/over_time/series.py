"""Score values per second: error and correlation of each measure, and of all on average."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gazeline.evaluation.over_time.scored import ScoredSeed
from gazeline.evaluation.scoring.affect import Pair, film_scores, series_scores
from gazeline.schema.temporal import PREDICTED_SERIES
from gazeline.tables import read_frame

MEAN_OF_TRAIN = "mean_of_train"


def series_seeds(path: Path, fold: int, about: Mapping[str, Any]) -> tuple[ScoredSeed, ...]:
    """Return the seeds of a run with their scores.

    Args:
        about: the content of run.json: `classes` are the measures, `train_means` the mean of each
            over the training seconds.

    Raises:
        ValueError: nothing is answered, or an answer is not finite.
    """
    table = read_frame(path, PREDICTED_SERIES)
    table = table[table["split"] == "test"]
    if table.empty:
        raise ValueError(f"{path.name} has no test second")
    measures = list(about["classes"])
    means = np.array([float(about["train_means"][measure]) for measure in measures])
    return tuple(
        _seed(fold, int(str(seed)), part, measures, means)
        for seed, part in table.groupby("seed", sort=True)
    )


def _seed(
    fold: int, seed: int, part: pd.DataFrame, measures: list[str], means: np.ndarray[Any, Any]
) -> ScoredSeed:
    true, answered = (np.stack(part[name].to_list()) for name in ("target", "value"))
    if true.shape[1] != len(measures) or answered.shape != true.shape:
        raise ValueError(f"an answer of seed {seed} does not have {len(measures)} values")
    if not np.isfinite(answered).all():
        raise ValueError(f"an answer of seed {seed} is not finite")
    films = part["film_id"].to_numpy(dtype=object)
    constant = np.broadcast_to(means, true.shape)
    return ScoredSeed(
        fold=fold,
        seed=seed,
        scores=_scores(films, true, answered, measures),
        films=_by_film(films, true, answered, measures),
        baselines={MEAN_OF_TRAIN: _scores(films, true, constant, measures)},
        sizes={"films": len(set(films)), "seconds": len(part)},
    )


def _pairs(films: Any, true: Any, answered: Any) -> dict[str, Pair]:
    return {film: Pair(true[films == film], answered[films == film]) for film in sorted(set(films))}


def _scores(films: Any, true: Any, answered: Any, measures: list[str]) -> dict[str, float]:
    """Return every score of every measure, and the means over measures under the bare names."""
    found = [series_scores(_pairs(films, true[:, i], answered[:, i])) for i in range(len(measures))]
    named = {
        f"{name}_{measure}": value
        for measure, scores in zip(measures, found, strict=True)
        for name, value in scores.items()
    }
    return {name: float(np.mean([s[name] for s in found])) for name in found[0]} | named


def _by_film(
    films: Any, true: Any, answered: Any, measures: list[str]
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for i, measure in enumerate(measures):
        for film, scores in film_scores(_pairs(films, true[:, i], answered[:, i])).items():
            seconds = {"seconds": scores.pop("seconds")}
            found.setdefault(film, seconds).update({f"{n}_{measure}": v for n, v in scores.items()})
    return found
