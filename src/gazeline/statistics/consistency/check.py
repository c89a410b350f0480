"""Check the annotations of a corpus against what is seen, said and heard."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from gazeline.errors import StatisticsError
from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import ConsistencyParams
from gazeline.statistics.consistency.copies import Copies
from gazeline.statistics.consistency.hypotheses import Metrics
from gazeline.statistics.consistency.parts import (
    Curves,
    acoustic_part,
    speech_part,
    visual_part,
)
from gazeline.statistics.consistency.word_lists import WordLists


@dataclass(frozen=True)
class Consistency:
    """The metrics and the one-line summary of a corpus.

    Attributes:
        curves: annotator → acoustic feature → curves; empty where nothing was heard.
    """

    metrics: Metrics
    summary: str
    curves: Curves = field(default_factory=dict)


def check_consistency(
    segments: pd.DataFrame,
    texts: pd.DataFrame,
    groups: ConceptGroups,
    words: WordLists,
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
        text = _texts_of(segments, texts)
        parts["speech"] = speech_part(segments, text, groups.speech, words.categories, params)
    if copies is not None and groups.visual:
        parts["visual"] = visual_part(segments, groups.visual, words.prompts, copies, params)
    if copies is not None and groups.audio:
        parts["acoustic"] = acoustic_part(segments, groups.audio, copies, params)
    metrics: Metrics = {name: part.metrics for name, part in parts.items()}
    said = [part.summary for part in parts.values()]
    if copies is None:
        said.append("seen and heard: no film has a copy")
    n_copies = len(copies.films) if copies is not None else 0
    sizes = {"n_segments": len(segments), "n_films_with_copy": n_copies}
    curves = parts["acoustic"].curves if "acoustic" in parts else {}
    return Consistency({**metrics, **sizes}, ". ".join(said), curves)


def _texts_of(segments: pd.DataFrame, texts: pd.DataFrame) -> pd.Series[str]:
    said = segments["segment_id"].map(texts.set_index("segment_id")["text"])
    if said.isna().any():
        missing = segments.loc[said.isna(), "segment_id"]
        raise StatisticsError(
            f"{len(missing)} segments have no row of text, e.g. {missing.iloc[0]}",
            todo="run `dvc repro` to join the subtitles again",
        )
    return said
