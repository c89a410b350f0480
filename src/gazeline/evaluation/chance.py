"""What guessing reaches on the paper's tasks, from the annotations alone (paper Sec. 4.2).

The share of each class among the test segments of a fold, mean over folds; no copy is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gazeline.evaluation.scores import random_scores
from gazeline.learning.datasets.tasks import UNUSED, Task, make_task
from gazeline.params.corpora import ConceptGroups
from gazeline.schema.annotations import FOLDS, SEGMENTS
from gazeline.tables import read_table

# Task and modality of the models beside which the paper prints a random baseline.
QUESTIONS = (
    ("visual", "video"),
    ("speech", "text"),
    ("audio", "audio"),
    ("sure", "video"),
    ("levels", "video"),
)
# Whose labels the paper tests on (Tables 4 and 7 to 9).
ANNOTATOR = "annotator2"

Row = Mapping[str, Any]


def read_chance(folder: Path, groups: ConceptGroups) -> dict[str, Any]:
    """Return the chance of every question from the tables of a corpus (see `chance`).

    Raises:
        TableError: a table is missing or has not the promised columns.
    """
    columns = ("film_id", "annotator", "label", "concepts")
    segments = read_table(folder / "segments.parquet", SEGMENTS, columns).to_pylist()
    folds = read_table(folder / "folds.parquet", FOLDS).to_pylist()
    return {
        f"{name} on {modality}": chance(make_task(name, groups, [modality]), segments, folds)
        for name, modality in QUESTIONS
    }


def chance(task: Task, segments: Sequence[Row], folds: Sequence[Row]) -> dict[str, Any]:
    """Return the mean over folds of what guessing reaches on the test films, and n.

    Args:
        segments: rows with `film_id`, `annotator`, `label` and `concepts`.
        folds: rows with `film_id`, `fold` and `split`.
    """
    by_film: dict[str, list[int]] = {}
    for row in segments:
        if row["annotator"] == ANNOTATOR:
            target = task.target(row["label"], row["concepts"], "specific")
            by_film.setdefault(row["film_id"], []).append(target)
    scores = []
    for fold in sorted({row["fold"] for row in folds}):
        films = [r["film_id"] for r in folds if (r["fold"], r["split"]) == (fold, "test")]
        found = [t for film in films for t in by_film.get(film, []) if t != UNUSED]
        if found:
            scores.append(random_scores(np.array(found, dtype=np.int64), task.classes))
    means = {name: float(np.mean([s[name] for s in scores])) for name in (scores or [{}])[0]}
    return means | {"n": len(scores)}
