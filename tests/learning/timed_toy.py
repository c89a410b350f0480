"""A toy corpus over time: films whose video shows when something happens, and how it feels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gazeline.learning.common.manifest import Manifest
from gazeline.learning.datasets.dataset import build_dataset
from gazeline.learning.datasets.request import Request
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
from gazeline.timeline.maps import Piece, TimeMap
from learning.synthetic import CORPUS, FPS, GROUPS, WIDTH, Toy

SECONDS = 120
SCENES = ScenesParams(length_s=60.0, empty="keep")


def timed_toy(seed: int = 0, strength: float = 3.0) -> Toy:
    """Return films of two minutes with three to five events each, and series that follow them."""
    rng = np.random.default_rng(seed)
    toy = Toy()
    for film in toy.films:
        toy.maps[film] = TimeMap((Piece(0.0, 1e4, 1.0, 0.0),))
        toy.durations_s[film] = float(SECONDS)
        n = int(SECONDS * FPS / 16) + 1
        video = rng.normal(size=(n, WIDTH)).astype(np.float32)
        times = np.arange(n) * float(16 / FPS)
        mood = np.cumsum(rng.normal(size=SECONDS)) / 5
        mood = np.clip(mood - mood.mean(), -1, 1)
        video[:, 1] += strength * np.interp(times, np.arange(SECONDS), mood)
        video[:, 2] -= strength * np.interp(times, np.arange(SECONDS), mood)
        for number, start in enumerate(range(8, SECONDS - 20, 30)):
            start_s = start + float(rng.uniform(0, 8))
            end_s = start_s + float(rng.uniform(5, 12))
            video[(times > start_s) & (times < end_s), 0] += strength
            toy.events.append(event_row(film, number, start_s, end_s))
        toy.features.setdefault("video", {})[film] = video
        toy.features.setdefault("audio", {})[film] = rng.normal(size=(SECONDS // 2, WIDTH)).astype(
            np.float32
        )
        toy.annotated.append({"film_id": film, "annotator": "nicam", "label": "fear"})
        toy.series += [
            {"film_id": film, "measure": measure, "second": s, "value": sign * float(mood[s])}
            for measure, sign in (("arousal", -1), ("valence", 1))
            for s in range(SECONDS)
        ]
    return toy


def event_row(film: str, number: int, start_s: float, end_s: float, label: str = "fear") -> dict:
    return {
        "event_id": f"{film}/nicam/{label}-{number}",
        "film_id": film,
        "annotator": "nicam",
        "start_s": start_s,
        "end_s": end_s,
        "start_frame": int(start_s * 25),
        "end_frame": int(end_s * 25) - 1,
        "label": label,
        "tags": [],
        "source_row": number,
    }


def timed_dataset(root: Path, task: str, modalities=("video",), scenes=SCENES) -> Manifest:
    annotators = ("mean",) if task.startswith("seconds/") else ("nicam",)
    choice = TaskChoice(
        task=task,
        modalities=modalities,
        positives="specific",
        train_annotators=annotators,
        test_annotators=annotators,
    )
    return build_dataset(Request("toy", CORPUS, GROUPS, choice, Toy.films, scenes), root)


def train_timed_toy(root: Path, model: str, fold: int = 1, sizes=None, **training) -> dict:
    given = {"seeds": (0,), "epochs": 30, "patience": 30, "batch_size": 4, **training}
    models = ModelsParams.model_validate(
        {
            "temporal": {"width": 16, "heads": 2, "feedforward": 32},
            "actionformer": {
                "max_cells": 96,
                "width": 32,
                "heads": 2,
                "window": 9,
                "regression_ranges": [[0, 8], [8, 16], [16, 10000]],
            },
            **(sizes or {}),
        }
    )
    choice = ModelChoice(model=model, training=TrainingOverrides(**given))
    runtime = RuntimeParams(device="cpu", threads=1)
    return train_fold("toy", fold, choice, TrainingParams(), models, runtime, root)
