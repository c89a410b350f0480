"""Stage `aggregate`: `python stages/aggregate.py`."""

from __future__ import annotations

from pathlib import Path

from gazeline.console import run_stage
from gazeline.evaluation.aggregate import aggregate
from gazeline.params.base import load_section, read_yaml
from gazeline.params.subset import SubsetParams


def main() -> str:
    """Score the runs of the plan; return the summary line."""
    plan = read_yaml(Path("plan.yaml"))["plan"]
    runs = [(run["experiment"], int(run["fold"])) for run in plan["runs"].values()]
    subset = load_section(SubsetParams, "subset")
    experiments = {name: entry["corpus"] for name, entry in plan["experiments"].items()}
    summary = aggregate(experiments, runs, subset.stamp())
    caption = f"; {subset.caption()}" if subset.active else ""
    return f"{summary['n_experiments']} experiments, {len(runs)} runs scored{caption}"


if __name__ == "__main__":
    run_stage("aggregate", main)
