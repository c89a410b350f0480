"""Stage `train@<experiment>-<fold>`: `python stages/train.py EXPERIMENT FOLD`."""

from __future__ import annotations

import sys

from gazeline.console import run_stage
from gazeline.learning.training.runs import train_fold
from gazeline.params.base import load_section
from gazeline.params.learning import ModelChoice, ModelsParams, TrainingParams, load_part
from gazeline.params.runtime import RuntimeParams


def main(experiment: str, fold: int) -> str:
    """Train the seeds of a fold; return the summary line."""
    summary = train_fold(
        experiment,
        fold,
        load_part(ModelChoice, experiment),
        load_section(TrainingParams, "training"),
        load_section(ModelsParams, "models"),
        load_section(RuntimeParams, "runtime"),
    )
    n = {split: sum(counts.values()) for split, counts in summary["segments"].items()}
    unit = "segments" if summary["kind"] == "classification" else "stretches of film"
    best = ", ".join(str(seed["best_epoch"]) for seed in summary["seeds"].values())
    return (
        f"{summary['model']} of {summary['parameters']:,} parameters on {n['train']} {unit} "
        f"({n['validation']} validation, {n['test']} test), best epochs {best}"
    )


if __name__ == "__main__":
    run_stage(f"train@{sys.argv[1]}-{sys.argv[2]}", lambda: main(sys.argv[1], int(sys.argv[2])))
