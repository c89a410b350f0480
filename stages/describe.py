"""Stage `describe@<corpus>`: the labels and concepts of a corpus."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.files import write_json
from gazeline.params.base import load_section
from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import DescriptionParams
from gazeline.params.subset import SubsetParams
from gazeline.schema.annotations import FILMS, FOLDS, SEGMENTS
from gazeline.statistics.description.describe import describe
from gazeline.tables import read_frame


def run(corpus: str) -> str:
    """Write `metrics/description/<corpus>.json` and return the summary."""
    folder = Path(f"data/corpora/{corpus}")
    description = describe(
        read_frame(folder / "segments.parquet", SEGMENTS),
        read_frame(folder / "films.parquet", FILMS),
        read_frame(folder / "folds.parquet", FOLDS),
        load_section(ConceptGroups, f"corpora.{corpus}.concepts"),
        load_section(DescriptionParams, "statistics.description"),
    )
    subset = load_section(SubsetParams, "subset")
    path = Path(f"metrics/description/{corpus}.json")
    write_json(path, {**description.metrics, **subset.stamp()})
    return description.summary


if __name__ == "__main__":
    run_stage(f"describe@{sys.argv[1]}", lambda: run(sys.argv[1]))
