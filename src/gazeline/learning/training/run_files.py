"""What every run leaves beside its answers: weights by seed, and the history of the losses."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from gazeline.learning.training.fitted import Epoch

HISTORY = ("seed", "epoch", "train_loss", "validation_loss", "lr", "part")


class Kept(Protocol):
    """A model of one seed, as far as its files go."""

    @property
    def state(self) -> Mapping[str, npt.NDArray[Any]]:
        """Return the weights by name."""

    @property
    def history(self) -> Sequence[Epoch]:
        """Return the epochs."""


def write_models(folder: Path, models: Iterable[tuple[int, Kept]]) -> None:
    """Write `model-<seed>.safetensors` of each seed, and `history.csv`."""
    by_seed = list(models)
    for seed, model in by_seed:
        state = {name: np.array(value, order="C") for name, value in model.state.items()}
        (folder / f"model-{seed}.safetensors").write_bytes(save(state))
    with (folder / "history.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HISTORY)
        for seed, model in by_seed:
            for e in model.history:
                writer.writerow([seed, e.epoch, e.train_loss, e.validation_loss, e.lr, e.part])
