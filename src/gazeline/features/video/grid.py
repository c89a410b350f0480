"""Cut a stream of frames into the windows of the feature grid."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gazeline.media.pictures.frames import Frame, Pixels
from gazeline.params.features import VideoParams


@dataclass(frozen=True)
class Window:
    """Frames [index * stride, index * stride + size) of a film.

    `pixels` is uint8 of shape [size, height, width, 3], None for a window that was skipped; a
    window that is cut short has its last frame repeated and is not `complete`, nor is one with a
    hole between its frames. Times are of the frames that are really there.
    """

    index: int
    start_s: float
    end_s: float
    complete: bool
    pixels: Pixels | None


class Cutter:
    """Cut frames, in decoding order, into windows.

    `partial: repeat` keeps the last window that has frames of its own but too few; `drop` leaves
    it out. The first `n_skipped` windows have times but no pixels.
    """

    def __init__(self, params: VideoParams, n_skipped: int = 0) -> None:
        self._params = params
        self._n_skipped = n_skipped
        self._held: deque[Frame] = deque()
        self._n_frames = 0
        self._index = 0

    def push(self, frame: Frame) -> Window | None:
        """Take the next frame; return the window that it completes."""
        size, stride = self._params.window_frames, self._params.stride_frames
        if self._n_frames >= self._index * stride:
            self._held.append(frame)
        self._n_frames += 1
        if len(self._held) < size:
            return None
        window = self._window()
        self._index += 1
        for _ in range(min(stride, size)):
            self._held.popleft()
        return window

    def finish(self) -> Window | None:
        """Return the last window, cut short, where there is one and it is kept."""
        size, stride = self._params.window_frames, self._params.stride_frames
        old_frames = max(0, size - stride) if self._index else 0
        new = len(self._held) > old_frames
        return self._window() if new and self._params.partial == "repeat" else None

    def is_used(self, frame: int) -> bool:
        """Return whether a frame lies in any window that is not skipped."""
        return frame >= self._n_skipped * self._params.stride_frames and is_used(
            frame, self._params
        )

    def _window(self) -> Window:
        frames, size = list(self._held), self._params.window_frames
        return Window(
            index=self._index,
            start_s=frames[0].start_s,
            end_s=frames[-1].end_s,
            complete=len(frames) == size and _unbroken(frames),
            pixels=None if self._index < self._n_skipped else _stacked(frames, size),
        )


def windows(frames: Iterable[Frame], params: VideoParams) -> Iterator[Window]:
    """Yield the windows of frames."""
    cutter = Cutter(params)
    for frame in frames:
        window = cutter.push(frame)
        if window is not None:
            yield window
    last = cutter.finish()
    if last is not None:
        yield last


def is_used(frame: int, params: VideoParams) -> bool:
    """Return whether a frame lies in any window (with a stride over the size, some do not)."""
    return frame % params.stride_frames < params.window_frames


def _unbroken(frames: list[Frame]) -> bool:
    return all(frame.end_s == following.start_s for frame, following in pairwise(frames))


def _stacked(frames: list[Frame], size: int) -> Pixels:
    pictures = [frame.pixels for frame in frames if frame.pixels is not None]
    return np.stack(pictures + [pictures[-1]] * (size - len(pictures)))
