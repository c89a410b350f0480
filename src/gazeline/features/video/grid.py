"""Cut a stream of frames into the windows of the feature grid."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from gazeline.media.pictures.frames import Frame, Pixels
from gazeline.params.features import VideoParams


@dataclass(frozen=True)
class Window:
    """Frames [index * stride, index * stride + size) of a film.

    `pixels` is uint8 of shape [size, height, width, 3]; a window that is cut short has its last
    frame repeated and is not `complete`. Times are of the frames that are really there.
    """

    index: int
    start_s: float
    end_s: float
    complete: bool
    pixels: Pixels


def windows(frames: Iterable[Frame], params: VideoParams) -> Iterator[Window]:
    """Yield windows of frames in decoding order.

    `partial: repeat` keeps the last window that has frames of its own but too few; `drop` leaves
    it out.
    """
    size, stride = params.window_frames, params.stride_frames
    held: deque[Frame] = deque()
    index = 0
    for number, frame in enumerate(frames):
        if number >= index * stride:
            held.append(frame)
        if len(held) == size:
            yield _window(index, list(held), size)
            index += 1
            for _ in range(min(stride, size)):
                held.popleft()
    new_frames = len(held) - max(0, size - stride) if index else len(held)
    if new_frames > 0 and params.partial == "repeat":
        yield _window(index, list(held), size)


def is_used(frame: int, params: VideoParams) -> bool:
    """Return whether a frame lies in any window (with a stride over the size, some do not)."""
    return frame % params.stride_frames < params.window_frames


def _window(index: int, frames: list[Frame], size: int) -> Window:
    pictures = [frame.pixels for frame in frames if frame.pixels is not None]
    padded = pictures + [pictures[-1]] * (size - len(pictures))
    return Window(
        index=index,
        start_s=frames[0].start_s,
        end_s=frames[-1].end_s,
        complete=len(frames) == size,
        pixels=np.stack(padded),
    )
