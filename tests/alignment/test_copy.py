"""What is asked of a copy: its clock and its subtitle tracks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from alignment.dialogues import CLIP
from alignment.films import make_film
from gazeline.alignment.copy import examine_copy, extract_track
from gazeline.errors import MediaError
from gazeline.subtitles.reading.read import read_subtitles


@pytest.mark.parametrize("suffix", [".mkv", ".mp4"])
@pytest.mark.parametrize("fps", ["24000/1001", "25"])
def test_frame_rate_is_exact_and_the_length_that_of_the_film(tmp_path, suffix, fps):
    copy = examine_copy(make_film(tmp_path / f"film{suffix}", 10, fps))
    assert copy.fps == Fraction(fps)
    assert copy.end_s - copy.start_s == pytest.approx(10, abs=0.05)
    assert copy.clock.fps == fps


@pytest.mark.parametrize("suffix", [".mkv", ".mp4"])
def test_embedded_track_comes_out_as_it_went_in(tmp_path, suffix):
    copy = examine_copy(make_film(tmp_path / f"film{suffix}", 42, tracks={"eng": CLIP}))
    (track,) = copy.tracks
    assert (track.language, track.kind) == ("eng", "text")
    cues = read_subtitles(extract_track(copy, track)).cues
    assert [c.text for c in cues] == [c.text for c in CLIP]
    assert [c.start_s for c in cues] == pytest.approx([c.start_s for c in CLIP], abs=0.0011)


def test_clock_that_starts_late_is_kept(tmp_path):
    late = ("-output_ts_offset", "1.5")
    copy = examine_copy(make_film(tmp_path / "film.mkv", 42, tracks={"eng": CLIP}, options=late))
    assert copy.start_s == pytest.approx(1.5, abs=0.01)
    cues = read_subtitles(extract_track(copy, copy.tracks[0])).cues
    assert cues[0].start_s == pytest.approx(CLIP[0].start_s + 1.5, abs=0.01)


@pytest.mark.parametrize("suffix", [".mkv", ".mp4"])
def test_copy_that_starts_late_is_as_long_as_its_picture(tmp_path, suffix):
    late = ("-output_ts_offset", "1.5")
    copy = examine_copy(make_film(tmp_path / f"film{suffix}", 10, "25", options=late))
    assert (copy.start_s, copy.end_s) == pytest.approx((1.5, 11.5), abs=0.03)
    assert copy.clock.duration_s == pytest.approx(10, abs=0.03)
    assert copy.info.end_s == pytest.approx(11.5, abs=0.03)


def test_sound_alone_has_a_length_and_no_frame_rate(tmp_path):
    copy = examine_copy(make_film(tmp_path / "film.mkv", 5, video=False))
    assert copy.clock.fps is None
    assert copy.clock.duration_s == pytest.approx(5, abs=0.1)


def test_what_is_not_a_film_is_one_clear_error(tmp_path):
    text = tmp_path / "film.mkv"
    text.write_text("not a film")
    with pytest.raises(MediaError, match=r"film\.mkv is not a film"):
        examine_copy(text)
    with pytest.raises(MediaError, match="not there"):
        examine_copy(tmp_path / "absent.mkv")


# name, length of the picture (else of the sound), frame rate, kinds of subtitle tracks
REAL = [
    ("popeye_p1_pgs.mkv", 60.0, "24", [False]),
    ("popeye_p1_vobsub.mkv", 60.06, "30000/1001", [False]),
    ("tc_nasa_13013.mp4", 13.0, "30000/1001", [True, True]),
    ("axm_sample_eac3.mp4", 1.728, None, []),
    ("mpy_no_duration.webm", 4.872, "15000/1001", []),
    ("axm_sample_with_srt.mkv", 0.968, "60", [True]),
]


@pytest.mark.parametrize(("name", "seconds", "fps", "text"), REAL, ids=[r[0] for r in REAL])
def test_real_files(name, seconds, fps, text, shared):
    copy = examine_copy(shared / "media" / name)
    assert copy.clock.fps == fps
    assert copy.clock.duration_s == pytest.approx(seconds, abs=0.1)
    assert [track.kind == "text" for track in copy.tracks] == text
