"""What the ledger needs to know of the project: the plan, the encoders and the other metrics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gazeline.evaluation.ledger import CORPUS, Setup
from gazeline.evaluation.sources import Metrics
from gazeline.files import read_json

STATISTICS = ("agreement", "description", "consistency")


def setup_of(plan: Mapping[str, Any], params: Mapping[str, Any], *, subset: bool) -> Setup:
    """Return what there is of the paper's corpus.

    Args:
        plan: the content of `plan.yaml` below `plan`.
        params: the sections `corpora` and `encoders` of `params.yaml`.
    """
    folder = f"data/corpora/{CORPUS}"
    films = plan["films"].values()
    return Setup(
        corpus=CORPUS in plan["corpora"],
        copies=any(folder in (film["corpus_1"], film["corpus_2"]) for film in films),
        experiments=frozenset(plan["experiments"]),
        left_out=plan["left_out"],
        encoders=_locations(params),
        subset=subset,
    )


def read_metrics(setup: Setup, root: Path = Path()) -> Metrics:
    """Return the metrics that published figures are looked up in, by the name of their file.

    Raises:
        TableError: a metrics file is missing or is not JSON.
    """
    found = {name: read_json(root / f"metrics/{name}.json") for name in ("summary", "comparisons")}
    if setup.corpus:
        for kind in STATISTICS:
            found[kind] = read_json(root / f"metrics/{kind}/{CORPUS}.json")
    return found


def _locations(params: Mapping[str, Any]) -> dict[str, str]:
    """Return where the encoder of each modality comes from; its source where it has no place."""
    chosen = (params.get("corpora") or {}).get(CORPUS, {}).get("encoders", {})
    entries = params.get("encoders") or {}
    places = {modality: entries.get(name, {}) for modality, name in chosen.items()}
    return {m: str(e.get("location") or e.get("source")) for m, e in places.items()}
