"""Where encoders run: device, threads, precision, and batches that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from gazeline.errors import EncoderError
from gazeline.params.runtime import RuntimeParams

Encode = Callable[[torch.Tensor], torch.Tensor]


def pick_device(runtime: RuntimeParams) -> torch.device:
    """Return the device asked for (auto: cuda, else mps, else cpu) and set the CPU threads.

    Raises:
        EncoderError: the device asked for is not there.
    """
    if runtime.threads:
        torch.set_num_threads(runtime.threads)
    there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if runtime.device == "auto":
        return torch.device(next(name for name, found in there.items() if found))
    if not there[runtime.device]:
        raise EncoderError(
            f"There is no {runtime.device} device here",
            where="params.yaml, runtime.device",
            todo="set runtime.device to auto or cpu",
        )
    return torch.device(runtime.device)


def precision(device: torch.device) -> str:
    """Return the arithmetic used on a device, as recorded in shards."""
    return "bf16 autocast" if device.type == "cuda" else "fp32"


@contextmanager
def inference(device: torch.device) -> Iterator[None]:
    """Run a block without gradients, in bf16 where the device is a GPU that gains by it."""
    bf16 = torch.autocast("cuda", dtype=torch.bfloat16, enabled=device.type == "cuda")
    with torch.inference_mode(), bf16:
        yield


def encode_fitting(encode: Encode, batch: torch.Tensor) -> torch.Tensor:
    """Encode a batch; where the GPU's memory does not do, halve it and go on.

    Raises:
        EncoderError: not even one item fits.
    """
    try:
        return encode(batch)
    except torch.OutOfMemoryError as error:
        if len(batch) == 1:
            raise EncoderError(
                "The GPU's memory does not hold one item",
                where="params.yaml, runtime.device",
                todo="free the GPU's memory, or set runtime.device to cpu",
            ) from error
    torch.cuda.empty_cache()
    half = len(batch) // 2
    return torch.cat([encode_fitting(encode, part) for part in (batch[:half], batch[half:])])
