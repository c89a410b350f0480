"""A film is registered with a subtitle file only if that file can be read."""

from __future__ import annotations

import pytest

from gazeline.errors import MediaError, SubtitleError
from gazeline.orchestration.corpora import check_copies
from gazeline.orchestration.films import Copy, check_copy, with_sidecar
from media.clips import write_greys

SRT = "1\n00:00:01,000 --> 00:00:02,000\nHello\n"


@pytest.fixture
def film(tmp_path):
    return write_greys(tmp_path / "Juno.mkv", 5, "25")


def test_a_subtitle_file_and_one_that_counts_the_films_frames_are_taken(film):
    for suffix, text in ((".srt", SRT), (".sub", "{25}{50}Hello\n")):
        subtitles = film.with_suffix(suffix)
        subtitles.write_text(text, encoding="utf-8")
        check_copy(Copy("tt0467406", film, subtitles))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<html><body>Sign in</body></html>", "web page"),
        (b"PK\x03\x04" + bytes(30), "zip archive"),
        (b"", "empty"),
        (b"1\n00:00:02,000 --> 00:00:01,000\nBack\n", "no usable cue.*end before start"),
        (b"A letter.\n", "no line has the time of a cue"),
    ],
)
def test_what_is_no_subtitle_file_is_refused(film, data, message):
    subtitles = film.with_suffix(".srt")
    subtitles.write_bytes(data)
    with pytest.raises(SubtitleError, match=message):
        check_copy(with_sidecar(Copy("tt0467406", film)))
    with pytest.raises(
        MediaError, match="1 of 1 copies cannot be read; nothing was changed"
    ) as told:
        check_copies([Copy("tt0467406", film, subtitles)])
    assert str(subtitles) in told.value.where


def test_a_film_given_as_its_own_subtitles_is_refused(film):
    with pytest.raises(SubtitleError, match="a Matroska video, not a subtitle file"):
        check_copy(Copy("tt0467406", film, film))


def test_a_missing_copy_is_named_before_its_folder_is_searched(tmp_path):
    copy = Copy("tt0467406", tmp_path / "nowhere" / "Juno.mkv")
    with pytest.raises(MediaError, match="There is no file"):
        check_copy(with_sidecar(copy))
