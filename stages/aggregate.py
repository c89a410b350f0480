"""Stage `aggregate`: `python stages/aggregate.py`."""

from __future__ import annotations

from pathlib import Path

from gazeline.console import run_stage
from gazeline.evaluation.report import write_report
from gazeline.params.base import load_section, read_yaml
from gazeline.params.subset import SubsetParams


def main() -> str:
    """Score the runs of the plan and set the ledger; return the summary line."""
    subset = load_section(SubsetParams, "subset")
    report = write_report(read_yaml(Path("plan.yaml"))["plan"], read_yaml(), subset)
    n = report.counts
    caption = f"; {subset.caption()}" if subset.active else ""
    return (
        f"{report.n_experiments} experiments, {report.n_runs} runs scored; "
        f"{n['reproduced']} of {n['published']} published figures reproduced{caption}"
    )


if __name__ == "__main__":
    run_stage("aggregate", main)
