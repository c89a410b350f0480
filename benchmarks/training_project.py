"""A project at full scale, written through the real tables, for the benchmark of memory."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from gazeline.alignment.record import Alignment, CopyClock, write_alignments
from gazeline.learning.datasets.dataset import build_dataset
from gazeline.learning.datasets.request import Request
from gazeline.params.corpora import ConceptGroups
from gazeline.params.learning import TaskChoice
from gazeline.schema.annotations import FOLDS, SEGMENTS
from gazeline.schema.features import windows
from gazeline.schema.temporal import ANNOTATED
from gazeline.tables import from_rows, write_table
from gazeline.timeline.maps import Piece, TimeMap
from gazeline.timeline.rates import frame_start_s

FPS = Fraction(24000, 1001)
FRAMES = 16
N_FILMS, N_WINDOWS, N_SEGMENTS = 20, 12_000, 30
EXPERIMENT, CORPUS, ANNOTATOR = "full-scale", "made-up", "one"


def write_project(root: Path, width: int) -> None:
    """Write twenty films of 12,000 windows, their segments, and the dataset of an experiment."""
    films = tuple(f"film-{k:02}" for k in range(N_FILMS))
    segments = [_segment(film, index) for film in films for index in range(N_SEGMENTS)]
    folds = [{"fold": 1, "film_id": film, "split": _split(k)} for k, film in enumerate(films)]
    corpus = root / "data/corpora" / CORPUS
    write_table(from_rows(segments, SEGMENTS), SEGMENTS, corpus / "segments.parquet")
    write_table(from_rows(folds, FOLDS), FOLDS, corpus / "folds.parquet")
    write_table(from_rows([], ANNOTATED), ANNOTATED, corpus / "annotated.parquet")
    for number, film in enumerate(films):
        _write_film(root, film, width, number)
    choice = TaskChoice(
        task="visual",
        modalities=("video",),
        positives="specific",
        train_annotators=(ANNOTATOR,),
        test_annotators=(ANNOTATOR,),
    )
    groups = ConceptGroups(visual=("Body",), speech=("Speech",), audio=("Voice",))
    build_dataset(Request(EXPERIMENT, CORPUS, groups, choice, films), root)


def _split(number: int) -> str:
    return "test" if number < 4 else "validation" if number < 6 else "train"


def _segment(film: str, index: int) -> dict[str, Any]:
    length = N_WINDOWS // N_SEGMENTS * FRAMES
    start, stop = index * length, (index + 1) * length
    return {
        "segment_id": f"{film}/{ANNOTATOR}/{index}",
        "film_id": film,
        "annotator": ANNOTATOR,
        "start_s": frame_start_s(start, FPS),
        "end_s": frame_start_s(stop, FPS),
        "start_frame": start,
        "end_frame": stop - 1,
        "label": "S" if index % 4 == 0 else "EN",
        "concepts": ["Body"] if index % 4 == 0 else [],
        "tags": [],
        "comment": "",
        "text_released": "",
        "source_row": index,
    }


def _write_film(root: Path, film: str, width: int, seed: int) -> None:
    spec = windows("video", width)
    values = np.random.default_rng(seed).normal(size=(N_WINDOWS, width)).astype(np.float32)
    rows = [
        {
            "window": k,
            "start_s": frame_start_s(FRAMES * k, FPS),
            "end_s": frame_start_s(FRAMES * (k + 1), FPS),
            "complete": True,
            "embedding": embedding,
        }
        for k, embedding in enumerate(values)
    ]
    said = {"width": str(width), "encoder": "made-up", "weights_sha256": "0", "fps": str(FPS)}
    write_table(from_rows(rows, spec), spec, root / f"data/features/video/{film}.parquet", said)
    whole = TimeMap((Piece(0.0, 1e6, 1.0, 0.0),))
    alignment = Alignment(whole, "map", 0, None, 1.0, 1.0, "sure", "")
    clock = CopyClock(N_WINDOWS * FRAMES / float(FPS), str(FPS))
    write_alignments(root / f"data/aligned/{film}.json", film, clock, {CORPUS: alignment})
