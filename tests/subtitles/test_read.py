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
        ("-00:00:01,000 --> 00:00:02,000\nBefore the film", "bad timestamp"),
        ("00:00:03\nNo arrow", "bad timestamp"),
        ("00:00:03,000 --> \nCut off", "bad timestamp"),
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


def test_a_repair_of_a_cue_that_is_dropped_is_not_counted():
    file = read_subtitles("1\n00:00:05 --> 00:00:04\nHello\n")
    assert (file.repaired, file.dropped) == ({}, {"end before start": 1})


def test_an_arrow_in_what_is_said_is_no_time():
    file = read_subtitles("1\n00:00:01,000 --> 00:00:02,000\nRoute 1 -> 2\n")
    assert cues(file) == [(1.0, 2.0, "Route 1 -> 2")]


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


def test_webvtt_cues_without_blank_lines_between_or_with_one_inside_are_all_there():
    file = read_subtitles(
        "WEBVTT\n\n1\n00:01.000 --> 00:02.000\nOne\n2\n00:03.000 --> 00:04.000\nTwo\n\nmore\n\n"
        "3\n00:05.000 --> 00:06.000\nThree\n00:07.000 --> 00:08.000\nFour\n"
    )
    assert [c.text for c in file.cues] == ["One", "Two\n\nmore", "Three", "Four"]
    assert file.repaired == {
        "number line inside a cue": 1,
        "blank line inside a cue": 1,
        "no blank line after it": 1,
    }


def test_sbv_cues_with_a_blank_line_inside_or_a_bad_time_are_counted():
    file = read_subtitles(
        "0:00:01.000,0:00:02.000\nOne\n\nmore\n\n0:00:0x.000,0:00:04.000\nLost\n\n"
        "0:00:05.000,0:00:06.000\nThree\n"
    )
    assert [c.text for c in file.cues] == ["One\n\nmore", "Three"]
    assert (file.n_found, file.dropped) == (3, {"bad timestamp": 1})


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


def test_microdvd_lines_that_are_not_frames_are_counted():
    file = read_subtitles("{DEFAULT}{y:i}\n{25}{50}Hello\n{oops}{60}Lost\n", fps=Fraction(25))
    assert cues(file) == [(1.0, 2.0, "Hello")]
    assert (file.n_found, file.dropped) == (2, {"bad timestamp": 1})


SAMI = """<SAMI><HEAD><STYLE TYPE="text/css"><!-- .ENCC {Name: English; lang: en-US;} --></STYLE>
</HEAD><BODY>
<SYNC Start=1000><P Class=ENCC>Hello,<br>you &amp; me<P Class=FRCC>Bonjour
<SYNC Start=3000><P Class=ENCC>&nbsp;
<SYNC Start="oops"><P Class=ENCC>Lost
<SYNC Start=4000><P Class=ENCC>Yes</P></SYNC>
</BODY></SAMI>"""


def test_sami_gives_the_language_with_most_lines_and_counts_the_others():
    file = read_subtitles(SAMI)
    assert file.format == "sami"
    assert cues(file) == [(1.0, 3.0, "Hello,\nyou & me"), (4.0, 8.0, "Yes")]
    assert file.repaired == {"no end": 1}
    assert file.dropped == {"another language": 1, "bad timestamp": 1}
    assert file.n_found == 4


TTML = """<?xml version="1.0" encoding="UTF-16"?>
<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"
 ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:tickRate="1000"><tt:body>{}</tt:body>
</tt:tt>"""


def ttml(body: str) -> SubtitleFile:
    tags = body.replace("</", "</tt:").replace("<p", "<tt:p").replace("<div", "<tt:div")
    return read_subtitles(TTML.format(tags.replace("<span", "<tt:span").replace("<br", "<tt:br")))


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ('begin="1s" end="00:00:02.500"', (1.0, 2.5)),
        ('begin="00:00:01:15" end="60f"', (1 + 15 * 1.001 / 30, 60 * 1.001 / 30)),
        ('begin="500t" dur="1500ms"', (0.5, 2.0)),
        ('begin="0.5m" end="0.01h"', (30.0, 36.0)),
        ('begin="1s" end="9s" dur="2s"', (1.0, 3.0)),
    ],
)
def test_ttml_knows_clocks_frames_ticks_and_durations(times, expected):
    ((start, end, text),) = cues(ttml(f"<div><p {times}>Hello<br/>\n  there</p></div>"))
    assert (start, end) == pytest.approx(expected, abs=1e-6)
    assert text == "Hello\nthere"


def test_ttml_counts_from_the_start_of_the_block_and_takes_times_of_its_parts():
    file = ttml(
        '<div begin="10s" end="20s"><p begin="1s" end="2s">One</p><p>Two</p></div>'
        '<div><p><span begin="30s" end="31s">Th</span><span begin="32s" end="33s">ree</span></p>'
        "</div>"
    )
    assert cues(file) == [(10.0, 20.0, "Two"), (11.0, 12.0, "One"), (30.0, 33.0, "Three")]


