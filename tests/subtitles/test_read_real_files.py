"""Every subtitle file of the shared collection: format, encoding, counts, first and last cue."""

from __future__ import annotations

import pytest

from gazeline.subtitles.reading.read import read_subtitles

# name | format | encoding and what it is known by | cues | dropped | first and last start, seconds
#   | the first cue begins with | the last cue begins with
FILES = """
able_blocks4all_captions_en.vtt | vtt | utf-8 utf-8 | 44 | - | 1.34 157.1
  | [jaunty piano | and make
able_deadline_captions_ar.vtt | vtt | utf-8 utf-8 | 16 | - | 14.14 53.613
  | (المشروع) | [ موسيقى
able_paulallen_en.vtt | vtt | utf-8 utf-8 | 38 | - | 8.0 174.0
  | I put in 15 | It's three
emk_sample.en.srt | srt | utf-8 utf-8 | 8 | - | 62.328 78.678
  | Yay! | Aang didn't
mdn_sintel-de.vtt | vtt | utf-8 utf-8 | 14 | - | 0.0 118.25
  | <v Test> | Wir sind fast
mdn_sintel-en.vtt | vtt | utf-8 utf-8 | 14 | - | 0.0 118.25
  | <v Test> | We're almost
popeye_p1.eng.srt | srt | utf-8 bom | 14 | - | 0.0 57.668
  | [barking | <i>Sinbad the
pysubs2_subtitle_with_attached_images_aegisub.ass | ass | utf-8 bom | 0 | empty | - -
  | - | -
pysubs2_ttml_example.ttml | ttml | utf-8 utf-8 | 11 | - | 0.76 53.5
  | It seems a | How truly
pysubs2_ttml_example_apple.ttml | ttml | utf-8 utf-8 | 38 | - | 19.764 227.741
  | When you were | I don't
se_test.ass | ass | utf-8 bom | 3 | - | 1.0 10.0
  | Hello, World! | Testing SeConv
se_test.ssa | ssa | utf-8 bom | 3 | - | 1.0 10.0
  | Hello, World! | Testing SeConv
srt_ascii.srt | srt | utf-8 utf-8 | 3 | - | 27.0 34.1
  | ascii | ascii everywhere
srt_gb2312.srt | srt | gb18030 detection | 3 | - | 27.0 34.1
  | 宇宙守护神 | 轻轻一跳
videojs_elephantsdream_captions.en.vtt | vtt | utf-8 utf-8 | 78 | - | 15.0 537.0
  | At the left | ...it is.
videojs_elephantsdream_captions.ja.vtt | vtt | utf-8 utf-8 | 77 | - | 15.042 537.333
  | 左に見える | …あるって
videojs_elephantsdream_chapters.en.vtt | vtt | utf-8 utf-8 | 9 | - | 0.0 565.0
  | Prologue | Closing
videojs_elephantsdream_descriptions.en.vtt | vtt | utf-8 utf-8 | 63 | - | 0.0 647.5
  | The orange | Produced By
"""
ROWS = [
    [part.strip() for part in (first + second).split("|")]
    for first, second in zip(*[iter(FILES.strip().splitlines())] * 2, strict=True)
]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_real_file_gives_the_cues_it_holds(row, shared):
    name, kind, encoding, n_cues, dropped, starts, first, last = row
    file = read_subtitles(shared / "subtitles" / name)
    assert (file.format, f"{file.encoding} {file.encoding_by}") == (kind, encoding)
    assert len(file.cues) == int(n_cues)
    assert list(file.dropped) == ([] if dropped == "-" else [dropped])
    if file.cues:
        assert f"{file.cues[0].start_s} {file.cues[-1].start_s}" == starts
        assert file.cues[0].text.startswith(first)
        assert file.cues[-1].text.startswith(last)


def test_no_file_of_the_collection_is_left_out(shared):
    assert {p.name for p in (shared / "subtitles").iterdir()} == {row[0] for row in ROWS}
