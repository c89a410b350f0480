"""The cues that a film brings along, as a table of texts for the text encoder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa

from gazeline.alignment.copy import examine_copy
from gazeline.alignment.sources import Dialogue, Unusable, dialogue_of
from gazeline.errors import SubtitleError
from gazeline.orchestration.sidecars import subtitles_beside
from gazeline.params.subtitles import SubtitlesParams
from gazeline.subtitles.cleaning.clean import clean
from gazeline.subtitles.cleaning.rules import rules_for
from gazeline.tables import Column, TableSpec

FILE_CUES = TableSpec(
    name="cues of a file",
    path="DIR/cues/<file>.parquet",
    row="one cue of a film that `gazeline features` read",
    columns=(
        Column("segment_id", pa.string(), "number of the cue, from 000001; as in its text shard"),
        Column("start_s", pa.float64(), "start, copy clock, seconds"),
        Column("end_s", pa.float64(), "end (exclusive), copy clock, seconds"),
        Column("text_raw", pa.string(), "text as found"),
        Column("text", pa.string(), "cleaned text, as encoded but for its case"),
    ),
    key=("segment_id",),
)


class NoCues(SubtitleError):
    """Report a film that brings no subtitles along that are text."""


@dataclass(frozen=True)
class FileCues:
    """The cues of a film, with their texts cleaned, and where they were found."""

    frame: pd.DataFrame
    source: str


def cues_of(film: Path, params: SubtitlesParams) -> FileCues:
    """Return the cues of the subtitle file beside a film, else of the first text track in it.

    Raises:
        MediaError: the film cannot be read.
        NoCues: there are none that are text.
        SubtitleError: there are several files to choose from, or one that cannot be read.
    """
    beside = _beside(film)
    reasons = []
    for found in dialogue_of(examine_copy(film), beside):
        if isinstance(found, Unusable):
            reasons.append(f"{found.source}: {found.reason}")
        else:
            return FileCues(_frame(found, params), found.source)
    raise NoCues(
        f"{film.name} has no subtitles that are text",
        where="; ".join(reasons) or str(film),
        todo=f"put a subtitle file beside it, e.g. {film.stem}.srt",
    )


def _beside(film: Path) -> Path | None:
    """Return the subtitle file beside a film; of several, the one that has just its name."""
    found = subtitles_beside(film)
    same = [path for path in found if path.stem == film.stem]
    if len(found) > 1 and len(same) != 1:
        raise SubtitleError(
            f"{len(found)} subtitle files lie beside {film.name}",
            where=", ".join(path.name for path in found),
            todo=f"call the one to take {film.stem}{found[0].suffix}",
        )
    return same[0] if same else next(iter(found), None)


def _frame(dialogue: Dialogue, params: SubtitlesParams) -> pd.DataFrame:
    raw = [cue.text for cue in dialogue.cues]
    return pd.DataFrame(
        {
            "segment_id": [f"{number:06d}" for number in range(1, len(raw) + 1)],
            "n_cues": pd.Series([1] * len(raw), dtype="int32"),
            "start_s": [cue.start_s for cue in dialogue.cues],
            "end_s": [cue.end_s for cue in dialogue.cues],
            "text_raw": raw,
            "text": list(clean(raw, rules_for(params)).texts),
        }
    )