def test_ttml_cues_without_a_time_or_with_a_bad_one_are_counted():
    file = ttml(
        '<div><p>Lost</p><p begin="soon" end="2s">Lost</p><p begin="3s" end="4s">A</p></div>'
    )
    assert file.dropped == {"bad timestamp": 1, "without a time": 1}
    assert (file.n_found, len(file.cues)) == (3, 1)


def test_ttml_that_is_cut_off_says_so():
    with pytest.raises(SubtitleError, match="cut off or damaged"):
        read_subtitles('<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="1s" end="2s">A')


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


LANGUAGES = [
    ("cp1252", "Ça va très bien, merci. Où est-il allé ? Déjà à l'école."),
    ("cp1252", "Não, não é possível. Coração, irmão."),
    ("cp1252", "Schöne Grüße, mein Fräulein. Was heißt das?"),
    ("cp1252", "It’s “fine” – don’t worry…"),
    ("cp1250", "Zażółć gęślą jaźń. Cześć, dziękuję bardzo, proszę."),
    ("cp1250", "Jó napot! Köszönöm, jól. Őrült tűz."),
    ("cp1251", "Здравствуйте, товарищи! Сегодня хорошая погода."),
    ("koi8-r", "Здравствуйте, товарищи! Сегодня хорошая погода."),
    ("cp1253", "Καλημέρα, τι κάνεις; Είμαι καλά ευχαριστώ."),
    ("cp1254", "Bir şey değil, çok güzel bir gün, öyle değil mi?"),
    ("cp1255", "שלום, מה שלומך היום? הכל בסדר."),
    ("cp1256", "مرحبا كيف حالك اليوم؟ أنا بخير شكرا."),
    ("shift_jis", "こんにちは、お元気ですか。今日はいい天気ですね。"),
    ("euc-kr", "안녕하세요, 오늘 날씨가 좋네요."),
    ("big5", "你好，今天天氣很好。"),
]


@pytest.mark.parametrize(("encoding", "line"), LANGUAGES, ids=[line[:12] for _, line in LANGUAGES])
def test_a_line_in_the_usual_encoding_of_its_language_is_read_right(encoding, line):
    file = read_subtitles(f"1\n00:00:01,000 --> 00:00:02,000\n{line}\n".encode(encoding))
    assert file.cues[0].text == line
    assert file.encoding_by == "detection"


def test_a_few_damaged_bytes_do_not_make_utf_8_another_encoding():
    line = "Où est l'école ? Là-bas, à côté de l'église — très près."
    data = f"1\n00:00:01,000 --> 00:00:02,000\n{line} !\n".encode().replace(b"!", b"\xe9")
    file = read_subtitles(data)
    assert file.cues[0].text == f"{line} \ufffd"
    assert (file.encoding, file.encoding_by) == ("utf-8", "utf-8 but for damaged bytes")
    assert file.repaired == {"damaged bytes, marked \ufffd": 1}


def test_a_character_in_halves_does_not_make_utf_8_another_encoding():
    head = b"1\n00:00:01,000 --> 00:00:02,000\n"
    lone = read_subtitles(head + b"\xed\xa0\x80 lone\n")
    assert lone.cues[0].text == "\ufffd lone"
    assert (lone.encoding, lone.repaired) == ("utf-8", {"damaged bytes, marked \ufffd": 1})
    pair = read_subtitles(head + b"\xed\xa0\xbd\xed\xb8\x80 smile\n")
    assert (pair.cues[0].text, pair.repaired) == ("\U0001f600 smile", {})


def test_a_file_in_two_encodings_is_read_line_by_line():
    one, two = "Café déjà vu à Noël", "Être élève à Noël"
    stamps = [f"{n}\n{_stamp(n)} --> {_stamp(n + 1)}\n".encode() for n in (1, 3)]
    data = stamps[0] + one.encode() + b"\n\n" + stamps[1] + two.encode("cp1252") + b"\n"
    file = read_subtitles(data)
    assert [cue.text for cue in file.cues] == [one, two]
    assert (file.encoding, file.encoding_by) == ("utf-8 and cp1252", "line by line")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"<?xml version='1.0'?>\n<!-- 1:00 --> <html><p>1:00 --> 2:00</p></html>", "web page"),
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


@pytest.mark.slow
def test_200_000_cues_are_read():
    blocks = (f"{i}\n{_stamp(i)} --> {_stamp(i + 0.5)}\nLine {i}\n" for i in range(200_000))
    file = read_subtitles("\n".join(blocks))
    assert (len(file.cues), file.n_found, file.dropped) == (200_000, 200_000, {})
    assert file.cues[-1].start_s == 199_999


def _stamp(seconds: float) -> str:
    whole = int(seconds)
    clock = f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"
    return f"{clock},{round(seconds % 1 * 1000):03d}"


def test_missing_file_is_one_clear_error(tmp_path):
    with pytest.raises(SubtitleError, match="not there"):
        read_subtitles(tmp_path / "absent.srt")


def test_file_with_no_usable_cue_says_why_they_were_dropped():
    file = read_subtitles("1\n00:00:05,000 --> 00:00:04,000\nHello\n")
    assert file.cues == ()
    assert file.dropped == {"end before start": 1}
