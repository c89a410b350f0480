"""Clean the cues of a corpus and join them to its segments: `python stages/subtitles.py CORPUS`."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.files import write_json
from gazeline.params.base import load_section
from gazeline.params.subtitles import SubtitlesParams
from gazeline.schema.annotations import CUES, SEGMENT_TEXT, SEGMENTS
from gazeline.subtitles.cleaning.segment_text import segment_texts
from gazeline.tables import from_frame, read_frame, write_table

SEGMENT_COLUMNS = (
    "segment_id", "film_id", "start_s", "end_s", "start_frame", "end_frame", "text_released",
)  # fmt: skip


def main(corpus: str) -> str:
    """Write the text of every segment of `corpus` and return the summary line."""
    folder = Path("data/corpora") / corpus
    result = segment_texts(
        read_frame(folder / "segments.parquet", SEGMENTS, SEGMENT_COLUMNS),
        read_frame(folder / "cues.parquet", CUES),
        load_section(SubtitlesParams, "subtitles"),
    )
    out = Path("data/subtitles")
    write_table(from_frame(result.frame, SEGMENT_TEXT), SEGMENT_TEXT, out / f"{corpus}.parquet")
    write_json(out / f"{corpus}.json", {"corpus": corpus, **result.report})
    return " ".join(result.report["text"][:2])


if __name__ == "__main__":
    run_stage(f"subtitles@{sys.argv[1]}", lambda: main(sys.argv[1]))
