"""`gazeline subtitles FILE` reports on any file, without a project."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner

from gazeline.cli import main
from gazeline.errors import SubtitleError
from gazeline.subtitles.reading.read import read_subtitles

LINES = """1
00:00:01,000 --> 00:00:02,000
<i>- MARLA: One</i>

2
00:00:03 --> 00:00:04,500
[door]

3
00:00:09,000 --> 00:00:08,000
Lost
"""


@pytest.fixture
def srt(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "lines.srt"
    path.write_text(LINES, encoding="utf-8")
    return path


def run(*arguments):
    return CliRunner().invoke(main, ["subtitles", *map(str, arguments)])


def test_the_report_accounts_for_every_cue(srt):
    shown = run(srt).output
    assert shown.splitlines()[1:] == [
        "  format     srt",
        "  encoding   utf-8 (known by: utf-8)",
        "  cues       3 in, 2 out",
        "  repaired   1 missing milliseconds",
        "  dropped    1 end before start",
        "  first      0:00:01.000 – 0:00:02.000  <i>- MARLA: One</i>",
        "  last       0:00:03.000 – 0:00:04.500  [door]",
    ]


def test_the_report_as_json_has_the_same_numbers(srt):
    report = json.loads(run(srt, "--json", "--clean").output)
    assert (report["cues_in"], report["cues_out"]) == (3, 2)
    assert report["dropped"] == {"end before start": 1}
    assert report["first_cue"] == {"start_s": 1.0, "end_s": 2.0, "text": "<i>- MARLA: One</i>"}
    assert report["rules_fired"]["sdh"] == report["rules_fired"]["speakers"] == 1
    assert report["emptied_by_cleaning"] == 1


def test_the_cleaned_cues_are_written_as_srt(srt, tmp_path):
    out = tmp_path / "clean.srt"
    shown = run(srt, "--clean", "--out", out)
    assert shown.exit_code == 0
    assert out.read_text(encoding="utf-8") == "1\n00:00:01,000 --> 00:00:02,000\nOne\n"
    assert f"written    {out}, 1 cues" in shown.output


def test_the_cues_shown_are_the_cleaned_ones_where_cleaning_is_asked(srt):
    shown = run(srt, "--clean").output
    assert "first      0:00:01.000 – 0:00:02.000  One" in shown
    assert "last       0:00:01.000 – 0:00:02.000  One" in shown
    report = json.loads(run(srt, "--json", "--clean").output)
    assert report["last_cue_cleaned"] == {"start_s": 1.0, "end_s": 2.0, "text": "One"}


def test_a_file_that_is_there_is_written_over_only_by_force(srt, tmp_path):
    out = tmp_path / "mine.srt"
    out.write_text("mine", encoding="utf-8")
    refused = run(srt, "--out", out)
    assert refused.exit_code == 1
    assert "mine.srt is already there" in refused.output
    assert "--force" in refused.output
    assert out.read_text(encoding="utf-8") == "mine"
    assert run(srt, "--out", out, "--force").exit_code == 0
    assert read_subtitles(out).cues == read_subtitles(srt).cues


def test_no_folder_is_made_and_no_empty_file_written(srt, tmp_path):
    refused = run(srt, "--out", tmp_path / "new" / "a.srt")
    assert refused.exit_code == 1
    assert f"There is no folder {tmp_path / 'new'}" in refused.output
    assert not (tmp_path / "new").exists()
    srt.write_text("1\n00:00:03,000 --> 00:00:04,500\n[door]\n", encoding="utf-8")
    refused = run(srt, "--clean", "--out", tmp_path / "a.srt")
    assert refused.exit_code == 1
    assert "No cue is left to write" in refused.output
    assert not (tmp_path / "a.srt").exists()


def test_a_folder_is_said_to_be_one_with_its_name(srt, tmp_path):
    for name in (".", tmp_path):
        refused = run(name)
        assert refused.exit_code == 1
        assert f"{tmp_path.name} is no subtitle file: it is a folder" in refused.output
        assert "to do: give a subtitle file" in refused.output


def test_what_is_written_reads_back_the_same(srt, tmp_path):
    run(srt, "--out", tmp_path / "copy.srt")
    assert read_subtitles(tmp_path / "copy.srt").cues == read_subtitles(srt).cues


@pytest.mark.parametrize(
    ("out", "message"),
    [("lines.srt", "over the file that is read"), ("link.srt", "over the file"),
     ("lines.vtt", "not named as an SRT file")],
)  # fmt: skip
def test_the_file_that_is_read_is_never_written_over(srt, tmp_path, out, message, capfd):
    (tmp_path / "link.srt").symlink_to(srt)
    done = run(srt, "--out", tmp_path / out)
    assert done.exit_code == 1
    assert message in done.output + capfd.readouterr().err
    assert srt.read_text(encoding="utf-8") == LINES
    assert not (tmp_path / "lines.vtt").exists()


def test_bad_input_is_one_message_and_no_trace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.srt").write_text("<!DOCTYPE html><html>404</html>", encoding="utf-8")
    (tmp_path / "empty.srt").write_bytes(b"")
    (tmp_path / "zipped.srt").write_bytes(b"PK\x03\x04" + bytes(40))
    for name, message in (("page", "web page"), ("empty", "empty"), ("zipped", "zip archive"),
                          ("absent", "not there")):  # fmt: skip
        done = run(tmp_path / f"{name}.srt")
        assert done.exit_code == 1
        assert message in done.output
        assert "to do: " in done.output
        assert "Traceback" not in done.output


def test_a_pipe_or_device_that_may_never_end_is_not_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.srt")
    for name in ("pipe.srt", "/dev/zero"):
        done = run(name)
        assert done.exit_code == 1
        assert f"{name.rpartition('/')[2]} is no subtitle file: it is not a regular" in done.output
        assert "to do: " in done.output
    with pytest.raises(SubtitleError, match="not a regular file"):
        read_subtitles(tmp_path / "pipe.srt")


def test_pictures_are_reported_by_their_times(shared, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    film = shared / "media" / "popeye_p1_vobsub.mkv"
    shown = run(film).output
    assert "15 pictures, from 0:00:12.045 to 0:01:04.988, no text" in shown
    refused = run(film, "--out", "x.srt")
    assert refused.exit_code == 1
    assert "there is no text" in refused.output


def test_microdvd_takes_its_frame_rate_from_the_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sub").write_text("{24}{48}Hello\n", encoding="utf-8")
    assert "0:00:01.001 – 0:00:02.002  Hello" in run("a.sub", "--fps", "23.976").output
    assert "is not a frame rate" in run("a.sub", "--fps", "fast").output
