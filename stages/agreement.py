"""Stage `agreement@<corpus>`: agreement of the annotators of a corpus."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.files import write_json
from gazeline.params.base import load_section
from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import AgreementParams
from gazeline.params.subset import SubsetParams
from gazeline.schema.annotations import SEGMENTS
from gazeline.statistics.agreement.measure import measure_agreement
from gazeline.statistics.annotations import ANNOTATION_COLUMNS, from_segments
from gazeline.statistics.figures.agreement import agreement_figures
from gazeline.statistics.figures.style import write_figures
from gazeline.tables import read_frame


def measure(corpus: str) -> str:
    """Write the metrics and figures of `corpus` and return the summary."""
    params = load_section(AgreementParams, "statistics.agreement")
    concepts = load_section(ConceptGroups, f"corpora.{corpus}.concepts")
    subset = load_section(SubsetParams, "subset")
    path = Path(f"data/corpora/{corpus}/segments.parquet")
    segments = read_frame(path, SEGMENTS, ANNOTATION_COLUMNS)
    names = (*concepts.visual, *concepts.speech, *concepts.audio)
    annotations = from_segments(segments, names)
    agreement = measure_agreement(annotations, params)
    write_json(Path(f"metrics/agreement/{corpus}.json"), {**agreement.metrics, **subset.stamp()})
    figures = agreement_figures(annotations, agreement.metrics, params, subset.caption())
    drawn = write_figures(Path(f"data/plots/agreement/{corpus}"), figures)
    return f"{agreement.summary}; {drawn}"


if __name__ == "__main__":
    run_stage(f"agreement@{sys.argv[1]}", lambda: measure(sys.argv[1]))
