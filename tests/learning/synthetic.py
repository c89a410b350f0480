"""A small project written through the real tables: films, annotations, shards, alignments.

Segments lie on the frame grid at 24000/1001 fps; a cue per segment decides its concepts, and the
features of its windows, chunks and text carry that cue along one direction, with noise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from gazeline.alignment.record import Alignment, CopyClock, write_alignments
from gazeline.learning.common.manifest import Manifest
from gazeline.learning.datasets.dataset import build_dataset
from gazeline.learning.datasets.request import Request
from gazeline.learning.training.runs import train_fold
from gazeline.params.corpora import ConceptGroups
from gazeline.params.learning import (
    ModelChoice,
    ModelsParams,
    TaskChoice,
    TrainingOverrides,
    TrainingParams,
)
from gazeline.params.runtime import RuntimeParams
from gazeline.schema.annotations import FILMS, FOLDS, SEGMENTS
from gazeline.schema.features import EMPTY_TEXT, TEXT, windows
from gazeline.schema.temporal import ANNOTATED, EVENTS, SERIES, SHOTS
from gazeline.tables import from_rows, write_table
from gazeline.timeline.maps import Piece, TimeMap
from gazeline.timeline.rates import frame_start_s, inclusive_interval_s

CORPUS = "toy"
FPS = Fraction(24000, 1001)
WIDTH = 12
CHUNK_S = 2.0
GROUPS = ConceptGroups(visual=("Body", "Look"), speech=("Speech",), audio=("Voice", "Soundtrack"))
FOLD_FILMS = {1: (("f0", "f1"), ("f2",)), 2: (("f2", "f3"), ("f4",)), 3: (("f4", "f5"), ("f0",))}
CONCEPT_OF = {"video": "Body", "text": "Speech", "audio": "Soundtrack"}
PERIOD_OF = {"video": 3, "text": 4, "audio": 5}
TASK_OF = {"video": "visual", "text": "speech", "audio": "audio"}


def film_row(film: str, duration_s: float) -> dict:
    """Return the row of a film in films.parquet."""
    return {
        "film_id": film,
        "corpus": CORPUS,
        "title": film,
        "year": None,
        "genres": [],
        "annotation_fps_num": FPS.numerator,
        "annotation_fps_den": FPS.denominator,
        "duration_s": duration_s,
    }


@dataclass
class Toy:
    """What is written; change it before `write` to plant a fault or a leak."""

    films: tuple[str, ...] = ("f0", "f1", "f2", "f3", "f4", "f5")
    segments: list[dict] = field(default_factory=list)
    features: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)
    texts: dict[str, np.ndarray] = field(default_factory=dict)
    maps: dict[str, TimeMap] = field(default_factory=dict)
    annotated: list[dict] = field(default_factory=list)
    events: list[dict] = field(default_factory=list)
    shots: list[dict] = field(default_factory=list)
    series: list[dict] = field(default_factory=list)
    durations_s: dict[str, float] = field(default_factory=dict)

    def write(self, root: Path) -> Toy:
        corpus = root / "data/corpora" / CORPUS
        write_table(from_rows(self.segments, SEGMENTS), SEGMENTS, corpus / "segments.parquet")
        write_table(from_rows(fold_rows(self.films), FOLDS), FOLDS, corpus / "folds.parquet")
        for spec, rows in (
            (ANNOTATED, self.annotated),
            (EVENTS, self.events),
            (SHOTS, self.shots),
            (SERIES, self.series),
            (FILMS, [film_row(film, self.durations_s.get(film, 0.0)) for film in self.films]),
        ):
            write_table(from_rows(rows, spec), spec, corpus / Path(spec.path).name)
        for film in self.films:
            self.write_shards(film, root)
            alignment = Alignment(self.maps[film], "text", 9, None, 1.0, 0.9, "sure", "")
            copy = CopyClock(600.0, "24000/1001")
            write_alignments(root / f"data/aligned/{film}.json", film, copy, {CORPUS: alignment})
        self.write_text(root)
        return self

    def write_shards(self, film: str, root: Path) -> None:
        for modality in ("video", "audio"):
            values = self.features[modality][film]
            write_table(
                from_rows(window_rows(modality, values), windows(modality, WIDTH)),
                windows(modality, WIDTH),
                root / f"data/features/{modality}/{film}.parquet",
                metadata(modality),
            )

    def write_text(self, root: Path) -> None:
        rows = [
            {
                "segment_id": segment,
                "n_tokens": 0 if segment == EMPTY_TEXT else len(values),
                "truncated": False,
                "embedding": values.ravel(),
            }
            for segment, values in self.texts.items()
        ]
        path = root / f"data/features/text/{CORPUS}.parquet"
        write_table(from_rows(rows, TEXT), TEXT, path, metadata("text"))


def metadata(modality: str) -> dict[str, str]:
    rate = {"fps": "24000/1001"} if modality == "video" else {}
    return {"width": str(WIDTH), "encoder": "toy", "weights_sha256": "ab" * 32, **rate}


def fold_rows(films: tuple[str, ...]) -> list[dict]:
    rows = []
    for fold, (test, validation) in FOLD_FILMS.items():
        for film in films:
            split = "test" if film in test else "validation" if film in validation else "train"
            rows.append({"fold": fold, "film_id": film, "split": split})
    return rows


def window_rows(modality: str, values: np.ndarray) -> list[dict]:
    rows = []
    for index, embedding in enumerate(values):
        start, end = (
            (index * CHUNK_S, (index + 1) * CHUNK_S)
            if modality == "audio"
            else (frame_start_s(16 * index, FPS), frame_start_s(16 * index + 16, FPS))
        )
        row = {"window": index, "start_s": start, "end_s": end, "complete": True}
        rows.append({**row, "embedding": embedding.astype("<f4").tobytes()})
    return rows


def make_toy(seed: int = 0, strength: float = 1.5, n_segments: int = 12) -> Toy:
    """Return a learnable project: `strength` is the distance of the cue in noise deviations."""
    rng = np.random.default_rng(seed)
    toy = Toy()
    for film in toy.films:
        toy.maps[film] = TimeMap((Piece(0.0, 1e4, 1.0, 0.0),))
        bounds = np.cumsum([0, *rng.integers(60, 200, n_segments)])
        shape = (int(bounds[-1] // 16) + 1, WIDTH)
        chunks = (int(frame_start_s(int(bounds[-1]), FPS) / CHUNK_S) + 1, WIDTH)
        toy.features.setdefault("video", {})[film] = rng.normal(size=shape).astype(np.float32)
        toy.features.setdefault("audio", {})[film] = rng.normal(size=chunks).astype(np.float32)
        for index in range(n_segments):
            cues = {m: index % period == 0 for m, period in PERIOD_OF.items()}
            start, end = int(bounds[index]), int(bounds[index + 1]) - 1
            _plant(toy, film, (start, end), cues, strength)
            for annotator in ("annotator1", "annotator2"):
                toy.segments.append(_segment(film, annotator, index, (start, end), cues))
                text = rng.normal(size=(int(rng.integers(2, 9)), WIDTH)).astype(np.float32)
                text[:, 0] += strength * cues["text"]
                toy.texts[f"{film}/{annotator}/{index}"] = text
    toy.texts[EMPTY_TEXT] = np.zeros((4, WIDTH), dtype=np.float32)
    return toy


def _plant(toy: Toy, film: str, frames: tuple[int, int], cues: dict, strength: float) -> None:
    start_s, end_s = inclusive_interval_s(*frames, FPS)
    video = slice(frames[0] // 16 + 1, frames[1] // 16)
    audio = slice(round(start_s / CHUNK_S), round(end_s / CHUNK_S))
    toy.features["video"][film][video, 0] += strength * cues["video"]
    toy.features["audio"][film][audio, 0] += strength * cues["audio"]


def _segment(film: str, annotator: str, index: int, frames: tuple[int, int], cues: dict) -> dict:
    start_s, end_s = inclusive_interval_s(*frames, FPS)
    concepts = sorted(CONCEPT_OF[m] for m, on in cues.items() if on)
    return {
        "segment_id": f"{film}/{annotator}/{index}",
        "film_id": film,
        "annotator": annotator,
        "start_s": start_s,
        "end_s": end_s,
        "start_frame": frames[0],
        "end_frame": frames[1],
        "label": ("EN", "HN", "S")[min(len(concepts), 2)],
        "concepts": concepts,
        "tags": [],
        "comment": "",
        "text_released": "",
        "source_row": index,
    }


def request(modality: str = "video", copies: tuple[str, ...] = Toy.films, **choice) -> Request:
    """Return a request; modalities joined by + are used together, on the task `hard`."""
    both = ("annotator1", "annotator2")
    given = {
        "task": TASK_OF.get(modality, "hard"),
        "positives": "specific",
        "train_annotators": both,
        "test_annotators": both,
    }
    task = TaskChoice(modalities=tuple(modality.split("+")), **{**given, **choice})
    return Request(f"toy-{modality}", CORPUS, GROUPS, task, copies)


def dataset(root: Path, modality: str = "video", **choice) -> Manifest:
    return build_dataset(request(modality, **choice), root)


def train(
    root: Path,
    experiment: str = "toy-video",
    fold: int = 1,
    model: str = "mlp",
    **training,
) -> dict:
    given = {"seeds": (0, 1), "epochs": 15, **training}
    models = small_models()
    choice = ModelChoice(model=model, training=TrainingOverrides(**given))
    runtime = RuntimeParams(device="cpu", threads=1)
    return train_fold(experiment, fold, choice, TrainingParams(), models, runtime, root)


def small_models(**sizes) -> ModelsParams:
    attending = {"width": 16, "heads": 2, "feedforward": 32}
    return ModelsParams.model_validate(
        {
            "mlp": {"hidden": [32, 16]},
            "transformer": {**attending, "max_tokens": CAPS},
            "perceiver": {**attending, "latents": 4},
            "differential": {"segments_per_film": 12},
            **sizes,
        }
    )


CAPS = {"video": 160, "audio": 15, "text": 512}
