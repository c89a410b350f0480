"""What the ledger needs to know of the project: the plan, the encoders and the other metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from gazeline.evaluation.ledger import CORPUS, Setup
from gazeline.evaluation.sources import Metrics
from gazeline.files import read_json

# The stage that writes each kind of statistics.
STATISTICS = {
    "agreement": "agreement",
    "description": "describe",
    "consistency": "consistency",
}


def setup_of(plan: Mapping[str, Any], encoders: Mapping[str, Any], *, subset: bool) -> Setup:
    """Return what there is of the paper's corpus.

    Args:
        plan: the content of `plan.yaml` below `plan`.
        encoders: the section `encoders` of `params.yaml`.
    """
    published = plan["aggregate"]["published"]
    chosen = {m: encoders.get(name, {}) for m, name in published["encoders"].items()}
    return Setup(
        corpus=published["corpus"],
        copies=published["copies"],
        experiments=frozenset(plan["experiments"]),
        left_out=plan["left_out"],
        encoders={m: str(e.get("location") or e.get("source")) for m, e in chosen.items()},
        subset=subset,
    )


def read_metrics(setup: Setup, root: Path = Path(), left_out: Collection[str] = ()) -> Metrics:
    """Return the metrics that published figures are looked up in, by the name of their file.

    Args:
        left_out: stages whose metrics are not there or out of date.

    Raises:
        TableError: a metrics file is missing or is not JSON.
    """
    found = {name: read_json(root / f"metrics/{name}.json") for name in ("summary", "comparisons")}
    for kind, stage in STATISTICS.items():
        if setup.corpus and f"{stage}@{CORPUS}" not in left_out:
            found[kind] = read_json(root / f"metrics/{kind}/{CORPUS}.json")
    return found
