"""What a film declares against what decodes, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from PIL import Image

from gazeline.errors import MediaError
from gazeline.features.audio.fbank import RATE
from gazeline.features.video.grid import windows
from gazeline.media.inspecting.edits import Edit, read_edits
from gazeline.media.inspecting.inspect import inspect
from gazeline.media.inspecting.words import lines_of
from gazeline.media.pictures.frames import Frame
from gazeline.orchestration.outside.preview import count_chunks, count_windows, preview
from gazeline.params.features import AudioParams, VideoParams
from media.clips import ffmpeg, ffprobe, probed_times, tone, write_greys, write_sound

H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p")


@dataclass(frozen=True)
class Expected:
    """Of each file: pictures (frames, first, last and end), sound (first, end), and what is made.

    Frames and times are those of `ffprobe -show_frames` (8.1), to the millisecond; the end of a
    sound is that of its last sample. `problems` are parts of the sentences.
    """

    frames: tuple[int, float, float, float] | None = None
    sound: tuple[float, float] | None = None
    constant: bool = True
    windows: int | None = None
    chunks: int | None = 0
    problems: tuple[str, ...] = ()


PICTURES_ONLY = ("all subtitles are pictures, not text",)
FILES = {
    "axm_bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4": Expected(
        (120, 10, 13.967, 14), windows=7
    ),
    "axm_invalid-bitstream.webm": Expected(problems=("Not one frame of",)),
    "axm_sample_eac3.mp4": Expected(
        sound=(0, 1.701), chunks=1, problems=("gaps of 1.387 s in the sound",)
    ),
    "axm_sample_missing_stsd.mp4": Expected(
        (30, 0, 0.968, 1.001),
        windows=1,
        chunks=None,
        problems=("The sound of", "sound stream 1 cannot be decoded"),
    ),
    "axm_sample_portrait.mp4": Expected((30, 0, 0.968, 1.001), (0.043, 1.088), windows=1, chunks=1),
    "axm_sample_video_only.mp4": Expected((30, 0, 0.968, 1.001), windows=1),
    "axm_sample_with_srt.mkv": Expected(
        (30, 0, 0.967, 0.968),
        (0.062, 1.072),
        windows=1,
        chunks=1,
        problems=("60.000 frames/s are declared, 29.990 are there",),
    ),
    "decord_corrupted.mp4": Expected(
        (49, 0, 4.9, 5.0),
        constant=False,
        windows=3,
        problems=(
            "49 frames decode of 50",
            "1 broken packet of the picture",
            "damage is in 1 frame",
            "no picture from 3.0 to 3.1 s",
        ),
    ),
    "mpy_big_buck_bunny_0_30.webm": Expected(
        (720, 0.003, 29.961, 30.002), (0.003, 30.022), windows=45, chunks=15
    ),
    "mpy_fire2.mp4": Expected(
        (25, 0, 2.280, 2.380),
        (0, 2.416),
        constant=False,
        windows=1,
        chunks=2,
        problems=("gaps of 0.155 s in the sound",),
    ),
    "mpy_no_duration.webm": Expected(
        (74, 0, 4.872, 4.938),
        (0.015, 4.874),
        constant=False,
        windows=4,
        chunks=3,
        problems=("no duration in the header",),
    ),
    "mpy_video_with_failing_audio.mp4": Expected(
        (280, 0, 11.160, 11.2), (0, 11.234), windows=17, chunks=6
    ),
    "popeye_p1_pgs.mkv": Expected((1440, 0, 59.958, 59.999), windows=90, problems=PICTURES_ONLY),
    "popeye_p1_vobsub.mkv": Expected(
        (1800, 0, 60.027, 60.060), windows=112, problems=PICTURES_ONLY
    ),
    "psd_delayed_start.mp4": Expected((24, 1.075, 1.995, 2.035), windows=1),
    "se_sample_MP4_SRT.mp4": Expected((149, 0, 4.933, 4.967), (0, 4.992), windows=9, chunks=3),
    "skv_bigbuckbunny.mp4": Expected((132, 0, 5.24, 5.28), (0, 5.312), windows=8, chunks=3),
    "tc_h265_10bits.mp4": Expected((30, 0, 0.967, 1.0), windows=1),
    "tc_nasa_13013.mp4": Expected((390, 0, 12.980, 13.013), (0, 13.056), windows=24, chunks=7),
    "tos-battle-clip-medium.webm": Expected(
        (1691, 0, 70.417, 70.458), (0.003, 70.545), windows=105, chunks=36
    ),
}
REFUSED = "se_sample_MP4.mp4"


@pytest.mark.slow
def test_the_table_names_every_file(shared):
    assert {path.name for path in (shared / "media").iterdir()} == {*FILES, REFUSED}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_what_decodes_of_real_files_is_what_ffprobe_counts(shared, name):
    expected = FILES[name]
    report = inspect(shared / "media" / name)
    made = preview(report, VideoParams(), AudioParams())
    if expected.frames is None:
        assert report.pictures is None
    else:
        found = report.pictures
        times = (found.first_s, found.last_s, found.end_s)
        assert found.counts.frames == expected.frames[0]
        assert times == pytest.approx(expected.frames[1:], abs=0.0011)
        assert found.constant == expected.constant
    if expected.sound is None:
        assert report.sound is None
    else:
        ends = (report.sound.first_s, report.sound.end_s)
        assert ends == pytest.approx(expected.sound, abs=0.0011)
    assert (made.windows, made.chunks) == (expected.windows, expected.chunks)
    assert len(report.problems) == len(expected.problems)
    for problem, part in zip(report.problems, expected.problems, strict=True):
        assert part in problem


@pytest.mark.slow
def test_a_file_with_subtitles_only_is_refused(shared):
    with pytest.raises(MediaError, match="it holds subtitles only"):
        inspect(shared / "media" / REFUSED)


def text_of(report) -> str:
    return "\n".join(f"{heading}: {text}" for heading, text in lines_of(report))


def test_the_streams_not_taken_are_named_with_the_reason(shared):
    text = text_of(inspect(shared / "media" / "tc_nasa_13013.mp4", quick=True))
    assert "picture: stream 3, h264: of streams 0, 3 by default flag, frames and size" in text
    assert ": not taken: stream 0, h264, 320x180" in text
    assert ": not taken: stream 1, aac" in text
    assert "stream 5, mov_text, text, eng" in text


def test_depth_range_and_pixel_shape_are_said(shared):
    text = text_of(inspect(shared / "media" / "tc_h265_10bits.mp4", quick=True))
    assert "200x200, square pixels, 10 bit yuv420p10le, limited range, progressive, upright" in text
    text = text_of(inspect(shared / "media" / "popeye_p1_vobsub.mkv", quick=True))
    assert "720x478 shown as 640x478, pixels 8:9" in text
    text = text_of(inspect(shared / "media" / "se_sample_MP4_SRT.mp4", quick=True))
    assert "full range" in text


def test_the_rate_is_exact_and_its_frames_are_measured(tmp_path):
    film = write_greys(tmp_path / "film.mkv", 48, "24000/1001", codec=H264)
    report = inspect(film)
    times = probed_times(film)
    assert report.info.video.fps == Fraction(24000, 1001)
    assert report.pictures.counts.frames == len(times) == 48
    assert (report.pictures.first_s, report.pictures.last_s) == pytest.approx((times[0], times[-1]))
    assert ": 24000/1001 (23.976) frames/s declared, 23.9" in text_of(report)
    assert report.pictures.constant
    assert report.problems == ()


def test_a_variable_rate_is_told_from_its_frames_not_from_its_header(tmp_path):
    film = tmp_path / "film.mkv"
    slower = "settb=1/1000,setpts='if(lt(N,20),N*40,800+(N-20)*100)'"
    vfr = ("-vf", slower, "-fps_mode", "vfr", "-enc_time_base", "1/1000")
    write_greys(film, 40, "25", *vfr, codec=H264)
    pictures = inspect(film).pictures
    assert not pictures.constant
    assert (pictures.shortest_s, pictures.longest_s) == pytest.approx((0.04, 0.1), abs=0.0011)
    assert "variable: 0.040 s to 0.100 s a frame" in text_of(inspect(film))


def test_the_rate_is_that_of_the_starts_whatever_the_last_frame_s_length(tmp_path):
    film = tmp_path / "film.mkv"
    times = "settb=1/1000,setpts=N*40"
    timed = ("-vf", times, "-fps_mode", "vfr", "-enc_time_base", "1/1000")
    write_greys(film, 10, "1000", *timed, codec=H264)
    pictures = inspect(film).pictures
    assert pictures.end_s - pictures.last_s < 0.039
    assert pictures.fps == pytest.approx(25)


def test_a_duration_that_the_header_lacks_is_said_to_be_that_of_the_packets(tmp_path):
    clip = write_greys(tmp_path / "clip.mkv", 50, "25", codec=H264)
    streamed = tmp_path / "streamed.mkv"
    ffmpeg("-i", clip, "-c", "copy", "-f", "matroska", "-live", "1", streamed)
    assert ": matroska,webm, 2.000 s by its header" in text_of(inspect(clip, quick=True))
    report = inspect(streamed, quick=True)
    assert ": matroska,webm, 2.000 s by its packets" in text_of(report)
    assert report.problems == ("no duration in the header; measured from the packets",)


def test_interlaced_rotated_and_wide_pixels_are_said(tmp_path):
    clip = tmp_path / "clip.mp4"
    fields = ("-x264-params", "interlaced=1:tff=1", "-aspect", "16:9")
    write_greys(clip, 10, "25", "-vf", "setfield=tff", *fields, codec=H264)
    turned = tmp_path / "turned.mp4"
    ffmpeg("-display_rotation", "90", "-i", clip, "-c", "copy", turned)
    text = text_of(inspect(turned, quick=True))
    assert "interlaced: deinterlaced" in text
    assert "turned 270° clockwise" in text
    assert "64x48 shown as 48x85, pixels 4:3" in text


def test_cover_art_and_data_are_ignored_and_named(tmp_path):
    cover, film = tmp_path / "cover.jpg", tmp_path / "film.mp4"
    Image.new("RGB", (64, 64)).save(cover)
    clip = write_greys(tmp_path / "clip.mp4", 30, "25", codec=H264)
    both = ("-map", "0", "-map", "1", "-c", "copy", "-disposition:v:1", "attached_pic")
    ffmpeg("-i", clip, "-i", cover, *both, film)
    report = inspect(film)
    assert (report.info.video.index, report.info.video_reason) == (0, "the only one")
    assert "ignored: stream 1, mjpeg: cover art" in text_of(report)
    assert report.pictures.counts.frames == 30


def test_sound_that_ends_early_or_starts_late_is_a_problem(tmp_path):
    clip = write_greys(tmp_path / "clip.mkv", 100, "25", codec=H264)
    sound = write_sound(tmp_path / "sound.wav", tone(1.2, 48_000), 48_000)
    film = tmp_path / "film.mkv"
    late = ("-itsoffset", "1.5", "-i", sound, "-map", "0", "-map", "1", "-c", "copy")
    ffmpeg("-i", clip, *late, film)
    report = inspect(film)
    assert (report.sound.first_s, report.sound.end_s) == pytest.approx((1.5, 2.7), abs=0.002)
    assert "the sound starts 1.500 s after the picture" in report.problems
    assert "the sound ends 1.300 s before the picture" in report.problems


def test_a_film_cut_off_in_the_middle_says_how_much_decodes(tmp_path):
    clip = write_greys(
        tmp_path / "clip.mp4", 200, "25", "-movflags", "+faststart", "-g", "10", codec=H264
    )
    data = clip.read_bytes()
    clip.write_bytes(data[: int(len(data) * 0.7)])
    report = inspect(clip)
    decoded = len(ffprobe(clip, "v:0", "frame=best_effort_timestamp_time"))
    assert report.pictures.counts.frames == decoded < 200
    assert any(f"{decoded} frames decode of 200 declared" in p for p in report.problems)
    assert any("before the end that is declared" in p for p in report.problems)
    made = preview(report, VideoParams(), AudioParams())
    assert made.windows is None
    assert "video refuses it" in made.sentence()


def test_quick_reads_the_header_and_says_about(tmp_path):
    film = write_greys(tmp_path / "film.mp4", 40, "25", codec=H264)
    report = inspect(film, quick=True)
    assert report.pictures is None
    assert not report.measured
    assert "40 frames declared; not decoded" in text_of(report)
    sentence = preview(report, VideoParams(), AudioParams()).sentence()
    assert sentence == "about 2 windows of 16 frames every 16 and empty shards of sound"


def test_edit_lists_are_read_as_written(tmp_path, shared):
    assert read_edits(shared / "media" / "psd_delayed_start.mp4") == {
        0: (Edit(Fraction(1075, 1000), None), Edit(Fraction(960, 1000), Fraction(0)))
    }
    clip = write_greys(tmp_path / "clip.mp4", 10, "25", codec=H264)
    data = clip.read_bytes()
    for end in (0, 20, len(data) // 2, len(data) - 30):
        (tmp_path / "part.mp4").write_bytes(data[:end])
        assert isinstance(read_edits(tmp_path / "part.mp4"), dict)


@pytest.mark.parametrize("partial", ["drop", "repeat"])
@pytest.mark.parametrize(("size", "stride"), [(16, 16), (16, 8), (4, 7), (1, 1), (5, 3)])
def test_windows_are_counted_as_the_grid_makes_them(size, stride, partial):
    params = VideoParams(window_frames=size, stride_frames=stride, partial=partial)
    pixels = np.zeros((1, 1, 3), np.uint8)
    for n_frames in range(50):
        frames = [Frame(float(k), k + 1.0, pixels) for k in range(n_frames)]
        assert count_windows(n_frames, params) == len(list(windows(frames, params))), n_frames


def test_chunks_are_counted_with_a_last_one_of_25_ms_or_more():
    params = AudioParams(chunk_s=2)
    lengths = (0, 399, 400, 2 * RATE, 2 * RATE + 399, 2 * RATE + 400)
    assert [count_chunks(n, params) for n in lengths] == [0, 0, 1, 1, 1, 2]
