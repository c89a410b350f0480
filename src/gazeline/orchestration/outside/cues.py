"""The cues that a film brings along, as a table of texts for the text encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa

from gazeline.alignment.copy import examine_copy
from gazeline.errors import GazelineError, SubtitleError
from gazeline.orchestration.sidecars import subtitles_beside
from gazeline.params.subtitles import SubtitlesParams
from gazeline.subtitles.cleaning.clean import clean
from gazeline.subtitles.cleaning.rules import rules_for
from gazeline.subtitles.reading.read import Cue, SubtitleFile, read_subtitles
from gazeline.subtitles.tracks.choose import Choice, ReadTrack, choose_track
from gazeline.subtitles.tracks.container import read_tracks
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
    """Return the cues of the subtitle file beside a film, else of the text track chosen in it.

    Raises:
        MediaError: the film cannot be read.
        NoCues: there are none that are text.
        SubtitleError: there are several files to choose from, or one that cannot be read.
    """
    beside = _beside(film)
    if beside is not None:
        return _cues(read_subtitles(beside, fps=examine_copy(film).fps), beside.name, params)
    choice = _chosen(film)
    stream = choice.track.stream
    return _cues(
        choice.track.file,
        f"the embedded subtitles (stream {stream.index}, {choice.reason})",
        params,
    )


def _chosen(film: Path) -> Choice:
    """Choose among the text tracks of a film as `gazeline subtitles` does."""
    tracks = read_tracks(film)
    usable = [track for track in tracks if isinstance(track, ReadTrack) and track.file.cues]
    if usable:
        return choose_track(usable)
    reasons = [track.what for track in tracks if isinstance(track, GazelineError)]
    raise _without(film, "; ".join(reasons))


def _cues(file: SubtitleFile, source: str, params: SubtitlesParams) -> FileCues:
    if not file.cues:
        raise SubtitleError(f"{source} has no usable cue", where=file.report())
    return FileCues(_frame(file.cues, params), source)


def _without(film: Path, reasons: str) -> NoCues:
    return NoCues(
        f"{film.name} has no subtitles that are text",
        where=reasons or str(film),
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


def _frame(cues: Sequence[Cue], params: SubtitlesParams) -> pd.DataFrame:
    raw = [cue.text for cue in cues]
    return pd.DataFrame(
        {
            "segment_id": [f"{number:06d}" for number in range(1, len(raw) + 1)],
            "n_cues": pd.Series([1] * len(raw), dtype="int32"),
            "start_s": [cue.start_s for cue in cues],
            "end_s": [cue.end_s for cue in cues],
            "text_raw": raw,
            "text": list(clean(raw, rules_for(params)).texts),
        }
    )
