"""Check params.yaml as a whole and that plan.yaml is what it expands to."""

from pathlib import Path

from gazeline.console import run_stage
from gazeline.files import write_json
from gazeline.orchestration.plan import check_plan
from gazeline.params.whole import load_params


def check() -> str:
    """Write the same small file whenever all is well, so that nothing downstream reruns."""
    params = load_params()
    check_plan(params)
    write_json(Path("data/check.json"), {"params": "valid", "plan": "fresh"})
    return f"{len(params.corpora)} corpora, {len(params.experiments)} experiments, plan is fresh"


if __name__ == "__main__":
    run_stage("check", check)
