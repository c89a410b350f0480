"""Frames come with their own presentation times, upright, square and in true colours."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gazeline.errors import MediaError
from gazeline.media.pictures.frames import DecodeCounts, Frame, View, read_frames, read_views
from gazeline.media.pictures.geometry import PictureSpec
from gazeline.media.probing.probe import probe
from media.clips import (
    ffmpeg,
    ffprobe,
    grey_levels,
    probed_times,
    write_greys,
    write_pictures,
)

SMALL = PictureSpec(shortest_edge=48, crop=(48, 48))
H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "10")


def frames_of(path: Path, picture: PictureSpec = SMALL, **more) -> list[Frame]:
    return list(read_frames(probe(path), picture, **more))


def greys(frames: list[Frame]) -> np.ndarray:
    return np.array([frame.pixels.mean() for frame in frames])


@pytest.mark.parametrize("fps", ["24000/1001", "25", "30000/1001"])
@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_every_frame_comes_once_at_its_own_time(tmp_path, fps, suffix):
    path = write_greys(tmp_path / f"film.{suffix}", 50, fps, codec=H264)
    frames = frames_of(path)
    assert len(frames) == 50
    assert greys(frames) == pytest.approx(grey_levels(50), abs=3)
    rate = eval(fps)
    tolerance = 1e-9 if suffix == "mp4" else 0.00051
    assert [f.start_s for f in frames] == pytest.approx(np.arange(50) / rate, abs=tolerance)
    assert [f.start_s for f in frames] == pytest.approx(probed_times(path), abs=1e-6)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_file_cut_off_gives_the_same_frames_with_any_number_of_threads(tmp_path, threads):
    moving = ("-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", "-movflags", "+faststart")
    path = tmp_path / "film.mp4"
    ffmpeg(*moving, "-c:v", "libx264", "-g", "25", path)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * 0.8)])
    starts = [frame.start_s for frame in frames_of(path, threads=threads)]
    assert starts == pytest.approx(probed_times(path), abs=1e-6)


def test_frames_tile_time_and_the_last_ends_after_its_duration(tmp_path):
    frames = frames_of(write_greys(tmp_path / "film.mp4", 30, "25", codec=H264))
    assert [f.end_s for f in frames[:-1]] == [f.start_s for f in frames[1:]]
    assert frames[-1].end_s == pytest.approx(30 / 25, abs=1e-9)


def test_pixels_are_those_of_the_file_where_nothing_is_scaled(tmp_path):
    pictures = np.random.default_rng(0).integers(0, 256, (3, 48, 48, 3), np.uint8)
    frames = frames_of(write_pictures(tmp_path / "film.mkv", pictures, "25"))
    assert np.array_equal(np.stack([f.pixels for f in frames]), pictures)


def test_variable_frame_rate_keeps_the_times_of_the_file_and_repeats_nothing(tmp_path):
    constant = write_greys(tmp_path / "constant.mkv", 20, "25")
    path = tmp_path / "variable.mp4"
    # Frame n at n * n * 10 ms: every gap differs from the one before.
    ffmpeg(
        *("-i", constant, "-vf", "settb=1/1000,setpts=N*N*10", "-fps_mode", "passthrough"),
        *("-enc_time_base", "1/1000", *H264, "-video_track_timescale", "1000", path),
    )
    frames = frames_of(path)
    assert [f.start_s for f in frames] == pytest.approx(np.arange(20) ** 2 / 100, abs=1e-9)
    assert greys(frames) == pytest.approx(grey_levels(20), abs=3)


def test_a_late_start_is_kept(tmp_path):
    path = write_greys(tmp_path / "film.mp4", 10, "25", "-output_ts_offset", "1.5", codec=H264)
    assert frames_of(path)[0].start_s == pytest.approx(1.5, abs=1e-9)
    assert frames_of(path)[0].start_s == pytest.approx(probed_times(path)[0], abs=1e-6)


def test_an_edit_list_that_cuts_the_beginning_is_followed(tmp_path):
    whole = write_greys(tmp_path / "whole.mp4", 50, "25", codec=(*H264, "-g", "25"))
    cut = tmp_path / "cut.mp4"
    ffmpeg("-ss", "0.4", "-i", whole, "-c", "copy", cut)
    frames = frames_of(cut)
    assert [f.start_s for f in frames] == pytest.approx(probed_times(cut), abs=1e-6)
    assert frames[0].start_s == pytest.approx(0, abs=1e-9)
    assert greys(frames)[0] == pytest.approx(grey_levels(50)[10], abs=3)


def test_transport_streams_start_at_zero_whatever_their_clock_says(tmp_path):
    path = write_greys(tmp_path / "film.ts", 25, "25", "-muxdelay", "0", codec=H264)
    assert probed_times(path)[0] > 0
    frames = frames_of(path)
    expected = np.array(probed_times(path)) - probed_times(path)[0]
    assert [f.start_s for f in frames] == pytest.approx(expected, abs=1e-6)


def test_avi_without_presentation_times_keeps_order_and_rate(tmp_path):
    codec = ("-c:v", "mpeg4", "-bf", "2", "-q:v", "2")
    path = write_greys(tmp_path / "film.avi", 40, "25", codec=codec)
    frames = frames_of(path)
    assert greys(frames) == pytest.approx(grey_levels(40), abs=4)
    # AVI stores decoding times only, one frame early with B-frames: which one ffmpeg cannot tell.
    assert frames[0].start_s in (0, pytest.approx(1 / 25))
    assert np.diff([f.start_s for f in frames]) == pytest.approx(np.full(39, 1 / 25), abs=1e-9)


def test_h264_with_b_frames_in_avi_keeps_every_frame_at_its_time(tmp_path):
    codec = (*H264, "-bf", "3", "-qp", "4")
    path = write_greys(tmp_path / "film.avi", 60, "25", codec=codec)
    counts = DecodeCounts()
    frames = frames_of(path, counts=counts)
    assert counts.out_of_order == 0
    assert greys(frames) == pytest.approx(grey_levels(60), abs=4)
    assert [f.start_s for f in frames] == pytest.approx(np.arange(60) / 25, abs=1e-9)


@pytest.mark.parametrize(("turn", "corner"), [(0, 0), (90, 1), (180, 2), (270, 3)])
def test_rotated_pictures_are_shown_upright(tmp_path, turn, corner):
    pictures = np.zeros((2, 48, 64, 3), np.uint8)
    pictures[:, :12, :12] = 255
    flat = write_pictures(tmp_path / "flat.mp4", pictures, "25", codec=H264)
    path = tmp_path / "turned.mp4"
    ffmpeg("-display_rotation", str(-turn), "-i", flat, "-c", "copy", path)
    info = probe(path)
    assert info.video.rotation == turn
    picture = frames_of(path, PictureSpec(shortest_edge=48))[0].pixels
    assert picture.shape == ((64, 48, 3) if turn % 180 else (48, 64, 3))
    corners = [picture[0, 0], picture[0, -1], picture[-1, -1], picture[-1, 0]]
    assert int(np.argmax([int(c.sum()) for c in corners])) == corner


def test_pixels_that_are_not_square_are_made_so(tmp_path):
    pictures = np.zeros((2, 48, 64, 3), np.uint8)
    pictures[:, 12:36, 20:32] = 255  # shown twice as wide as stored: a square of 24 x 24
    sar = ("-vf", "setsar=2/1")
    path = write_pictures(tmp_path / "film.mp4", pictures, "25", *sar, codec=H264)
    assert probe(path).video.display_size == (128, 48)
    picture = frames_of(path, PictureSpec(shortest_edge=48))[0].pixels[..., 0] > 128
    assert picture.shape == (48, 128)
    assert picture.any(axis=1).sum() == picture.any(axis=0).sum() == 24


def test_interlaced_film_is_merged_to_one_picture_per_frame_at_the_frame_times(tmp_path):
    n_frames = 25
    moving = np.zeros((2 * n_frames, 64, 96, 3), np.uint8)
    for index, picture in enumerate(moving):
        picture[:, index : index + 24] = 255  # an edge that moves: its fields comb
    path = tmp_path / "film.mkv"
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "96x64", "-r", "50", "-i", "-"]
    woven = ["-vf", "tinterlace=interleave_top,setfield=tff", "-flags", "+ilme+ildct"]
    ffmpeg(*source, *woven, "-c:v", "mpeg2video", "-q:v", "2", path, stdin=moving.tobytes())
    info = probe(path)
    assert info.video.interlaced
    frames = frames_of(path, PictureSpec(shortest_edge=64))
    assert len(frames) == n_frames
    assert [f.start_s for f in frames] == pytest.approx(probed_times(path), abs=1e-6)
    combing = [np.abs(np.diff(f.pixels[..., 0].astype(int), axis=0)).mean() for f in frames[2:-2]]
    assert max(combing) < 2


@pytest.mark.parametrize("range_name", ["tv", "pc"])
@pytest.mark.parametrize("pixel_format", ["yuv420p", "yuv420p10le"])
def test_full_and_limited_range_and_ten_bits_give_the_same_greys(
    tmp_path, range_name, pixel_format
):
    codec = ("-c:v", "ffv1", "-pix_fmt", pixel_format, "-color_range", range_name)
    scale = ("-vf", f"scale=out_range={range_name}")
    path = write_greys(tmp_path / "film.mkv", 12, "25", *scale, codec=codec)
    assert greys(frames_of(path)) == pytest.approx(grey_levels(12), abs=1.5)


@pytest.mark.parametrize("matrix", ["bt709", "smpte170m"])
def test_colours_are_decoded_by_the_matrix_the_file_names(tmp_path, matrix):
    pictures = np.empty((2, 48, 48, 3), np.uint8)
    pictures[:] = (200, 30, 40)
    scale = ("-vf", f"scale=out_color_matrix={matrix}:out_range=tv,format=yuv444p")
    codec = ("-c:v", "ffv1", "-colorspace", matrix)
    path = write_pictures(tmp_path / "film.mkv", pictures, "25", *scale, codec=codec)
    assert frames_of(path)[0].pixels[20, 20] == pytest.approx([200, 30, 40], abs=2)


def test_two_views_of_one_decoding_are_what_each_gives_alone(tmp_path):
    path = write_greys(tmp_path / "film.mp4", 20, "25", codec=H264)
    large = PictureSpec(height=96, width=120)
    views = [View(SMALL), View(large, lambda index: index % 3 == 0), View(SMALL)]
    counts = DecodeCounts()
    small, big, same = zip(*read_views(probe(path), views, counts=counts), strict=True)
    assert counts.frames == 20
    assert all(
        np.array_equal(a.pixels, b.pixels) for a, b in zip(small, frames_of(path), strict=True)
    )
    assert all(a.pixels is b.pixels for a, b in zip(small, same, strict=True))
    alone = frames_of(path, large)
    assert [f.pixels is not None for f in big] == [n % 3 == 0 for n in range(20)]
    assert all(np.array_equal(big[n].pixels, alone[n].pixels) for n in range(0, 20, 3))


def test_counts_do_not_depend_on_how_far_the_decoder_is_ahead(tmp_path):
    path = write_greys(tmp_path / "film.mp4", 50, "25", codec=H264)
    counts = DecodeCounts()
    frames = frames_of(path, stop_s=0.5, counts=counts)
    assert counts.frames == len(frames) == 13
    assert counts.last_end_s == frames[-1].end_s


def test_of_two_pictures_the_main_one_is_decoded(tmp_path):
    small = write_greys(tmp_path / "small.mp4", 10, "25", codec=H264)
    main = write_pictures(
        tmp_path / "main.mp4", np.full((30, 48, 64, 3), 90, np.uint8), "30", codec=H264
    )
    path = tmp_path / "both.mp4"
    ffmpeg("-i", small, "-i", main, *("-map", "0", "-map", "1", "-c", "copy"), path)
    frames = frames_of(path)
    assert len(frames) == 30
    assert greys(frames) == pytest.approx(90, abs=3)


def test_the_main_picture_is_chosen_and_cover_art_ignored(tmp_path):
    art = tmp_path / "cover.jpg"
    Image.new("RGB", (600, 600), "red").save(art)
    attached = ("-attach", str(art), "-metadata:s:t", "mimetype=image/jpeg")
    path = write_greys(tmp_path / "with_art.mkv", 30, "25", *attached, codec=H264)
    assert len(ffprobe(path, "v", "packet=stream_index")) >= 30
    info = probe(path)
    assert len(info.video_streams) == 1
    assert info.video.codec == "h264"
    assert len(frames_of(path)) == 30


def test_a_broken_packet_costs_only_its_own_frame(tmp_path):
    path = write_greys(tmp_path / "film.mp4", 30, "25", codec=(*H264, "-g", "1"))
    whole = frames_of(path)
    packet = ffprobe(path, "v:0", "packet=pos,size")[12]
    data = bytearray(path.read_bytes())
    start, size = int(packet["pos"]), int(packet["size"])
    data[start : start + size] = b"\xff" * size
    path.write_bytes(data)
    counts = DecodeCounts()
    frames = frames_of(path, counts=counts)
    assert counts.broken_packets == 1
    expected = whole[:12] + whole[13:]
    assert [f.start_s for f in frames] == [f.start_s for f in expected]
    assert greys(frames) == pytest.approx(greys(expected), abs=0)


def test_decoding_stops_at_the_share_asked_for(tmp_path):
    path = write_greys(tmp_path / "film.mp4", 50, "25", codec=H264)
    frames = frames_of(path, stop_s=0.5)
    assert len(frames) == 13
    assert frames[-1].start_s == pytest.approx(0.48)
    assert frames[-1].end_s == pytest.approx(0.52)


def test_unwanted_frames_are_counted_but_not_converted(tmp_path):
    path = write_greys(tmp_path / "film.mp4", 10, "25", codec=H264)
    frames = frames_of(path, wanted=lambda index: index % 2 == 0)
    assert [f.pixels is not None for f in frames] == [True, False] * 5


def test_files_are_closed_also_when_reading_ends_early(tmp_path):
    path = write_greys(tmp_path / "film.mp4", 50, "25", codec=H264)
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else None
    for _ in range(5):
        list(read_frames(probe(path), SMALL, stop_s=0.2))
        next(read_frames(probe(path), SMALL))
    if before is not None:
        assert len(os.listdir("/proc/self/fd")) == before


def test_a_picture_that_cannot_be_decoded_names_the_film(tmp_path):
    path = write_greys(tmp_path / "film.mkv", 10, "25", codec=("-c:v", "mpeg4"))
    data = bytearray(path.read_bytes())
    for packet in ffprobe(path, "v:0", "packet=pos,size"):
        start = int(packet["pos"]) + 8
        data[start : start + int(packet["size"]) - 12] = b"\x5a" * (int(packet["size"]) - 12)
    path.write_bytes(data)
    with pytest.raises(MediaError, match=r"Not one frame of film\.mkv can be decoded"):
        frames_of(path)
