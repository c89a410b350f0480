"""Made-up features with the real lengths of MObyGaze's segments, for benchmarks of training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import torch

from gazeline.learning.training.features import Ints, TokenStore
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.models.inputs import Moments
from gazeline.learning.training.problem import Problem
from gazeline.params.learning import ModelName, ModelsParams, TrainingParams, TransformerParams

FRAMES_PER_WINDOW = 16
CAP = 160
SIDES = ("start", "end")
# Windows of 16 frames at a hundred even steps through MObyGaze's 6072 segments, shortest first,
# capped at 160.
# fmt: off
LENGTHS = (
    4, 6, 6, 7, 8, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 15, 15, 16, 16, 17,
    17, 18, 18, 19, 20, 21, 21, 22, 22, 23, 24, 24, 25, 26, 27, 28, 28, 29, 30, 31,
    32, 33, 34, 35, 35, 36, 38, 39, 40, 41, 42, 43, 45, 46, 48, 49, 51, 52, 54, 56,
    57, 59, 60, 62, 63, 65, 67, 69, 71, 73, 75, 78, 81, 83, 86, 89, 92, 96, 100, 103,
    107, 112, 117, 122, 127, 133, 139, 145, 153,
    160, 160, 160, 160, 160, 160, 160, 160, 160, 160, 160,
)
# fmt: on


def real_lengths(n: int, release: Path | None, seed: int) -> Ints:
    """Return the lengths of `n` segments: of the release where given, else of the stored ones."""
    known = np.array(LENGTHS)
    if release is not None:
        table = pd.read_csv(release / "mobygaze_dataframe.csv", sep=";")
        windows = (
            table["end_frame"] // FRAMES_PER_WINDOW - table["start_frame"] // FRAMES_PER_WINDOW
        )
        known = np.minimum(windows.to_numpy() + 1, CAP)
    drawn: Ints = np.random.default_rng(seed).choice(known, n).astype(np.int64)
    return drawn


def make_problem(lengths: Ints, width: int, seed: int, *, pooled: bool = False) -> Problem:
    """Return a learnable problem: 80 % of the samples train, 15 % of all are positive."""
    rng = np.random.default_rng(seed)
    n = len(lengths)
    targets = (rng.random(n) < 0.15).astype(np.int64)
    values = rng.normal(size=(int(lengths.sum()), width)).astype(np.float32)
    values[:, 0] += np.repeat(targets, lengths)
    starts = np.cumsum(lengths) - lengths
    store = TokenStore(values, starts, lengths)
    order, n_train = np.arange(n), int(0.8 * n)
    splits = {"train": order[:n_train], "validation": order[n_train:], "test": order[n_train:]}
    return Problem(
        stores={"video": store.pooled() if pooled else store},
        caps={"video": None if pooled else CAP},
        targets=targets,
        part_targets={},
        films=np.arange(n) % 20,
        splits=splits,
        classes=("negative", "positive"),
    )


def make_settings(
    model: ModelName, problem: Problem, epochs: int, dropout: float | None = None
) -> Settings:
    """Return the published settings for a number of epochs."""
    models = ModelsParams()
    if dropout is not None:
        models = ModelsParams(transformer=TransformerParams(dropout=dropout))
    width = problem.stores["video"].width
    return Settings(
        model=model,
        models=models,
        training=TrainingParams(epochs=epochs, patience=epochs),
        moments={"video": Moments.identity(width)},
        device=torch.device("cpu"),
    )
