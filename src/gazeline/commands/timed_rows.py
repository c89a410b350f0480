"""The experiments over time of the summary as rows of tables, one a kind of task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gazeline.commands.summary_rows import ABSENT

VALUES_TITLE = "Values per second on the test films, mean [interval] over folds × seeds"
VALUES_HEADER = ("experiment", "films", "seconds", "MSE", "mean of train", "Pearson r", "pooled r")
INTERVALS_TITLE = "Intervals on the test films, mean [interval] over folds × seeds"
INTERVALS_HEADER = (
    "experiment",
    "films",
    "intervals",
    "mAP at tIoU .3-.5",
    "Recall@1",
    "IoU of time",
    "all of it",
)


def value_rows(summary: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return a row per experiment of values per second, by name."""
    return [
        (
            name,
            str(entry["n"]["films"]),
            str(entry["n"]["seconds"]),
            shown(entry, "mse"),
            _mean(entry.get("mean_of_train", {}), "mse"),
            shown(entry, "pearson"),
            _mean(entry, "pooled_pearson"),
        )
        for name, entry in _of_kind(summary, "regression")
    ]


def interval_rows(summary: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return a row per experiment of intervals, by name."""
    return [
        (
            name,
            str(entry["n"]["films"]),
            str(entry["n"]["intervals"]),
            shown(entry, "map"),
            _mean(entry, "recall_1"),
            shown(entry, "iou"),
            _mean(entry.get("all", {}), "iou"),
        )
        for name, entry in _of_kind(summary, "detection")
    ]


def _of_kind(summary: Mapping[str, Any], kind: str) -> list[tuple[str, Mapping[str, Any]]]:
    return [
        (name, entry)
        for name, entry in sorted(summary.items())
        if isinstance(entry, Mapping) and entry.get("kind") == kind
    ]


def shown(entry: Mapping[str, Any], score: str) -> str:
    """Return a mean with its interval, where it has one."""
    found = entry.get(score, {})
    interval = f" [{found['low']:.3f}, {found['high']:.3f}]" if "low" in found else ""
    return _mean(entry, score) + interval


def _mean(entry: Mapping[str, Any], score: str) -> str:
    value = entry.get(score, {}).get("mean")
    return ABSENT if value is None else f"{value:.3f}"
