"""Embedded text subtitles come out as a subtitle file, on the copy clock."""

from __future__ import annotations

import pysubs2
import pytest

from gazeline.errors import MediaError
from gazeline.media.embedded import extract_all, extract_subtitles, list_subtitles
from gazeline.media.probing.probe import probe
from media.clips import ffmpeg, write_greys

SRT = """1
00:00:00,500 --> 00:00:01,250
Où est la lanterne ?

2
00:00:01,500 --> 00:00:02,000
Second line
"""
H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p")


def film_with_subtitles(tmp_path, suffix, *options):
    srt = tmp_path / "lines.srt"
    srt.write_text(SRT, encoding="utf-8")
    film = write_greys(tmp_path / "picture.mp4", 75, "25", codec=H264)
    path = tmp_path / f"film.{suffix}"
    codec = {"mkv": "srt", "mp4": "mov_text"}[suffix]
    inputs = ("-i", film, "-i", srt, "-map", "0", "-map", "1")
    ffmpeg(*inputs, "-c:v", "copy", "-c:s", codec, *options, path)
    return path


@pytest.mark.parametrize("suffix", ["mkv", "mp4"])
def test_text_and_times_come_back(tmp_path, suffix):
    path = film_with_subtitles(tmp_path, suffix)
    (track,) = list_subtitles(path)
    cues = pysubs2.SSAFile.from_string(extract_subtitles(path, track.index).decode())
    assert [(c.start, c.end) for c in cues] == [(500, 1250), (1500, 2000)]
    assert [c.plaintext for c in cues] == ["Où est la lanterne ?", "Second line"]


def test_a_late_start_of_the_file_moves_picture_and_subtitles_alike(tmp_path):
    path = film_with_subtitles(tmp_path, "mkv", "-output_ts_offset", "2")
    assert probe(path).start_s == pytest.approx(2)
    cues = pysubs2.SSAFile.from_string(extract_subtitles(path, 1).decode())
    assert [c.start for c in cues] == [2500, 3500]


def test_a_track_that_is_not_there_lists_those_that_are(tmp_path):
    path = film_with_subtitles(tmp_path, "mkv")
    with pytest.raises(MediaError, match="has no subtitle track 7") as caught:
        extract_subtitles(path, 7)
    assert "1 (text)" in caught.value.todo


def test_a_track_that_is_not_utf_8_keeps_every_byte(tmp_path):
    srt = tmp_path / "lines.srt"
    srt.write_bytes(SRT.encode("cp1252"))
    ffmpeg("-i", srt, "-c", "copy", tmp_path / "lines.mkv")
    assert "Où est la lanterne ?".encode("cp1252") in extract_subtitles(tmp_path / "lines.mkv", 0)


def test_all_tracks_come_out_in_their_own_format(tmp_path):
    srt, ass, film = tmp_path / "lines.srt", tmp_path / "lines.ass", tmp_path / "film.mkv"
    srt.write_text(SRT, encoding="utf-8")
    ffmpeg("-i", srt, ass)
    codecs = ("-c:s:0", "srt", "-c:s:1", "copy", "-c:s:2", "webvtt")
    ffmpeg("-i", srt, "-i", ass, "-map", "0", "-map", "1", "-map", "0", *codecs, film)
    found = extract_all(film)
    assert [track.data[:6] for track in found] == [b"1\n00:0", b"[Scrip", b"WEBVTT"]
    assert [track.complaints for track in found] == [(), (), ()]


def test_subtitles_that_are_pictures_are_an_error(shared):
    with pytest.raises(MediaError, match=r"are pictures \(hdmv_pgs_subtitle\), not text"):
        extract_subtitles(shared / "media" / "popeye_p1_pgs.mkv", 1)


def test_captions_of_a_real_file_come_out(shared):
    text = extract_subtitles(shared / "media" / "tc_nasa_13013.mp4", 2)
    cues = pysubs2.SSAFile.from_string(text.decode())
    assert len(cues) == 4  # of six packets, two are empty
    assert cues[0].plaintext.startswith("NAR: This is the optical and science segment")
