"""`gazeline media` and `gazeline features` on files that are no films, or have odd names."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from gazeline.cli import main
from media.clips import ffmpeg, tone, write_greys, write_sound

H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p")
SRT = "1\n00:00:00,000 --> 00:00:00,500\nHello\n\n2\n00:00:00,600 --> 00:00:01,000\nYou\n"


def gazeline(*arguments: str | Path):
    return CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)


@pytest.fixture(autouse=True)
def outside_a_project(tmp_path, monkeypatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def only_cover(path: Path) -> Path:
    picture = path.with_name("cover.jpg")
    Image.new("RGB", (64, 64)).save(picture)
    copied = ("-c", "copy", "-disposition:v", "attached_pic", "-f", "mp4")
    ffmpeg("-i", picture, *copied, path)
    return path


def text_file(path: Path) -> Path:
    path.write_text("these are notes\n" * 50, encoding="utf-8")
    return path


def zip_file(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("film.txt", "no film" * 100)
    return path


def empty(path: Path) -> Path:
    path.touch()
    return path


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def still(path: Path) -> Path:
    Image.new("RGB", (64, 64)).save(path, format="PNG")
    return path


def subtitles(path: Path) -> Path:
    path.write_text(SRT, encoding="utf-8")
    return path


def cut_off(path: Path) -> Path:
    data = write_greys(path, 100, "25", "-f", "mp4", codec=H264).read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


def lost_link(path: Path) -> Path:
    path.symlink_to(path.with_name("gone"))
    return path


BAD = {
    text_file: "notes.mkv is not a film",
    zip_file: "notes.mkv is not a film",
    empty: "notes.mkv is not a film: it is empty",
    folder: "notes.mkv is not a film: it is a folder",
    still: "notes.mkv is not a film",
    subtitles: "notes.mkv is not a film: it holds subtitles only",
    only_cover: "notes.mkv is not a film: it holds cover art only",
    cut_off: "notes.mkv is not a film: its index is missing; the file is cut off",
    lost_link: "The film file notes.mkv is not there",
    Path: "The film file notes.mkv is not there",
}


@pytest.mark.parametrize("make", BAD, ids=lambda make: make.__name__)
def test_what_is_no_film_is_said_with_place_and_remedy(tmp_path, make):
    path = make(tmp_path / "notes.mkv")
    for command in (("media",), ("media", "--quick")):
        done = gazeline(*command, path)
        assert done.exit_code == 1
        assert BAD[make] in done.output
        assert f"where: {tmp_path}" in done.output
        assert "to do: " in done.output
        assert "Traceback" not in done.output
    done = gazeline("media", path, "--json")
    assert BAD[make] in json.loads(done.stdout)["error"]["what"]


def test_the_remedy_fits_the_file(tmp_path):
    held = gazeline("media", subtitles(tmp_path / "lines.mkv"))
    assert "`gazeline subtitles FILE` reads this file" in held.output
    gone = gazeline("media", tmp_path / "gone.mkv").output
    assert "to do: check the path" in gone
    assert "params.yaml" not in gone
    registered = gazeline("media", Path("data/films/gone.mkv")).output
    assert "films.<film>.copy in params.yaml" in registered


def test_a_file_that_may_not_be_read_is_said(tmp_path):
    path = write_greys(tmp_path / "film.mkv", 10, "25", codec=H264)
    path.chmod(0)
    gazeline("media", path.with_name("gone.mkv"))  # imports what nobody may not read
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(65534)
    try:
        done = gazeline("media", path)
    finally:
        if was_root:
            os.seteuid(0)
    assert done.exit_code == 1
    assert "The film file film.mkv cannot be read: Permission denied" in done.output
    assert f"where: {path}" in done.output


@pytest.mark.parametrize(
    "name",
    ["two words.mkv", 'it\'s "odd".mkv', "-dash.mkv", "two\nlines.mkv", "A: B.mkv", "50%d.mkv"],
)
def test_odd_names_are_read(tmp_path, monkeypatch, name):
    clip = write_greys(tmp_path / "film.mkv", 20, "25", codec=H264)
    monkeypatch.chdir(tmp_path)
    os.rename(clip, name)
    done = gazeline("media", "--json", "--", name)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["pictures"]["frames"] == 20
    shown = gazeline("media", "--", name).stdout
    assert shown.splitlines()[0] == name.replace("\n", "\\n")


def test_a_name_that_is_not_text_is_refused(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.mkv"))
    write_greys(tmp_path / "film.mkv", 5, "25", codec=H264).rename(path)
    done = gazeline("media", path)
    assert done.exit_code == 1
    assert "The name of caf\\udce9.mkv is not UTF-8" in done.output
    done = gazeline("features", path, "--out", "out", "--encoder", "tiny-ast")
    assert done.exit_code == 1
    assert "is not UTF-8" in done.output


def test_a_file_of_sound_is_no_error_and_its_cover_is_ignored(tmp_path):
    sound = write_sound(tmp_path / "sound.wav", tone(3, 16_000), 16_000)
    picture, song = tmp_path / "cover.jpg", tmp_path / "song.m4a"
    Image.new("RGB", (64, 64)).save(picture)
    both = ("-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic")
    ffmpeg("-i", sound, "-i", picture, *both, song)
    done = gazeline("media", song)
    assert done.exit_code == 0
    assert "none: the file has no picture" in done.output
    assert "stream 1, mjpeg: cover art" in done.output
    assert "2 chunks of 2 s; no video features: there is no picture" in done.output


def test_one_bad_file_among_good_ones_is_named_and_the_others_are_shown(tmp_path):
    good = write_greys(tmp_path / "good.mkv", 20, "25", codec=H264)
    done = gazeline("media", tmp_path / "gone.mkv", good, "--json")
    bad, shown = (json.loads(line) for line in done.stdout.splitlines())
    assert done.exit_code == 1
    assert bad["error"]["what"] == "The film file gone.mkv is not there"
    assert shown["gazeline"]["windows"] == 1


def test_subtitle_files_beside_a_film_are_named(tmp_path):
    film = write_greys(tmp_path / "film.mkv", 20, "25", codec=H264)
    subtitles(tmp_path / "film.en.srt")
    assert "beside it  film.en.srt" in gazeline("media", film).output
    assert json.loads(gazeline("media", film, "--json").stdout)["subtitles_beside"] == [
        "film.en.srt"
    ]


def test_a_broken_params_file_is_named(tmp_path):
    Path("params.yaml").write_text("features: {video: {window_frame: 3}}\n")
    done = gazeline("media", write_greys(tmp_path / "film.mkv", 5, "25", codec=H264))
    assert done.exit_code == 1
    assert "did you mean window_frames?" in done.output


def test_the_grid_of_the_project_is_the_one_that_is_counted(tmp_path):
    Path("params.yaml").write_text("features: {video: {window_frames: 4, stride_frames: 2}}\n")
    done = gazeline("media", write_greys(tmp_path / "film.mkv", 20, "25", codec=H264))
    assert "9 windows of 4 frames every 2" in done.output
