"""Subtitle files: literal text in, literal cues and counts out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gazeline.errors import SubtitleError
from gazeline.subtitles.reading.read import SubtitleFile, read_subtitles


def cues(file: SubtitleFile) -> list[tuple[float, float, str]]:
    return [(c.start_s, c.end_s, c.text) for c in file.cues]


def test_srt_gives_seconds_and_text_with_tags():
    file = read_subtitles(
        b"1\n00:00:01,000 --> 00:00:02,500\n<i>Hello</i>\nthere\n\n"
        b"2\n00:01:00,040 --> 00:01:01,000\nYes\n"
    )
    assert cues(file) == [(1.0, 2.5, "<i>Hello</i>\nthere"), (60.04, 61.0, "Yes")]
    assert (file.format, file.n_found, file.repaired, file.dropped) == ("srt", 2, {}, {})


@pytest.mark.parametrize(
    ("timing", "expected", "repaired"),
    [
        ("100:00:01,000 --> 100:00:02,000", (360001.0, 360002.0), "hours over 99"),
        ("00:00:01 --> 00:00:02", (1.0, 2.0), "missing milliseconds"),
        ("00:01,500 --> 00:02,000", (1.5, 2.0), "missing hours"),
    ],
)
def test_odd_time_stamps_are_read_right_and_counted(timing, expected, repaired):
    file = read_subtitles(f"1\n{timing}\nHello\n")
    assert cues(file) == [(*expected, "Hello")]
    assert file.repaired == {repaired: 1}


@pytest.mark.parametrize(
    ("cue", "reason"),
    [
        ("00:00:0x,000 --> 00:00:02,000\nHello", "bad timestamp"),
        ("00:00:61,000 --> 00:00:62,000\nHello", "bad timestamp"),
        ("00:00:05,000 --> 00:00:04,000\nHello", "end before start"),
        ("00:00:05,000 --> 00:00:05,000\nHello", "no duration"),
        ("00:00:05,000 --> 00:00:06,000\n<i> </i>", "empty"),
        ("00:00:01,000 --> 00:00:02,000\nFirst", "duplicate"),
    ],
)
def test_every_cue_that_is_dropped_is_counted_by_reason(cue, reason):
    file = read_subtitles(
        f"1\n00:00:01,000 --> 00:00:02,000\nFirst\n\n2\n{cue}\n\n3\n"
        "00:00:09,000 --> 00:00:10,000\nLast\n"
    )
    assert cues(file) == [(1.0, 2.0, "First"), (9.0, 10.0, "Last")]
    assert file.dropped == {reason: 1}
    assert file.n_found == len(file.cues) + sum(file.dropped.values())


def test_number_line_without_a_blank_line_is_not_dialogue():
    file = read_subtitles(
        "7\n00:00:01,000 --> 00:00:02,000\nOne\n8\n00:00:03,000 --> 00:00:04,000\nTwo\n"
    )
    assert cues(file) == [(1.0, 2.0, "One"), (3.0, 4.0, "Two")]
    assert file.repaired == {"number line inside a cue": 1}


def test_number_that_is_spoken_stays():
    file = read_subtitles(
        "7\n00:00:01,000 --> 00:00:02,000\nHow old?\n42\n\n8\n00:00:03,000 --> 00:00:04,000\n1984\n"
    )
    assert cues(file) == [(1.0, 2.0, "How old?\n42"), (3.0, 4.0, "1984")]
    assert file.repaired == {}


def test_cues_out_of_order_come_back_in_order_of_time():
    file = read_subtitles(
        "1\n00:00:03,000 --> 00:00:04,000\nB\n\n2\n00:00:01,000 --> 00:00:02,000\nA\n"
    )
    assert [c.text for c in file.cues] == ["A", "B"]


def test_webvtt_notes_styles_settings_and_identifiers_are_not_text():
    file = read_subtitles(
        "WEBVTT\n\nSTYLE\n::cue {color: red}\n\nNOTE 00:01.000 --> 00:02.000\nnot shown\n\n"
        "intro\n00:01.000 --> 00:02.000 align:left line:0\n<v Ann>Hi</v>\n\n"
        "01:00:00.000 --> 01:00:01.000\nYo\n"
    )
    assert cues(file) == [(1.0, 2.0, "<v Ann>Hi</v>"), (3600.0, 3601.0, "Yo")]


def test_sbv_is_read():
    file = read_subtitles("0:00:01.000,0:00:02.500\nHello\nthere\n\n0:00:03.000,0:00:04.000\nYes\n")
    assert file.format == "sbv"
    assert cues(file) == [(1.0, 2.5, "Hello\nthere"), (3.0, 4.0, "Yes")]


ASS = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


def test_ass_counts_bad_time_stamps_comments_and_drawings():
    file = read_subtitles(
        ASS
        + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Hello,{\\i0}\\Nthere\n"
        + "Dialogue: 0,oops,0:00:04.00,Default,,0,0,0,,Lost\n"
        + "Comment: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,A remark\n"
        + "Dialogue: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 1{\\p0}\n"
    )
    assert file.format == "ass"
    assert cues(file) == [(1.0, 2.0, "Hello,\nthere")]
    assert file.dropped == {"bad timestamp": 1, "comment": 1, "drawing": 1}
    assert file.n_found == 4


def test_microdvd_counts_frames_at_its_own_rate_else_at_the_films():
    text = "{25}{50}Hello|there\n{100}{125}Yes\n"
    assert cues(read_subtitles(text, fps=Fraction(25))) == [
        (1.0, 2.0, "Hello\nthere"),
        (4.0, 5.0, "Yes"),
    ]
    stated = read_subtitles("{1}{1}50\n" + text, fps=Fraction(25))
    assert cues(stated) == [(0.5, 1.0, "Hello\nthere"), (2.0, 2.5, "Yes")]
    assert stated.n_found == 2


def test_microdvd_without_a_rate_says_what_to_add():
    with pytest.raises(SubtitleError, match="how many a second"):
        read_subtitles("{25}{50}Hello\n")


def test_sami_and_ttml_are_read():
    sami = "<SAMI><BODY><SYNC Start=1000><P>Hello<SYNC Start=3000><P>Yes</BODY></SAMI>"
    ttml = (
        '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>'
        '<p begin="1s" end="00:00:02.500">Hello<br/>there</p></div></body></tt>'
    )
    assert [(c.start_s, c.text) for c in read_subtitles(sami).cues] == [
        (1.0, "Hello"),
        (3.0, "Yes"),
    ]
    assert cues(read_subtitles(ttml)) == [(1.0, 2.5, "Hello\nthere")]


TURKISH = "1\n00:00:01,000 --> 00:00:04,000\nBir şey değil, çok güzel bir gün, öyle değil mi?\n"
RUSSIAN = "1\n00:00:01,000 --> 00:00:04,000\nЗдравствуйте, товарищи! Сегодня хорошая погода.\n"


@pytest.mark.parametrize(
    ("data", "encoding", "by", "text"),
    [
        ("\ufeff" + RUSSIAN, "utf-8", "bom", RUSSIAN),
        (RUSSIAN, "utf-8", "utf-8", RUSSIAN),
        (RUSSIAN, "utf-16", "bom", RUSSIAN),
        (TURKISH, "utf-16-le", "zero bytes", TURKISH),
        (TURKISH, "utf-16-be", "zero bytes", TURKISH),
        (RUSSIAN, "cp1251", "detection", RUSSIAN),
    ],
)
def test_encodings_are_found_and_reported(data, encoding, by, text):
    file = read_subtitles(data.encode(encoding))
    assert file.cues[0].text == text.split("\n")[2]
    assert file.encoding_by == by
    if by != "detection":
        assert file.encoding.startswith(encoding)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"PK\x03\x04rest of a zip", "zip archive"),
        (b"<!DOCTYPE html><html><body>1\n00:00:01,000 --> 00:00:02,000\n", "web page"),
        (b"\x00\x01\x02\x03 binary \x00\x00 data", "not text"),
        (b"# VobSub index file, v7\ntimestamp: 00:00:01:000, filepos: 000000000\n", "bitmap"),
        (b"Just a letter to somebody.\n", "no line has the time of a cue"),
        (b"\xff\xfea", "says it is utf-16"),
    ],
)
def test_what_is_not_a_subtitle_file_is_refused_by_name(data, message):
    with pytest.raises(SubtitleError, match=message):
        read_subtitles(data)


def test_missing_file_is_one_clear_error(tmp_path):
    with pytest.raises(SubtitleError, match="not there"):
        read_subtitles(tmp_path / "absent.srt")


def test_file_with_no_usable_cue_says_why_they_were_dropped():
    file = read_subtitles("1\n00:00:05,000 --> 00:00:04,000\nHello\n")
    assert file.cues == ()
    assert file.dropped == {"end before start": 1}
