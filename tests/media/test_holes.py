"""Damage in the picture is told from frames that are shown for long, and counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gazeline.errors import MediaError
from gazeline.features.video.grid import windows
from gazeline.media.inspecting.inspect import inspect
from gazeline.media.pictures.frames import DecodeCounts, Frame, read_frames
from gazeline.media.pictures.geometry import PictureSpec
from gazeline.media.probing.probe import probe
from gazeline.params.features import VideoParams
from media.clips import ffmpeg, write_pictures

SMALL = PictureSpec(shortest_edge=32)
H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25")


@pytest.fixture(scope="module")
def noise() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (250, 48, 64, 3), np.uint8)


def with_zeros(path: Path, start: float = 0.4, end: float = 0.7) -> Path:
    data = bytearray(path.read_bytes())
    first, last = int(len(data) * start), int(len(data) * end)
    data[first:last] = bytes(last - first)
    path.write_bytes(data)
    return path


def read(path: Path) -> tuple[list[Frame], DecodeCounts]:
    counts = DecodeCounts()
    return list(read_frames(probe(path), SMALL, counts=counts)), counts


def check(path: Path, counts: DecodeCounts) -> None:
    info = probe(path)
    counts.covered(info.start_s, info.video.duration_s or info.end_s).check(path, 0.9, "THE_KEY")


@pytest.mark.parametrize("kind", ["mkv", "mp4"])
def test_a_hole_is_named_counted_and_marks_its_window(tmp_path, noise, kind):
    faststart = ("-movflags", "+faststart") if kind == "mp4" else ()
    path = with_zeros(write_pictures(tmp_path / f"f.{kind}", noise, "25", *faststart, codec=H264))
    frames, counts = read(path)
    assert len(counts.holes) == 1
    (start, end) = counts.holes[0]
    assert 3 < start < 5
    assert end - start > 2
    assert counts.missing_s == pytest.approx((250 - len(frames)) / 25, abs=0.05)
    params = VideoParams(window_frames=16, stride_frames=16, partial="drop")
    across = [w for w in windows(frames, params) if w.start_s < start and w.end_s > end]
    assert [w.complete for w in across] == [False]
    others = [w for w in windows(frames, params) if w.index != across[0].index]
    assert all(w.complete for w in others)
    with pytest.raises(MediaError, match="Only .* of 10.0 s .* decode in order") as caught:
        check(path, counts)
    assert "THE_KEY" in caught.value.todo
    assert f"no picture from {start:.1f} to {end:.1f} s" in inspect(path).problems


@pytest.mark.parametrize("kind", ["mkv", "mp4"])
def test_long_frames_of_a_variable_rate_are_no_holes(tmp_path, noise, kind):
    whole = write_pictures(tmp_path / "whole.mkv", noise, "25", codec=H264)
    path = tmp_path / f"slides.{kind}"
    picked = "select='lt(n,50)+eq(n,60)+gt(n,200)'"
    ffmpeg("-i", whole, "-vf", picked, "-fps_mode", "vfr", *H264, path)
    frames, counts = read(path)
    assert max(f.end_s - f.start_s for f in frames) == pytest.approx(5.64, abs=0.002)
    assert counts.holes == []
    check(path, counts)


def test_parts_joined_without_a_new_clock_are_refused_with_the_way_out(tmp_path, noise):
    part = write_pictures(tmp_path / "part.ts", noise[:100], "25", codec=H264)
    path = tmp_path / "film.ts"
    path.write_bytes(part.read_bytes() * 2)
    _, counts = read(path)
    assert counts.out_of_order == 100
    with pytest.raises(MediaError, match=r"the clock goes back at 4\.0 s; 4\.0 s are") as caught:
        check(path, counts)
    assert "ffmpeg -f concat" in caught.value.todo
    assert any("the clock goes back at 4.0 s" in problem for problem in inspect(path).problems)


def test_a_hole_behind_the_end_of_the_share_is_not_counted(tmp_path, noise):
    path = with_zeros(write_pictures(tmp_path / "film.mkv", noise, "25", codec=H264))
    counts = DecodeCounts()
    list(read_frames(probe(path), SMALL, stop_s=5.5, counts=counts))
    assert counts.holes == []


def test_a_bare_stream_without_time_stamps_is_refused_with_the_way_out(tmp_path, noise):
    path = write_pictures(tmp_path / "raw.h264", noise[:25], "25", codec=H264)
    with pytest.raises(MediaError, match=r"raw\.h264 has no time stamps") as caught:
        read(path)
    assert "-c copy" in caught.value.todo
