"""Stage `dataset@<experiment>`: `python stages/dataset.py EXPERIMENT`."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.learning.datasets.dataset import build_dataset
from gazeline.learning.datasets.request import Request
from gazeline.params.base import load_section, read_yaml
from gazeline.params.corpora import ConceptGroups
from gazeline.params.kinds import SHOTS, kind_of
from gazeline.params.learning import TaskChoice, load_part
from gazeline.params.temporal import ScenesParams


def main(experiment: str) -> str:
    """List what the experiment learns from; return the summary line."""
    plan = read_yaml(Path("plan.yaml"))["plan"]
    corpus = plan["experiments"][experiment]["corpus"]
    folder = f"data/corpora/{corpus}"
    request = Request(
        experiment=experiment,
        corpus=corpus,
        groups=load_section(ConceptGroups, f"corpora.{corpus}.concepts"),
        choice=load_part(TaskChoice, experiment),
        copies=tuple(
            film
            for film, entry in plan["films"].items()
            if folder in (entry["corpus_1"], entry["corpus_2"])
        ),
        scenes=load_section(ScenesParams, "scenes"),
    )
    counts = build_dataset(request).counts
    reasons = ", ".join(f"{n} {reason}" for reason, n in counts["dropped"].items())
    dropped = f" ({reasons})" if reasons else ""
    name = request.choice.task
    unit = "segments" if kind_of(name) == "classification" else "stretches of film"
    return (
        f"{counts['kept']} of {counts['in']} {'shots' if name.startswith(SHOTS) else unit}{dropped}"
    )


if __name__ == "__main__":
    run_stage(f"dataset@{sys.argv[1]}", lambda: main(sys.argv[1]))
