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
from gazeline.statistics.figures.description import description_figures
from gazeline.statistics.figures.style import write_figures
from gazeline.tables import read_frame


def run(corpus: str) -> str:
    """Write the metrics and figures of `corpus` and return the summary."""
    folder = Path(f"data/corpora/{corpus}")
    films = read_frame(folder / "films.parquet", FILMS)
    params = load_section(DescriptionParams, "statistics.description")
    description = describe(
        read_frame(folder / "segments.parquet", SEGMENTS),
        films,
        read_frame(folder / "folds.parquet", FOLDS),
        load_section(ConceptGroups, f"corpora.{corpus}.concepts"),
        params,
    )
    subset = load_section(SubsetParams, "subset")
    path = Path(f"metrics/description/{corpus}.json")
    write_json(path, {**description.metrics, **subset.stamp()})
    figures = description_figures(description, films, params, subset.caption())
    drawn = write_figures(Path(f"data/plots/description/{corpus}"), figures)
    return f"{description.summary}; {drawn}"


if __name__ == "__main__":
    run_stage(f"describe@{sys.argv[1]}", lambda: run(sys.argv[1]))
