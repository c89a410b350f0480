"""The files of a run that every kind of task has: weights and histories."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from gazeline.learning.training.fitted import Epoch

# The splits whose answers are kept.
PREDICTED = ("validation", "test")
HISTORY = ("seed", "epoch", "train_loss", "validation_loss", "lr", "part")


def write_weights(folder: Path, seed: int, state: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write `model-<seed>.safetensors`."""
    arrays = {name: np.array(value, order="C") for name, value in state.items()}
    (folder / f"model-{seed}.safetensors").write_bytes(save(arrays))


def write_history(folder: Path, seeds: Iterable[tuple[int, Sequence[Epoch]]]) -> None:
    """Write `history.csv`, a row per seed and epoch."""
    with (folder / "history.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HISTORY)
        for seed, history in seeds:
            for e in history:
                writer.writerow([seed, e.epoch, e.train_loss, e.validation_loss, e.lr, e.part])
