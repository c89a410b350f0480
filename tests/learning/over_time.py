"""The toy project with what tasks over time need: a series per second, and events."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gazeline.learning.common.manifest import Manifest
from gazeline.learning.datasets.dataset import Request, build_dataset
from gazeline.learning.training.runs import train_fold
from gazeline.params.learning import (
    ModelChoice,
    ModelsParams,
    TaskChoice,
    TrainingOverrides,
    TrainingParams,
)
from gazeline.params.runtime import RuntimeParams
from gazeline.params.temporal import ScenesParams
from gazeline.schema.annotations import FILMS, SEGMENTS
from gazeline.schema.temporal import ANNOTATED, SERIES, SHOTS
from gazeline.tables import from_rows, write_table
from learning.synthetic import CORPUS, FPS, GROUPS, WIDTH, Toy, make_toy

FILM_S = 120
STEP_S = 16 / float(FPS)
MEASURES = ("valence", "arousal")
LABEL = "violence"

Spans = dict[str, list[tuple[float, float]]]
Values = dict[str, dict[str, dict[int, float]]]


def make_films(seed: int = 0, strength: float = 2.0) -> tuple[Toy, Values, Spans]:
    """Return films whose features carry two slow values and some events, with noise."""
    rng = np.random.default_rng(seed)
    toy, values, events = make_toy(seed, n_segments=2), {}, {}
    for film in toy.films:
        n = int(FILM_S / STEP_S)
        middles = (np.arange(n) + 0.5) * STEP_S
        waves = {
            m: np.sin(2 * np.pi * (middles / period + rng.random()))
            for m, period in zip(MEASURES, (40.0, 25.0), strict=True)
        }
        starts = np.sort(rng.choice(np.arange(0, FILM_S - 20, 20), 3, replace=False))
        spans = [(float(s) + 4.0, float(s) + 4.0 + float(rng.integers(5, 12))) for s in starts]
        inside = np.any([(middles >= a) & (middles < b) for a, b in spans], axis=0)
        features = rng.normal(size=(n, WIDTH))
        features[:, 1] += strength * waves["valence"]
        features[:, 2] += strength * waves["arousal"]
        features[:, 3] += 2 * strength * inside
        toy.features["video"][film] = features.astype(np.float32)
        values[film] = {
            m: {s: float(np.interp(s + 0.5, middles, wave)) for s in range(FILM_S - 1)}
            for m, wave in waves.items()
        }
        events[film] = spans
    return toy, values, events


def write_films(root: Path, toy: Toy, values: Values, events: Spans) -> None:
    """Write the project, its series, its events and its films' lengths."""
    toy.segments = [
        _event(film, i, span) for film, spans in events.items() for i, span in enumerate(spans)
    ]
    toy.write(root)
    corpus = root / "data/corpora" / CORPUS
    series = [
        {"film_id": film, "measure": m, "second": second, "value": value}
        for film, measures in values.items()
        for m, seconds in measures.items()
        for second, value in seconds.items()
    ]
    looked = [{"film_id": f, "annotator": "consensus", "label": LABEL} for f in toy.films]
    write_table(from_rows(series, SERIES), SERIES, corpus / "series.parquet")
    write_table(from_rows([], SHOTS), SHOTS, corpus / "shots.parquet")
    write_table(from_rows(looked, ANNOTATED), ANNOTATED, corpus / "annotated.parquet")
    films = [_film(film) for film in toy.films]
    write_table(from_rows(films, FILMS), FILMS, corpus / "films.parquet")
    write_table(from_rows(toy.segments, SEGMENTS), SEGMENTS, corpus / "segments.parquet")


def _film(film: str) -> dict:
    known = {"film_id": film, "corpus": CORPUS, "title": film, "duration_s": float(FILM_S)}
    defaults = {"annotation_fps_num": FPS.numerator, "annotation_fps_den": FPS.denominator}
    return {c.name: {**defaults, **known}.get(c.name, _empty(c)) for c in FILMS.columns}


def _empty(column):
    return [] if "list" in str(column.type) else "" if str(column.type) == "string" else 0


def _event(film: str, index: int, span: tuple[float, float]) -> dict:
    return {
        "segment_id": f"{film}/consensus/{index}",
        "film_id": film,
        "annotator": "consensus",
        "start_s": span[0],
        "end_s": span[1],
        "start_frame": round(span[0] * FPS),
        "end_frame": round(span[1] * FPS) - 1,
        "label": LABEL,
        "concepts": [],
        "tags": [],
        "comment": "",
        "text_released": "",
        "source_row": index,
    }


def dataset_over_time(
    root: Path, task: str, modality: str = "video", length_s: float = 60.0, **scenes
) -> Manifest:
    who = ("mean",) if task.startswith("seconds/") else ("consensus",)
    choice = TaskChoice(
        task=task,
        modalities=tuple(modality.split("+")),
        positives="specific",
        train_annotators=who,
        test_annotators=who,
    )
    cut = ScenesParams(length_s=length_s, **scenes)
    return build_dataset(Request("timed", CORPUS, GROUPS, choice, Toy.films, cut), root)


def train_over_time(root: Path, model: str, models: dict | None = None, **training) -> dict:
    given = {"seeds": (0,), "epochs": 12, "learning_rate": 3e-3, "batch_size": 2, **training}
    sizes = {
        "temporal": {"width": 16, "layers": 1, "heads": 2, "feedforward": 32, "smoothing_s": 3.0},
        "ridge": {"penalties": [1.0, 100.0], "smoothing_s": 3.0},
        "actionformer": {"width": 16, "heads": 2, "max_cells": 128, "embedding_layers": 1,
                         "stem_layers": 1, "head_layers": 2, "window": 9},
    }  # fmt: skip
    for name, of_model in (models or {}).items():
        sizes[name].update(of_model)
    choice = ModelChoice(model=model, training=TrainingOverrides(**given))
    params = ModelsParams.model_validate(sizes)
    runtime = RuntimeParams(device="cpu", threads=1)
    return train_fold("timed", 1, choice, TrainingParams(), params, runtime, root)
