"""The summary of all experiments as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HEADER = (
    "experiment",
    "films",
    "segments",
    "PR AUC macro",
    "random",
    "accuracy",
    "heterogeneity",
)
ABSENT = "–"


@dataclass(frozen=True)
class SummaryRow:
    """One experiment; a value that is not defined is None."""

    experiment: str
    n_films: int
    n_segments: int
    ap_macro: float | None
    ap_macro_low: float | None
    ap_macro_high: float | None
    random: float | None
    accuracy: float | None
    heterogeneity: float | None

    def cells(self) -> tuple[str, ...]:
        """Return the row as text, in the order of `HEADER`."""
        interval = ""
        if self.ap_macro_low is not None and self.ap_macro_high is not None:
            interval = f" [{self.ap_macro_low:.3f}, {self.ap_macro_high:.3f}]"
        return (
            self.experiment,
            str(self.n_films),
            str(self.n_segments),
            _shown(self.ap_macro) + interval,
            _shown(self.random),
            _shown(self.accuracy),
            _shown(self.heterogeneity),
        )


def summary_rows(summary: Mapping[str, Any]) -> list[SummaryRow]:
    """Return a row per experiment of `metrics/summary.json`, by name."""
    return [
        SummaryRow(
            experiment=name,
            n_films=entry["n"]["films"],
            n_segments=entry["n"]["segments"],
            ap_macro=_value(entry, "ap_macro", "mean"),
            ap_macro_low=_value(entry, "ap_macro", "low"),
            ap_macro_high=_value(entry, "ap_macro", "high"),
            random=_value(entry, "random", "ap_macro", "mean"),
            accuracy=_value(entry, "accuracy", "mean"),
            heterogeneity=_value(entry, "heterogeneity", "mean"),
        )
        for name, entry in sorted(summary.items())
        if isinstance(entry, Mapping) and "n" in entry and "kind" not in entry
    ]


def undefined_scores(summary: Mapping[str, Any]) -> dict[str, int]:
    """Return how many scores of runs are undefined, for each experiment that has such."""
    return {
        name: sum(entry["undefined"].values())
        for name, entry in sorted(summary.items())
        if isinstance(entry, Mapping) and "undefined" in entry
    }


def _value(entry: Any, *keys: str) -> float | None:
    for key in keys:
        entry = entry.get(key, {}) if isinstance(entry, Mapping) else {}
    return float(entry) if isinstance(entry, int | float) else None


def _shown(value: float | None) -> str:
    return ABSENT if value is None else f"{value:.3f}"
