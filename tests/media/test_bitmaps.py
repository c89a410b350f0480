"""Picture subtitles are on the screen when their own bytes say so."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest

from gazeline.errors import MediaError
from gazeline.media.bitmaps import LONGEST_S, bitmap_intervals, display_delays
from media.clips import ffmpeg, write_greys

EPOCH, REPEATED, NORMAL = 0x80, 0x40, 0x00
PALETTE_ONLY = 0x80


def segment(at_s: float, kind: int, body: bytes) -> bytes:
    """Return a segment of a .sup file: PG, presentation and decoding time, kind, length."""
    return struct.pack(">2sIIBH", b"PG", round(at_s * 90000), 0, kind, len(body)) + body


def composition(at_s: float, state: int, n_objects: int, palette_only: int = 0) -> bytes:
    head = struct.pack(">HHBHBBBB", 320, 240, 0x10, 0, state, palette_only, 0, n_objects)
    return segment(at_s, 0x16, head + n_objects * struct.pack(">HBBHH", 0, 0, 0, 100, 200))


def picture(at_s: float, state: int = EPOCH, palette_only: int = 0) -> bytes:
    """Return a display set with one white object of 8 x 2 pixels."""
    pixels = bytes([0, 0x88, 1, 0, 0]) * 2  # a run of 8 of colour 1, end of line
    window = struct.pack(">BBHHHH", 1, 0, 100, 200, 8, 2)
    palette = bytes([0, 0, 1, 235, 128, 128, 255])
    size = (len(pixels) + 4).to_bytes(3, "big")
    drawing = struct.pack(">HBB", 0, 0, 0xC0) + size + struct.pack(">HH", 8, 2) + pixels
    return (
        composition(at_s, state, 1, palette_only)
        + segment(at_s, 0x17, window)
        + segment(at_s, 0x14, palette)
        + segment(at_s, 0x15, drawing)
        + segment(at_s, 0x80, b"")
    )


def nothing(at_s: float) -> bytes:
    window = struct.pack(">BBHHHH", 1, 0, 100, 200, 8, 2)
    empty = composition(at_s, NORMAL, 0) + segment(at_s, 0x17, window)
    return empty + segment(at_s, 0x80, b"")


@pytest.fixture
def sup(tmp_path):
    def write(*sets: bytes):
        path = tmp_path / "lines.sup"
        path.write_bytes(b"".join(sets))
        return path

    return write


def test_an_empty_composition_ends_a_picture(sup):
    path = sup(picture(1), nothing(2.5), picture(4), nothing(5))
    assert bitmap_intervals(path, 0) == [(1.0, 2.5), (4.0, 5.0)]


def test_the_next_picture_ends_the_one_before(sup):
    path = sup(picture(1), picture(2), nothing(3))
    assert bitmap_intervals(path, 0) == [(1.0, 2.0), (2.0, 3.0)]


def test_repeats_for_those_who_tune_in_and_fades_are_one_picture(sup):
    path = sup(picture(1), picture(2, REPEATED), picture(3, NORMAL, PALETTE_ONLY), nothing(4))
    assert bitmap_intervals(path, 0) == [(1.0, 4.0)]


def test_a_picture_that_never_ends_is_given_up(sup):
    assert bitmap_intervals(sup(picture(1)), 0) == [(1.0, 1.0 + float(LONGEST_S))]


def test_pictures_are_on_the_clock_of_a_film_that_starts_late(tmp_path, sup):
    path = sup(picture(1), nothing(2.5))  # ffmpeg moves its start to 0
    film = write_greys(tmp_path / "picture.mkv", 100, "25")
    late = tmp_path / "late.mkv"
    inputs = ("-i", film, "-i", path, "-map", "0", "-map", "1", "-c", "copy")
    ffmpeg(*inputs, "-output_ts_offset", "7", late)
    assert bitmap_intervals(late, 1) == [pytest.approx((7.0, 8.5), abs=0.002)]


def test_dvd_subtitles_made_without_an_end_last_to_the_next_or_are_given_up(tmp_path, sup):
    dvd = tmp_path / "dvd.mkv"
    source = sup(picture(1), nothing(2.5), picture(4), nothing(4.75))  # their start becomes 0
    ffmpeg("-i", source, "-c:s", "dvdsub", dvd)
    # ffmpeg does not know where a PGS picture ends and writes the latest stop there is.
    assert bitmap_intervals(dvd, 0) == [(0.0, 3.0), (3.0, 3.0 + float(LONGEST_S))]


def control(*sequences: tuple[int, bytes]) -> bytes:
    """Return a VobSub picture without pixels: sequences of (delay, commands)."""
    place, body = 4, b""
    for index, (delay, commands) in enumerate(sequences):
        length = 4 + len(commands)
        following = place if index + 1 == len(sequences) else place + length
        body += struct.pack(">HH", delay, following) + commands
        place += length
    return struct.pack(">HH", 4 + len(body), 4) + body


START = bytes([0x01, 0x03, 0x10, 0x31, 0x04, 0x0F, 0xF0, 0xFF])


def test_delays_are_counted_in_1024_ticks_of_90_khz():
    data = control((0, START), (527, bytes([0x02, 0xFF])))
    assert display_delays(data) == (0, Fraction(527 * 1024, 90000))


def test_a_late_start_a_forced_one_and_no_stop():
    assert display_delays(control((10, START))) == (Fraction(10240, 90000), None)
    assert display_delays(control((0, bytes([0x00, 0xFF])))) == (0, None)


def test_damaged_control_sequences_do_not_hang():
    assert display_delays(b"\x00\x08\x00\x04\x00\x00\x00\x00") == (0, None)
    assert display_delays(b"") == (0, None)


def test_a_text_track_has_no_pictures(tmp_path):
    srt = tmp_path / "lines.srt"
    srt.write_text("1\n00:00:01,000 --> 00:00:02,000\nHi\n", encoding="utf-8")
    ffmpeg("-i", srt, tmp_path / "lines.mkv")
    with pytest.raises(MediaError, match="no picture subtitles in stream 0"):
        bitmap_intervals(tmp_path / "lines.mkv", 0)


# The lines that the pictures show, read off by eye, and where ffprobe puts their packets: the two
# tracks caption one minute at 24 and at 29.97 frames a second; four lines of the DVD lack in the
# other. (popeye_p1.eng.srt is of another minute: none of its lines is among them.)
VOBSUB = """12.045 [squawk] | 20.003 [squawk] | 31.048 What happened? | 33.033 [screams] |
36.019 Help! Popeye! | 40.023 Ohh! Let me go! | 42.042 Let me go! | 43.076 Don't drop me now! |
44.094 Man the lifeboats | 50.050 That was a nice ship | 52.002 Did you see | 54.004 I gotta |
55.055 See what that was | 57.007 The biggest buzzard | 58.992 Look at that fellow go"""
PGS = """12.417 13.708 | 20.125 21.416 | 31.458 33.458 | 40.333 42.499 | 42.542 43.833 |
43.875 44.958 | 45.0 46.5 | 50.0 52.125 | 54.083 55.666 | 55.708 56.999 | 59.042 63.542"""


def test_pictures_of_a_real_dvd_track_start_with_their_lines(shared):
    made = bitmap_intervals(shared / "media" / "popeye_p1_vobsub.mkv", 1)
    starts = [float(line.split()[0]) for line in VOBSUB.split("|")]
    assert [start for start, _ in made] == pytest.approx(starts)
    assert all(0.9 < end - start < 6.1 for start, end in made)


def test_pictures_of_a_real_blu_ray_track_end_with_the_empty_one(shared):
    made = bitmap_intervals(shared / "media" / "popeye_p1_pgs.mkv", 1)
    wanted = [tuple(map(float, pair.split())) for pair in PGS.split("|")]
    assert [t for pair in made for t in pair] == pytest.approx([t for p in wanted for t in p])


def test_both_real_tracks_show_the_same_lines_at_about_the_same_time(shared):
    pgs = bitmap_intervals(shared / "media" / "popeye_p1_pgs.mkv", 1)
    vobsub = bitmap_intervals(shared / "media" / "popeye_p1_vobsub.mkv", 1)
    apart = [min(abs(start - other) for other, _ in vobsub) for start, _ in pgs]
    assert max(apart) < 1
