"""The one place where chance and order of computation are fixed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from gazeline.errors import LearningError

# cuBLAS needs a fixed workspace to give the same sums twice; read when it starts.
CUBLAS_WORKSPACE = ":4096:8"


@contextmanager
def reproducible(seed: int) -> Iterator[torch.Generator]:
    """Seed torch's generators and allow deterministic kernels only; restore both afterwards.

    Yields:
        a generator of its own for the order of samples, so that the number of draws made by a
        model's initialisation and dropout does not change it.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", CUBLAS_WORKSPACE)
    before = torch.are_deterministic_algorithms_enabled()
    deterministic: Any = torch.utils.deterministic
    filled = deterministic.fill_uninitialized_memory
    devices = range(torch.cuda.device_count()) if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices=list(devices)):
        torch.manual_seed(seed)
        torch.use_deterministic_algorithms(True)
        # Filling every new tensor costs up to a fifth of a step; no kernel used here reads one.
        deterministic.fill_uninitialized_memory = False
        try:
            yield torch.Generator().manual_seed(seed)
        finally:
            torch.use_deterministic_algorithms(before)
            deterministic.fill_uninitialized_memory = filled


def choose_device(name: str) -> torch.device:
    """Return the device to train on; `auto` takes a GPU where there is one.

    Raises:
        LearningError: the device asked for is not there.
    """
    there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if name == "auto":
        return torch.device(next(device for device, found in there.items() if found))
    if not there[name]:
        raise LearningError(
            f"There is no {name} device here",
            where="params.yaml, runtime.device",
            todo="set runtime.device to auto or cpu",
        )
    return torch.device(name)
