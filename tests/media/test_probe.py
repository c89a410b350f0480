"""What a film holds, which streams are decoded and why, and what is no film."""

from __future__ import annotations

from fractions import Fraction

import pytest
from PIL import Image

from gazeline.errors import MediaError
from gazeline.media.probing.probe import probe
from gazeline.media.probing.streams import AudioStream, choose_audio
from media.clips import ffmpeg, tone, write_greys, write_sound

H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p")


@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
@pytest.mark.parametrize("fps", ["24000/1001", "25", "24"])
def test_the_frame_rate_is_exact(tmp_path, suffix, fps):
    info = probe(write_greys(tmp_path / f"film.{suffix}", 240, fps, codec=H264))
    assert info.video.fps == Fraction(fps)
    assert not info.video.variable
    assert info.duration_s == pytest.approx(240 / Fraction(fps), abs=0.002)


def test_declared_frames_are_read_where_the_file_declares_them(tmp_path):
    assert probe(write_greys(tmp_path / "film.mp4", 33, "25", codec=H264)).video.n_frames == 33


def test_the_default_picture_with_most_frames_is_chosen_and_named(tmp_path):
    short = write_greys(tmp_path / "short.mp4", 10, "25", codec=H264)
    long = write_greys(tmp_path / "long.mp4", 60, "25", codec=H264)
    path = tmp_path / "both.mp4"
    both = ("-map", "0", "-map", "1", "-c", "copy")
    ffmpeg("-i", short, "-i", long, *both, "-disposition:v", "default", path)
    info = probe(path)
    assert info.video.index == 1
    assert info.video_reason.startswith("of streams 0, 1 by default flag, frames and size: 60")


def audio(index: int, **more) -> AudioStream:
    values = {"codec": "aac", "channels": 2, "layout": "stereo", "sample_rate": 48_000}
    values |= {"start_s": 0.0, "language": None, "title": None, "default": False}
    return AudioStream(index=index, **(values | {"commentary": False} | more))


@pytest.mark.parametrize(
    ("streams", "chosen"),
    [
        ([audio(1), audio(2, default=True)], 2),
        ([audio(1), audio(2, channels=6)], 2),
        ([audio(1, commentary=True, default=True), audio(2)], 2),
        ([audio(1), audio(2)], 1),
        ([audio(1, codec="unknown"), audio(2)], 2),
    ],
)
def test_the_main_sound_is_chosen(streams, chosen):
    assert choose_audio(streams)[0].index == chosen


def test_embedded_subtitles_are_listed_with_language_and_kind(tmp_path):
    srt = tmp_path / "lines.srt"
    srt.write_text("1\n00:00:00,100 --> 00:00:00,300\nHello\n", encoding="utf-8")
    film = write_greys(tmp_path / "film.mp4", 25, "25", codec=H264)
    path = tmp_path / "film.mkv"
    tags = ("-metadata:s:s:0", "language=fre", "-metadata:s:s:0", "title=Dialogue")
    forced = ("-disposition:s:0", "forced")
    ffmpeg("-i", film, "-i", srt, "-map", "0", "-map", "1", "-c", "copy", *tags, *forced, path)
    (track,) = probe(path).subtitles
    assert (track.index, track.language, track.title) == (1, "fre", "Dialogue")
    assert (track.kind, track.forced, track.default) == ("text", True, False)


def test_sound_alone_is_a_film_without_picture(tmp_path):
    info = probe(write_sound(tmp_path / "sound.wav", tone(1, 16_000), 16_000))
    assert info.video is None
    assert info.video_reason == "the file has no picture"
    assert info.audio.sample_rate == 16_000


def test_a_duration_missing_in_the_header_is_measured(shared):
    info = probe(shared / "media" / "mpy_no_duration.webm")
    assert info.duration_s == pytest.approx(4.938, abs=0.001)
    assert "no duration in the header; measured from the packets" in info.problems


def test_what_is_no_film_is_one_clear_error(tmp_path):
    text = tmp_path / "notes.mkv"
    text.write_text("these are notes\n" * 50, encoding="utf-8")
    picture = tmp_path / "poster.jpg"
    Image.new("RGB", (64, 64)).save(picture)
    subtitles = tmp_path / "film.srt"
    subtitles.write_text("1\n00:00:00,000 --> 00:00:01,000\nHello\n", encoding="utf-8")
    empty = tmp_path / "empty.mp4"
    empty.touch()
    for path in (text, picture, subtitles, empty):
        with pytest.raises(MediaError, match=f"{path.name} is not a film") as caught:
            probe(path)
        assert caught.value.where == str(path)
        assert caught.value.todo


def test_a_missing_film_file_is_named(tmp_path):
    with pytest.raises(MediaError, match=r"The film file gone\.mkv is not there"):
        probe(tmp_path / "gone.mkv")
