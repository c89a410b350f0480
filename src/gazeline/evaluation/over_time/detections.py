"""Score intervals: mAP and recall of what is ranked, and shared time of what is decided."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gazeline.evaluation.detection import Spans, detection_scores
from gazeline.evaluation.over_time.scored import ScoredSeed
from gazeline.evaluation.scoring.spans import common, intersection_over_union, length_s, union
from gazeline.schema.temporal import DETECTIONS
from gazeline.tables import read_frame

TRUE = -1
# The thresholds of the paper's Table 20.
TIOUS = (0.3, 0.4, 0.5)
KS = (1, 5)
ALL, NONE, RANDOM = "all", "none", "random"

Stretch = tuple[str, float, float]
Stretches = Mapping[str, Stretch]


def detection_seeds(path: Path, fold: int, about: Mapping[str, Any]) -> tuple[ScoredSeed, ...]:
    """Return the seeds of a run with their scores.

    Args:
        about: the content of run.json: `classes`, `seeds`, and under `stretches` and `test` film,
            start and end of every stretch that was to be answered.

    Raises:
        ValueError: there is no test stretch, or a score is not finite.
    """
    table = read_frame(path, DETECTIONS)
    table = table[table["split"] == "test"]
    stretches = {k: (str(v[0]), float(v[1]), float(v[2])) for k, v in
                 about["stretches"]["test"].items()}  # fmt: skip
    if not stretches:
        raise ValueError(f"{path.name} has no test stretch")
    if not np.isfinite(table[["start_s", "end_s", "score"]].to_numpy()).all():
        raise ValueError(f"{path.name} has a number that is not finite")
    true = table[(table["seed"] == TRUE) & (table["target"] >= 0)]
    classes = list(about["classes"])
    return tuple(
        _seed(fold, int(seed), true, table[table["seed"] == int(seed)], stretches, classes)
        for seed in sorted(about["seeds"], key=int)
    )


def _seed(
    fold: int,
    seed: int,
    true: pd.DataFrame,
    found: pd.DataFrame,
    stretches: Stretches,
    classes: Sequence[str],
) -> ScoredSeed:
    films = sorted({film for film, _, _ in stretches.values()})
    everything = _everything(stretches, len(classes))
    nothing = found.iloc[:0]
    return ScoredSeed(
        fold=fold,
        seed=seed,
        scores=_scores(true, found, stretches, classes),
        films={
            film: _scores(
                true[true["film_id"] == film],
                found[found["film_id"] == film],
                {k: v for k, v in stretches.items() if v[0] == film},
                classes,
            )
            for film in films
        },
        baselines={
            ALL: _scores(true, everything, stretches, classes),
            NONE: _scores(true, nothing, stretches, classes),
            RANDOM: _scores(true, _guessed(true, stretches), stretches, classes),
        },
        sizes={"films": len(films), "stretches": len(stretches), "intervals": len(true)},
    )


def _everything(stretches: Stretches, n_classes: int) -> pd.DataFrame:
    """Return every stretch as one interval of every class, decided for."""
    return pd.DataFrame(
        [
            {"segment_id": name, "film_id": film, "start_s": start, "end_s": end, "target": c,
             "score": 1.0, "decided": True}
            for name, (film, start, end) in sorted(stretches.items())
            for c in range(n_classes)
        ]
    )  # fmt: skip


def _guessed(true: pd.DataFrame, stretches: Stretches) -> pd.DataFrame:
    """Return as many intervals as there are true ones, of their lengths, anywhere; always alike.

    Lengths and classes are those of the true intervals; stretches are drawn by their length.
    """
    rng = np.random.default_rng(0)
    names = sorted(stretches)
    lengths = np.array([stretches[name][2] - stretches[name][1] for name in names])
    rows = []
    for start, end, target in true[["start_s", "end_s", "target"]].itertuples(index=False):
        name = names[int(rng.choice(len(names), p=lengths / lengths.sum()))]
        film, first, last = stretches[name]
        length = min(end - start, last - first)
        begin = float(rng.uniform(first, last - length))
        rows.append((name, film, begin, begin + length, int(target), float(rng.random()), True))
    columns = ["segment_id", "film_id", "start_s", "end_s", "target", "score", "decided"]
    return pd.DataFrame(rows, columns=columns)


def _scores(
    true: pd.DataFrame, found: pd.DataFrame, stretches: Stretches, classes: Sequence[str]
) -> dict[str, float]:
    numbers = {name: index for index, name in enumerate(sorted(stretches))}
    every = range(len(classes))
    ranked = detection_scores(
        [_spans(true, numbers, c) for c in every],
        [_spans(found, numbers, c) for c in every],
        classes,
        TIOUS,
        KS,
    )
    decided = found[found["decided"].astype(bool)] if len(found) else found
    return ranked | _shared_time(true, decided, stretches, len(classes))


def _spans(table: pd.DataFrame, numbers: Mapping[str, int], target: int) -> Spans:
    rows = table[table["target"] == target]
    return Spans(
        np.array([numbers[name] for name in rows["segment_id"]], dtype=np.int64),
        rows[["start_s", "end_s"]].to_numpy(dtype=np.float64).reshape(-1, 2),
        rows["score"].to_numpy(dtype=np.float64),
    )


def _shared_time(
    true: pd.DataFrame, decided: pd.DataFrame, stretches: Stretches, n_classes: int
) -> dict[str, float]:
    """Return `iou` (mean over films), `pooled_iou`, and the share of time decided for.

    With several classes, each is taken apart and then their mean. Films without any true or
    decided time score 1.
    """
    films = sorted({film for film, _, _ in stretches.values()})
    of_films, pooled = [], []
    for c in range(n_classes):
        ours = {film: _union(true, film, c) for film in films}
        theirs = {film: _union(decided, film, c) for film in films}
        of_films += [intersection_over_union(ours[film], theirs[film]) for film in films]
        both = sum(length_s(common(ours[film], theirs[film])) for film in films)
        either = sum(length_s(ours[film]) + length_s(theirs[film]) for film in films) - both
        pooled.append(both / either if either else 1.0)
    total = sum(end - start for _, start, end in stretches.values())
    called = sum(length_s(_union(decided, film, None)) for film in films)
    return {
        "iou": float(np.mean(of_films)),
        "pooled_iou": float(np.mean(pooled)),
        "share_decided": called / total if total else math.nan,
    }


def _union(table: pd.DataFrame, film: str, target: int | None) -> tuple[tuple[float, float], ...]:
    rows = table[table["film_id"] == film] if len(table) else table
    if target is not None and len(rows):
        rows = rows[rows["target"] == target]
    return union(zip(rows["start_s"], rows["end_s"], strict=True)) if len(rows) else ()
