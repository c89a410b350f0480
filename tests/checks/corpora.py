"""A corpus of one film as `ingest` would leave it, with segments and cues of known times."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from gazeline.schema.annotations import CUES, FILMS, SEGMENTS
from gazeline.tables import from_rows, write_table

FILM = "f"


def write_corpus(
    folder: Path,
    segments: list[tuple[float, float]],
    cues: list[tuple[float, float, str]],
    duration_s: float,
) -> Path:
    """Write the tables of a corpus annotated at 25 frames a second."""
    films = {
        "film_id": FILM, "corpus": folder.name, "title": "Film", "year": 2000, "genres": [],
        "annotation_fps_num": 25, "annotation_fps_den": 1, "duration_s": duration_s,
    }  # fmt: skip
    rows = [
        {
            "segment_id": f"{FILM}/a/{i}", "film_id": FILM, "annotator": "a", "start_s": start,
            "end_s": end, "start_frame": round(start * 25), "end_frame": round(end * 25) - 1,
            "label": "EN", "concepts": [], "tags": [], "comment": "", "text_released": "",
            "source_row": i,
        }
        for i, (start, end) in enumerate(segments)
    ]  # fmt: skip
    lines = [
        {
            "cue_id": i, "film_id": FILM, "start_s": start, "end_s": end,
            "start_frame": round(start * 25), "end_frame": round(end * 25), "text_raw": text,
            "text": text,
        }
        for i, (start, end, text) in enumerate(cues)
    ]  # fmt: skip
    for name, spec, data in (
        ("films", FILMS, [films]),
        ("segments", SEGMENTS, rows),
        ("cues", CUES, lines),
    ):
        known = {column.name for column in spec.columns}
        frame = pd.DataFrame([{k: v for k, v in row.items() if k in known} for row in data])
        write_table(from_rows(frame.to_dict("records"), spec), spec, folder / f"{name}.parquet")
    return folder
