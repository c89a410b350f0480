"""How each model of a task over time is fitted, by the kind of task and its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from gazeline.console import progress
from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.cellwise.logistic import fit_logistic
from gazeline.learning.training.cellwise.ridge import fit_ridge
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.learnt import Fit, FitIntervals, FitSeries, Learnt
from gazeline.learning.training.transformers_over_cells import fit_marks, fit_values

A = TypeVar("A")


def in_turn(fit: Callable[[Stretches, Settings, int, str], Learnt[A]]) -> Fit[A]:
    """Return a fit that takes the seeds in turn."""

    def fit_all(
        stretches: Stretches, settings: Settings, seeds: Sequence[int], where: str
    ) -> list[Learnt[A]]:
        shown = progress(seeds, total=len(seeds), label=where, unit="seed")
        return [fit(stretches, settings, seed, where) for seed in shown]

    return fit_all


REGRESSIONS: dict[str, FitSeries] = {"temporal": in_turn(fit_values), "ridge": fit_ridge}
DETECTIONS: dict[str, FitIntervals] = {"temporal": in_turn(fit_marks), "ridge": fit_logistic}
