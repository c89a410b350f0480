"""A still is the picture that is shown at its time, as a full decode gives it."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.media.pictures.frames import read_frames
from gazeline.media.pictures.geometry import PictureSpec
from gazeline.media.probing.probe import probe
from gazeline.media.stills import stills_at
from media.clips import grey_levels, write_greys

SMALL = PictureSpec(shortest_edge=48)
X264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "24", "-bf", "3")


@pytest.mark.parametrize("name", ["film.mp4", "film.mkv", "film.ts"])
def test_the_frame_shown_at_a_time_is_found(tmp_path, name):
    path = write_greys(tmp_path / name, 100, "25", "-output_ts_offset", "5", codec=X264)
    info = probe(path)
    frames = list(read_frames(info, SMALL))
    wanted = [0, 1, 23, 24, 57, 99]
    middle = [(frames[i].start_s + frames[i].end_s) / 2 for i in wanted]
    for times in (middle, [frames[i].start_s for i in wanted]):
        found = stills_at(info, times, SMALL)
        assert [still.start_s for still in found] == [frames[i].start_s for i in wanted]
        assert all(
            np.array_equal(still.pixels, frames[i].pixels)
            for still, i in zip(found, wanted, strict=True)
        )
    levels = [int(still.pixels.mean()) for still in found]
    assert levels == pytest.approx(grey_levels(100)[wanted].tolist(), abs=3)


def test_outside_the_film_there_is_no_picture(tmp_path):
    info = probe(write_greys(tmp_path / "film.mkv", 25, "25", "-output_ts_offset", "5"))
    assert stills_at(info, [1.0, 9.0], SMALL) == [None, None]


def test_a_film_of_variable_frame_rate_and_a_late_start(shared):
    for name in ("mpy_fire2.mp4", "psd_delayed_start.mp4"):
        info = probe(shared / "media" / name)
        frames = list(read_frames(info, SMALL))
        found = stills_at(info, [frames[i].end_s - 0.003 for i in (3, 12)], SMALL)
        assert [still.start_s for still in found] == [frames[3].start_s, frames[12].start_s]
