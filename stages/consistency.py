"""Stage `consistency@<corpus>`: the annotations against what is seen, said and heard."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.files import write_json
from gazeline.params.base import load_section, read_yaml
from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import ConsistencyParams
from gazeline.params.subset import SubsetParams
from gazeline.schema.annotations import SEGMENT_TEXT, SEGMENTS
from gazeline.statistics.consistency.check import check_consistency
from gazeline.statistics.consistency.copies import copies_in_plan
from gazeline.statistics.consistency.word_lists import read_word_lists
from gazeline.statistics.figures.consistency import consistency_figures
from gazeline.statistics.figures.style import write_figures
from gazeline.tables import read_frame

PROMPTS = Path("stages/prompts.yaml")
CATEGORIES = Path("stages/empath_categories.yaml")


def check(corpus: str) -> str:
    """Write the metrics and figures of `corpus` and return the summary."""
    params = load_section(ConsistencyParams, "statistics.consistency")
    consistency = check_consistency(
        read_frame(Path(f"data/corpora/{corpus}/segments.parquet"), SEGMENTS),
        read_frame(Path(f"data/subtitles/{corpus}.parquet"), SEGMENT_TEXT),
        load_section(ConceptGroups, f"corpora.{corpus}.concepts"),
        read_word_lists(PROMPTS, CATEGORIES),
        params,
        copies_in_plan(read_yaml(Path("plan.yaml"))["plan"], corpus),
    )
    subset = load_section(SubsetParams, "subset")
    path = Path(f"metrics/consistency/{corpus}.json")
    write_json(path, {**consistency.metrics, **subset.stamp()})
    figures = consistency_figures(consistency, params, subset.caption())
    drawn = write_figures(Path(f"data/plots/consistency/{corpus}"), figures)
    return f"{consistency.summary}; {drawn}"


if __name__ == "__main__":
    run_stage(f"consistency@{sys.argv[1]}", lambda: check(sys.argv[1]))
