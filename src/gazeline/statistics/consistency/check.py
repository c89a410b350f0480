"""Check the annotations of a corpus against what is seen, said and heard."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from gazeline.errors import StatisticsError
from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import ConsistencyParams
from gazeline.statistics.consistency.copies import Copies
from gazeline.statistics.consistency.hypotheses import Metrics
from gazeline.statistics.consistency.parts import acoustic_part, speech_part, visual_part


@dataclass(frozen=True)
class Consistency:
    """The metrics and the one-line summary of a corpus."""

    metrics: Metrics
    summary: str


def check_consistency(
    segments: pd.DataFrame,
    texts: pd.DataFrame,
    groups: ConceptGroups,
    params: ConsistencyParams,
    copies: Copies | None,
) -> Consistency:
    """Run the parts that the corpus has concepts and copies for.

    Args:
        segments, texts: tables as `ingest` and `subtitles` write them.
        copies: None where no film of the corpus has one; then only what is said is checked.

    Raises:
        StatisticsError: a segment has no row of text.
    """
    segments = segments.sort_values("segment_id").reset_index(drop=True)
    parts = {}
    if groups.speech:
        said = _texts_of(segments, texts)
        parts["speech"] = speech_part(segments, said, groups.speech, params)
    if copies is not None and groups.visual:
        parts["visual"] = visual_part(segments, groups.visual, copies, params)
    if copies is not None and groups.audio:
        parts["acoustic"] = acoustic_part(segments, groups.audio, copies, params)
    metrics: Metrics = {name: part.metrics for name, part in parts.items()}
    words = [part.summary for part in parts.values()]
    if copies is None:
        words.append("seen and heard: no film has a copy")
    n_copies = len(copies.films) if copies is not None else 0
    sizes = {"n_segments": len(segments), "n_films_with_copy": n_copies}
    return Consistency({**metrics, **sizes}, ". ".join(words))


def _texts_of(segments: pd.DataFrame, texts: pd.DataFrame) -> pd.Series[str]:
    said = segments["segment_id"].map(texts.set_index("segment_id")["text"])
    if said.isna().any():
        missing = segments.loc[said.isna(), "segment_id"]
        raise StatisticsError(
            f"{len(missing)} segments have no row of text, e.g. {missing.iloc[0]}",
            todo="run `dvc repro` to join the subtitles again",
        )
    return said
