"""Where encoders run: device, threads, precision, and batches that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import torch

from gazeline.errors import EncoderError
from gazeline.params.features import Precision
from gazeline.params.runtime import RuntimeParams

Encode = Callable[[torch.Tensor], torch.Tensor]


def pick_device(runtime: RuntimeParams) -> torch.device:
    """Return the device asked for (auto: cuda, else mps, else cpu), set the CPU threads and keep
    fp32 on cuda exact.

    Raises:
        EncoderError: the device asked for is not there.
    """
    # On by default: convolutions called fp32 would keep 10 bits of their inputs (TF32).
    torch.backends.cudnn.allow_tf32 = False
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


def uses_bf16(device: torch.device, precision: Precision) -> bool:
    """Return whether a device calculates in bf16: `auto` does on cuda only.

    Raises:
        EncoderError: bf16 is asked for where it is not supported.
    """
    if precision == "bf16" and device.type == "mps":
        raise EncoderError(
            "bf16 is not supported on mps",
            where="params.yaml, features.*.precision",
            todo="set it to auto or fp32",
        )
    return precision == "bf16" or (precision == "auto" and device.type == "cuda")


def precision_name(bf16: bool) -> str:
    """Return the arithmetic, as recorded in shards."""
    return "bf16 autocast" if bf16 else "fp32"


@contextmanager
def inference(device: torch.device, bf16: bool) -> Iterator[None]:
    """Run a block without gradients, in bf16 where asked for."""
    lower = torch.autocast(device.type, dtype=torch.bfloat16) if bf16 else nullcontext()
    with torch.inference_mode(), lower:
        yield


def staged(batch: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Return a batch in memory from which a GPU can fetch it while the CPU goes on."""
    return batch.pin_memory() if device.type == "cuda" else batch


@dataclass
class BatchLimit:
    """The most items encoded at once after the memory did not do for more; None until then."""

    n_items: int | None = None


def encode_fitting(encode: Encode, batch: torch.Tensor, limit: BatchLimit) -> torch.Tensor:
    """Encode a batch; where the device's memory does not do, halve it, remember that and go on.

    Raises:
        EncoderError: not even one item fits.
    """
    parts: list[torch.Tensor] = []
    rest = batch
    while len(rest):
        size = min(limit.n_items or len(rest), len(rest))
        try:
            parts.append(encode(rest[:size]))
        except RuntimeError as error:
            if not _is_out_of_memory(error):
                raise
            if size == 1:
                raise EncoderError(
                    "The device's memory does not hold one item",
                    where="params.yaml, runtime.device",
                    todo="free its memory, or set runtime.device to cpu",
                ) from error
            limit.n_items = size // 2
        else:
            rest = rest[size:]
            continue
        _free_cache()
    return torch.cat(parts)


def _is_out_of_memory(error: RuntimeError) -> bool:
    """Return whether memory was short; only cuda has an error of its own for it."""
    words = str(error)
    return (
        isinstance(error, torch.OutOfMemoryError)
        or "out of memory" in words
        or ("allocate memory" in words)
    )


def _free_cache() -> None:
    torch.cuda.empty_cache()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()
