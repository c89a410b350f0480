"""Turn one pass over a film's frames into batches of windows for every encoder."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from gazeline.features.common.shards import Times
from gazeline.features.video.encoder import VideoEncoder
from gazeline.features.video.grid import Cutter, Window
from gazeline.media.pictures.frames import Frame, View
from gazeline.params.features import VideoParams


@dataclass(frozen=True)
class Batch:
    """Windows on end for one encoder, given by its number; `pixels` is None if they are skipped."""

    encoder: int
    times: tuple[Times, ...]
    pixels: torch.Tensor | None


class Collector:
    """Collect the windows of one encoder, of which the first `n_skipped` are encoded already."""

    def __init__(
        self,
        number: int,
        encoder: VideoEncoder,
        params: VideoParams,
        n_skipped: int,
        batch_size: int,
    ) -> None:
        self._number = number
        self._encoder = encoder
        self._batch_size = batch_size
        self._n_skipped = n_skipped
        self._cutter = Cutter(params, n_skipped)
        self._held: list[Window] = []

    @property
    def view(self) -> View:
        """Return which frames the encoder needs, and how."""
        return View(self._encoder.input.picture, self._cutter.is_used)

    def push(self, frame: Frame) -> Batch | None:
        """Take the next frame; return the batch that it completes."""
        window = self._cutter.push(frame)
        if window is None:
            return None
        self._held.append(window)
        full = len(self._held) == self._batch_size or window.index + 1 == self._n_skipped
        return self._batch() if full else None

    def finish(self) -> Batch | None:
        """Return the last batch, with the last window if it is kept."""
        last = self._cutter.finish()
        self._held += [] if last is None else [last]
        return self._batch() if self._held else None

    def _batch(self) -> Batch:
        windows, self._held = self._held, []
        times = tuple(Times(w.index, w.start_s, w.end_s, w.complete) for w in windows)
        pixels = [w.pixels for w in windows if w.pixels is not None]
        staged = self._encoder.stage(np.stack(pixels)) if pixels else None
        return Batch(self._number, times, staged)


def batches(
    frames: Iterable[tuple[Frame, ...]], collectors: Sequence[Collector]
) -> Generator[Batch, None, None]:
    """Yield the batches of all encoders as the frames, one per encoder each time, come in."""
    for shown in frames:
        for collector, frame in zip(collectors, shown, strict=True):
            batch = collector.push(frame)
            if batch is not None:
                yield batch
    for collector in collectors:
        batch = collector.finish()
        if batch is not None:
            yield batch
