"""The text track of a film is chosen by language, default flag and density, and it is said why."""

from __future__ import annotations

import pytest

from gazeline.errors import SubtitleError
from gazeline.media.probing.streams import SubtitleStream
from gazeline.subtitles.reading.read import read_subtitles
from gazeline.subtitles.tracks.choose import ReadTrack, choose_track, language_code
from gazeline.subtitles.tracks.container import is_container, read_tracks
from gazeline.subtitles.tracks.inspect import inspect_subtitles
from media.clips import ffmpeg, write_greys


def track(index: int, language: str | None, n_cues: int, *flags: str, title: str | None = None):
    stream = SubtitleStream(
        index, "subrip", language, title, "default" in flags, "forced" in flags, "text"
    )
    return ReadTrack(stream, read_subtitles(srt(n_cues) if n_cues else "1\n0:00:09 --> 0:00:01\nA"))


def srt(n_cues: int, word: str = "Some words are said") -> str:
    return "\n".join(
        f"{i}\n00:{i // 60:02d}:{i % 60:02d},000 --> 00:{i // 60:02d}:{i % 60:02d},900\n{word}\n"
        for i in range(1, n_cues + 1)
    )


@pytest.mark.parametrize(
    ("tracks", "chosen"),
    [
        ([track(2, "fre", 90, "default"), track(3, "en", 80)], 3),
        ([track(2, "fre", 90, "default"), track(3, None, 80)], 3),
        ([track(2, "fre", 90), track(3, "deu", 90, "default")], 3),
        ([track(2, "eng", 9, "default"), track(3, "eng", 90)], 3),
        ([track(2, "eng", 90, "forced", "default"), track(3, "eng", 90)], 3),
        ([track(2, "eng", 95, title="Director's commentary"), track(3, "eng", 90)], 3),
        ([track(2, "eng", 90), track(3, "eng", 80, "default")], 3),
        ([track(2, "eng", 80), track(3, "eng", 90)], 3),
        ([track(2, "eng", 90), track(3, "eng", 90)], 2),
        ([track(2, "eng", 0, "default"), track(3, "eng", 1)], 3),
    ],
    ids=[
        "language", "unnamed before another", "default", "a full one", "not forced", "no aside",
        "default of two full ones", "denser", "first", "not an empty one",
    ],
)  # fmt: skip
def test_the_dialogue_is_chosen(tracks, chosen):
    assert choose_track(tracks).track.stream.index == chosen


def test_the_choice_is_said():
    choice = choose_track([track(2, "fre", 90), track(3, "eng", 80, "default")], ["de", "en"])
    assert choice.reason == (
        "of text tracks 2, 3 by language, default flag and density: "
        "eng as wanted, default, 80 cues of 1520 letters"
    )
    assert "fra, for none is in deu" in choose_track([track(2, "fr", 9)] * 2, ["ger"]).reason
    assert choose_track([track(2, "fre", 9)]).reason == "the only text track"


def test_languages_have_one_code():
    names = ("en", "ENG", "English", "pt-BR", "ger", "xyz", "und", None, "")
    codes = ["eng", "eng", "eng", "por", "deu", "xyz", None, None, None]
    assert [language_code(name) for name in names] == codes


@pytest.fixture
def film(tmp_path):
    """Return a film with French (default), a sparse English and a full English track."""
    files = []
    for index, (count, word) in enumerate([(20, "Des mots"), (2, "Signs"), (20, "Some words")]):
        files += ["-i", tmp_path / f"{index}.srt"]
        (tmp_path / f"{index}.srt").write_text(srt(count, word), encoding="utf-8")
    picture = write_greys(tmp_path / "picture.mkv", 25, "25")
    maps = [part for i in range(4) for part in ("-map", str(i))]
    tags = [part for i, name in enumerate(("fre", "eng", "eng"))
            for part in (f"-metadata:s:s:{i}", f"language={name}")]  # fmt: skip
    flags = ("-disposition:s:0", "default", "-c", "copy")
    path = tmp_path / "film.mkv"
    ffmpeg("-i", picture, *files, *maps, *tags, *flags, path)
    return path


def test_a_real_film_is_read_by_its_dialogue_track(film):
    assert is_container(film)
    found = inspect_subtitles(film)
    assert found.choice.track.stream.index == 3
    assert (found.file.cues[0].text, len(found.file.cues)) == ("Some words", 20)
    assert inspect_subtitles(film, languages=["fr"]).file.cues[0].text == "Des mots"
    assert inspect_subtitles(film, stream_index=2).file.cues[0].text == "Signs"


def test_a_track_asked_for_that_is_not_there_lists_those_that_are(film):
    with pytest.raises(SubtitleError, match="no text track 0") as caught:
        inspect_subtitles(film, stream_index=0)
    assert caught.value.todo.endswith("1, 2, 3")


def test_a_track_in_latin_1_loses_no_cue_and_says_its_encoding(tmp_path):
    srt_file = tmp_path / "lines.srt"
    srt_file.write_bytes(srt(3, "Où est l'école, déjà ?").encode("cp1252"))
    ffmpeg("-i", srt_file, "-c", "copy", tmp_path / "lines.mkv")
    file = inspect_subtitles(tmp_path / "lines.mkv").file
    assert (len(file.cues), file.encoding) == (3, "cp1252")
    assert file.cues[0].text == "Où est l'école, déjà ?"


def test_a_film_cut_off_in_the_middle_gives_what_it_has_and_says_what_is_damaged(film, tmp_path):
    data = film.read_bytes()
    broken = tmp_path / "broken.mkv"
    broken.write_bytes(data[: len(data) * 3 // 4])
    found = inspect_subtitles(broken)
    assert 0 < len(found.file.cues) <= 20
    assert found.choice.track.complaints


def test_one_broken_track_does_not_hide_another(film, tmp_path):
    """The bytes of the French lines are overwritten with what is no UTF-8 and no SRT."""
    broken = tmp_path / "broken.mkv"
    broken.write_bytes(film.read_bytes().replace(b"Des mots", b"\x00\xff\x00\xff\x00\xff\x00\xff"))
    kinds = [isinstance(found, ReadTrack) for found in read_tracks(broken)]
    assert kinds == [False, True, True]
    found = inspect_subtitles(broken)
    assert found.file.cues[0].text == "Some words"
    assert len(found.unread) == 1
    assert "stream 1" in found.unread[0]


def test_a_film_without_subtitles_says_so(tmp_path):
    film = write_greys(tmp_path / "silent.mkv", 5, "25")
    with pytest.raises(SubtitleError, match="has no subtitles inside"):
        inspect_subtitles(film)
