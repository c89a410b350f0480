"""Stage `aggregate`: `python stages/aggregate.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gazeline.console import run_stage
from gazeline.evaluation.aggregate import aggregate
from gazeline.evaluation.ledger import ledger
from gazeline.evaluation.published import load_published
from gazeline.evaluation.setting import read_metrics, setup_of
from gazeline.files import write_json
from gazeline.params.base import load_section, read_yaml
from gazeline.params.subset import SubsetParams

LEDGER = Path("metrics/ledger.json")


def main() -> str:
    """Score the runs of the plan and set the ledger; return the summary line."""
    plan = read_yaml(Path("plan.yaml"))["plan"]
    runs = [(run["experiment"], int(run["fold"])) for run in plan["runs"].values()]
    subset = load_section(SubsetParams, "subset")
    experiments = {name: entry["corpus"] for name, entry in plan["experiments"].items()}
    summary = aggregate(experiments, runs, subset.stamp())
    setup = setup_of(plan, read_yaml().get("encoders") or {}, subset=subset.active)
    found: dict[str, Any] = ledger(load_published(), read_metrics(setup), setup)
    write_json(LEDGER, found | subset.stamp())
    n = found["n"]
    caption = f"; {subset.caption()}" if subset.active else ""
    return (
        f"{summary['n_experiments']} experiments, {len(runs)} runs scored; "
        f"{n['reproduced']} of {n['published']} published figures reproduced{caption}"
    )


if __name__ == "__main__":
    run_stage("aggregate", main)
