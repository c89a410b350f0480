"""Turn one pass over a film's sound into batches of chunks."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch

from gazeline.features.audio.encoder import AudioEncoder
from gazeline.features.audio.fbank import FRAME
from gazeline.features.common.shards import Times
from gazeline.media.sounds.sound import RATE, Samples


@dataclass(frozen=True)
class Batch:
    """Chunks on end; `banks` is None where they have been encoded before."""

    times: tuple[Times, ...]
    banks: torch.Tensor | None


def batches(
    blocks: Iterable[Samples],
    encoder: AudioEncoder,
    chunk_samples: int,
    batch_size: int,
    n_skipped: int,
) -> Generator[Batch, None, None]:
    """Yield batches of chunks, of which the first `n_skipped` need not be encoded again."""
    times: list[Times] = []
    held: list[Samples] = []
    for index, chunk in enumerate(chunks(blocks, chunk_samples)):
        start = index * chunk_samples
        complete = len(chunk) == chunk_samples
        times.append(Times(index, start / RATE, (start + len(chunk)) / RATE, complete))
        held += [chunk] if index >= n_skipped else []
        if len(times) == batch_size or index + 1 == n_skipped:
            yield Batch(tuple(times), encoder.stage(held) if held else None)
            times, held = [], []
    if times:
        yield Batch(tuple(times), encoder.stage(held) if held else None)


def chunks(blocks: Iterable[Samples], chunk_samples: int) -> Iterator[Samples]:
    """Cut sound into chunks of one length; the last may be shorter, but not under 25 ms."""
    rest: Samples = np.zeros(0, np.float32)
    for block in blocks:
        held = np.concatenate([rest, block])
        whole = len(held) - len(held) % chunk_samples
        for start in range(0, whole, chunk_samples):
            yield held[start : start + chunk_samples]
        rest = held[whole:]
    if len(rest) >= FRAME:
        yield rest
