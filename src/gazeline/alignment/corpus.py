"""Read what a corpus knows of a film's clock."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd

from gazeline.alignment.clocks import CorpusClock
from gazeline.errors import AlignmentError
from gazeline.schema.annotations import CUES, FILMS
from gazeline.subtitles.reading.read import Cue
from gazeline.tables import read_frame


def read_corpus_clock(folder: Path, film_id: str) -> CorpusClock:
    """Read a film's cues, length and frame rate from a corpus's tables.

    Raises:
        AlignmentError: the corpus does not know the film.
        TableError: the tables are missing.
    """
    films = read_frame(folder / "films.parquet", FILMS)
    row = films[films["film_id"] == film_id]
    if row.empty:
        raise AlignmentError(
            f"Corpus {folder.name} has no film {film_id}",
            where=str(folder / "films.parquet"),
            todo=f"correct the name or the corpora of films.{film_id} in params.yaml",
        )
    cues = read_frame(folder / "cues.parquet", CUES, ["film_id", "start_s", "end_s", "text"])
    film = row.iloc[0]
    return CorpusClock(
        cues=_cues(cues[cues["film_id"] == film_id]),
        duration_s=float(film["duration_s"]),
        annotation_fps=Fraction(int(film["annotation_fps_num"]), int(film["annotation_fps_den"])),
    )


def _cues(frame: pd.DataFrame) -> tuple[Cue, ...]:
    rows = zip(frame["start_s"], frame["end_s"], frame["text"], strict=True)
    return tuple(Cue(float(start), max(float(start), float(end)), str(t)) for start, end, t in rows)
