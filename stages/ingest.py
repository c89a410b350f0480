"""Translate one release into the canonical tables: `python stages/ingest.py CORPUS`."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.corpora.ingest import ingest
from gazeline.params.base import load_section, read_yaml
from gazeline.params.corpora import IngestParams
from gazeline.params.subset import SubsetParams


def main(corpus: str) -> str:
    """Ingest `corpus` and return the summary line."""
    entry = read_yaml(Path("plan.yaml"))["plan"]["corpora"][corpus]
    subset = load_section(SubsetParams, "subset")
    report = ingest(
        corpus,
        Path(entry["release"]),
        load_section(IngestParams, f"corpora.{corpus}"),
        subset,
        Path("data/corpora") / corpus,
    )
    kept, odd = report["kept"], sum(bool(q["count"]) for q in report["quirks"].values())
    caption = f" [{subset.caption()}]" if subset.active else ""
    return (
        f"{kept['films']} films, {kept['segments']} segments, {kept['cues']} cues; "
        f"{odd} kinds of quirks, see audit.md{caption}"
    )


if __name__ == "__main__":
    run_stage(f"ingest@{sys.argv[1]}", lambda: main(sys.argv[1]))
