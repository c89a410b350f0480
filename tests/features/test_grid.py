"""Windows are made of the frames that are there, in order."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.features.video.grid import Cutter, is_used, windows
from gazeline.media.pictures.frames import Frame
from gazeline.params.features import VideoParams


def film(n_frames: int, params: VideoParams | None = None) -> list[Frame]:
    """Return frames of 0.1 s whose pixels are their number; unused ones have none."""
    return [
        Frame(n / 10, (n + 1) / 10, np.full((2, 2, 3), n, np.uint8))
        if params is None or is_used(n, params)
        else Frame(n / 10, (n + 1) / 10, None)
        for n in range(n_frames)
    ]


def numbers(n_frames: int, size: int, stride: int, partial: str = "drop") -> list[list[int]]:
    params = VideoParams(window_frames=size, stride_frames=stride, partial=partial)
    made = list(windows(film(n_frames, params), params))
    assert [w.index for w in made] == list(range(len(made)))
    return [w.pixels[:, 0, 0, 0].tolist() for w in made]


@pytest.mark.parametrize(
    ("n_frames", "size", "stride", "expected"),
    [
        (8, 4, 4, [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (9, 4, 4, [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (7, 4, 2, [[0, 1, 2, 3], [2, 3, 4, 5]]),
        (9, 2, 3, [[0, 1], [3, 4], [6, 7]]),
        (3, 4, 4, []),
        (0, 4, 4, []),
    ],
)
def test_window_w_holds_the_frames_from_w_times_stride(n_frames, size, stride, expected):
    assert numbers(n_frames, size, stride) == expected


@pytest.mark.parametrize(
    ("n_frames", "size", "stride", "last"),
    [
        (10, 4, 4, [8, 9, 9, 9]),
        (8, 4, 4, [4, 5, 6, 7]),
        (7, 4, 2, [4, 5, 6, 6]),
        (6, 4, 2, [2, 3, 4, 5]),
        (7, 2, 3, [6, 6]),
        (3, 4, 4, [0, 1, 2, 2]),
    ],
)
def test_repeat_keeps_a_last_window_that_has_frames_of_its_own(n_frames, size, stride, last):
    assert numbers(n_frames, size, stride, "repeat")[-1] == last


def test_a_window_carries_the_times_of_its_first_and_last_frame():
    params = VideoParams(window_frames=4, stride_frames=4, partial="repeat")
    first, last = windows(film(6), params)
    assert (first.start_s, first.end_s, first.complete) == (0.0, 0.4, True)
    assert (last.start_s, last.end_s, last.complete) == (0.4, 0.6, False)


@pytest.mark.parametrize(("size", "stride"), [(4, 4), (4, 2), (2, 3)])
def test_windows_that_are_skipped_have_times_and_the_others_their_pixels(size, stride):
    params = VideoParams(window_frames=size, stride_frames=stride)
    whole = list(windows(film(15, params), params))
    cutter = Cutter(params, n_skipped=2)
    shown = [
        frame if cutter.is_used(n) else Frame(frame.start_s, frame.end_s, None)
        for n, frame in enumerate(film(15, params))
    ]
    made = [window for frame in shown if (window := cutter.push(frame)) is not None]
    assert [(w.index, w.start_s, w.end_s) for w in made] == [
        (w.index, w.start_s, w.end_s) for w in whole
    ]
    assert [w.pixels is None for w in made] == [n < 2 for n in range(len(whole))]
    assert all(np.array_equal(a.pixels, b.pixels) for a, b in zip(made[2:], whole[2:], strict=True))
