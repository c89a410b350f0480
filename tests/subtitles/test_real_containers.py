"""Every film of the shared collection: its subtitles, or the one clear error."""

from __future__ import annotations

import pytest

from gazeline.errors import GazelineError
from gazeline.subtitles.tracks.container import is_container
from gazeline.subtitles.tracks.inspect import inspect_subtitles

# name | track taken and its codec | format, encoding and what it is known by | cues in and out
#   | first and last start, seconds | the first cue begins with | the last cue begins with
TEXTS = """
axm_sample_with_srt.mkv | 2 subrip | srt utf-8 utf-8 | 1 1 | 0.0 0.0
  | This is the first | This is the first
se_sample_MP4.mp4 | 0 mov_text | srt utf-8 utf-8 | 808 808 | 11.08 2594.2
  | <font size="36">(Alan) 'Chapter one. | <font size="36">(♪ Theme music)
se_sample_MP4_SRT.mp4 | 2 mov_text | srt utf-8 utf-8 | 2 2 | 1.0 3.024
  | <font face="Serif" size="18">Line 1 | <font face="Serif" size="18">Line 2
tc_nasa_13013.mp4 | 2 mov_text | srt utf-8 utf-8 | 4 4 | 0.21 12.47
  | NAR: This is the optical | This half of the
"""
# name | track and codec | number of pictures | first start and last end, seconds
PICTURES = """
popeye_p1_pgs.mkv | 1 hdmv_pgs_subtitle | 11 | 12.417 63.542
popeye_p1_vobsub.mkv | 1 dvd_subtitle | 15 | 12.045 64.98808888888888
"""
WITHOUT = """
axm_bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4
axm_invalid-bitstream.webm
axm_sample_eac3.mp4
axm_sample_missing_stsd.mp4
axm_sample_portrait.mp4
axm_sample_video_only.mp4
decord_corrupted.mp4
mpy_big_buck_bunny_0_30.webm
mpy_fire2.mp4
mpy_no_duration.webm
mpy_video_with_failing_audio.mp4
psd_delayed_start.mp4
skv_bigbuckbunny.mp4
tc_h265_10bits.mp4
tos-battle-clip-medium.webm
"""


def rows(table, lines_each=1):
    lines = iter(table.strip().splitlines())
    joined = ("".join(part) for part in zip(*[lines] * lines_each, strict=True))
    return [[part.strip() for part in line.split("|")] for line in joined]


@pytest.mark.parametrize("row", rows(TEXTS, 2), ids=lambda row: row[0])
def test_the_text_of_a_real_film_comes_out(row, shared):
    name, track, known, counts, starts, first, last = row
    found = inspect_subtitles(shared / "media" / name)
    stream, file = found.choice.track.stream, found.file
    assert f"{stream.index} {stream.codec}" == track
    assert f"{file.format} {file.encoding} {file.encoding_by}" == known
    assert f"{file.n_found} {len(file.cues)}" == counts
    assert f"{file.cues[0].start_s} {file.cues[-1].start_s}" == starts
    assert file.cues[0].text.startswith(first)
    assert file.cues[-1].text.startswith(last)
    assert (file.repaired, file.dropped, found.unread, found.pictures) == ({}, {}, (), ())


@pytest.mark.parametrize("row", rows(PICTURES), ids=lambda row: row[0])
def test_the_pictures_of_a_real_film_are_timed(row, shared):
    name, track, count, times = row
    found = inspect_subtitles(shared / "media" / name)
    assert found.file is None
    (pictures,) = found.pictures
    assert f"{pictures.stream.index} {pictures.stream.codec}" == track
    assert len(pictures.intervals) == int(count)
    assert f"{pictures.intervals[0][0]} {pictures.intervals[-1][1]}" == times


@pytest.mark.parametrize("name", WITHOUT.split())
def test_a_real_film_without_subtitles_says_so(name, shared):
    with pytest.raises(GazelineError, match="has no subtitles inside"):
        inspect_subtitles(shared / "media" / name)


def test_no_film_of_the_collection_is_left_out_or_taken_for_a_subtitle_file(shared):
    names = {row[0] for row in (*rows(TEXTS, 2), *rows(PICTURES))} | set(WITHOUT.split())
    assert {path.name for path in (shared / "media").iterdir()} == names
    assert all(is_container(path) for path in (shared / "media").iterdir())
    assert not any(is_container(path) for path in (shared / "subtitles").iterdir())
