"""Write all figures of the project: the summary, the comparisons, the plots and the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gazeline.evaluation.aggregate import Figures, score_runs, write_figures
from gazeline.evaluation.ledger import ledger
from gazeline.evaluation.published import load_published
from gazeline.evaluation.setting import read_metrics, setup_of
from gazeline.files import write_json
from gazeline.params.subset import SubsetParams

LEDGER = Path("metrics/ledger.json")


@dataclass(frozen=True)
class Report:
    """What was written: experiments and runs scored, and the ledger's counts."""

    n_experiments: int
    n_runs: int
    counts: Mapping[str, int]


def write_report(
    plan: Mapping[str, Any],
    params: Mapping[str, Any],
    subset: SubsetParams,
    root: Path = Path(),
    *,
    missing: Mapping[str, str] | None = None,
) -> Report:
    """Score the runs of the plan and set the ledger.

    Args:
        plan: the content of `plan.yaml` below `plan`.
        params: the content of `params.yaml`.
        missing: runs and statistics that are left out, by stage, and why; said in the summary.

    Raises:
        LearningError: a run that is not left out is missing or damaged.
        TableError: a metrics file that is not left out is missing or is not JSON.
    """
    figures = score_plan(plan, subset, root, missing=missing)
    summary = write_figures(figures, root)
    setup = setup_of(plan, params, root, subset=subset.active)
    setup = replace(setup, failed=_without_scores(plan, summary, missing or {}))
    metrics = read_metrics(setup, params, root, missing or ())
    found = ledger(load_published(), metrics, setup)
    write_json(root / LEDGER, found | subset.stamp())
    return Report(summary["n_experiments"], len(_runs(plan, missing)), found["n"])


def score_plan(
    plan: Mapping[str, Any],
    subset: SubsetParams,
    root: Path = Path(),
    *,
    missing: Mapping[str, str] | None = None,
) -> Figures:
    """Score the runs of the plan that are not left out (see `write_report`)."""
    experiments = {name: entry["corpus"] for name, entry in plan["experiments"].items()}
    return score_runs(experiments, _runs(plan, missing), subset.stamp(), root, missing=missing)


def _without_scores(
    plan: Mapping[str, Any], summary: Mapping[str, Any], missing: Mapping[str, str]
) -> dict[str, str]:
    """Return why experiments of the plan are not in the summary."""
    return {
        run["experiment"]: missing[f"train@{name}"]
        for name, run in plan["runs"].items()
        if f"train@{name}" in missing and run["experiment"] not in summary
    }


def _runs(plan: Mapping[str, Any], missing: Mapping[str, str] | None) -> list[tuple[str, int]]:
    return [
        (run["experiment"], int(run["fold"]))
        for name, run in plan["runs"].items()
        if f"train@{name}" not in (missing or {})
    ]
