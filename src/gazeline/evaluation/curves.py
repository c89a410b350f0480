"""Learning and precision-recall curves of experiments, as tables for `dvc plots`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gazeline.evaluation.scores import Bools, Floats, precision_recall
from gazeline.files import atomic_path

RECALL_GRID = np.linspace(0, 1, 101)
LEARNING_COLUMNS = ("experiment", "epoch", "train_loss", "validation_loss", "runs")
PRECISION_COLUMNS = ("experiment", "recall", "precision")

Row = dict[str, Any]


def learning_curve(experiment: str, histories: Iterable[Sequence[Row]]) -> list[Row]:
    """Return the mean losses per epoch over the runs (fold and seed) that reached it.

    Args:
        histories: a sequence of rows with `epoch`, `train_loss` and `validation_loss` per run.
    """
    by_epoch: dict[int, list[Row]] = {}
    for history in histories:
        for row in history:
            by_epoch.setdefault(int(row["epoch"]), []).append(row)
    return [
        {
            "experiment": experiment,
            "epoch": epoch,
            **{
                name: float(np.mean([float(row[name]) for row in rows]))
                for name in ("train_loss", "validation_loss")
            },
            "runs": len(rows),
        }
        for epoch, rows in sorted(by_epoch.items())
    ]


def precision_at_recalls(positive: Bools, scores: Floats) -> Floats | None:
    """Return the precision where each recall of the grid is first reached; None without both."""
    if positive.all() or not positive.any():
        return None
    precision, recall = precision_recall(positive, scores)
    reached: Floats = precision[np.searchsorted(recall, RECALL_GRID - 1e-12)]
    return reached


def precision_curve(experiment: str, curves: Sequence[Floats]) -> list[Row]:
    """Return the mean precision over runs and classes at each recall of the grid."""
    if not curves:
        return []
    mean = np.mean(curves, axis=0)
    return [
        {"experiment": experiment, "recall": round(float(r), 2), "precision": float(p)}
        for r, p in zip(RECALL_GRID, mean, strict=True)
    ]


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write rows as CSV, with its header even when there are none."""
    with atomic_path(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
