"""Encoding fails cleanly."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from gazeline.errors import MediaError
from gazeline.sample.mux import _command, _run, encode, srt
from gazeline.sample.scenery import HEIGHT, WIDTH
from gazeline.sample.story import Cue

BLACK = bytes(WIDTH * HEIGHT * 3)


def test_interrupted_drawing_leaves_no_file(tmp_path):
    def frames():
        yield BLACK
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encode(tmp_path / "film.mkv", Fraction(24), frames(), None, None)
    assert list(tmp_path.iterdir()) == []


def test_failing_ffmpeg_is_one_error_that_names_the_film_and_leaves_no_file(tmp_path):
    with pytest.raises(MediaError, match=r"ffmpeg could not encode film\.mp4"):
        encode(tmp_path / "film.mp4", Fraction(0), iter([BLACK] * 50), None, None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk always full")
def test_a_full_disk_is_said_and_nothing_is_to_be_reinstalled(tmp_path):
    with pytest.raises(MediaError, match=r"The disk is full: film\.mkv was not written") as caught:
        _run(
            [*_command(Fraction(24), []), "-f", "matroska", "/dev/full"],
            [BLACK] * 200,
            tmp_path / "film.mkv",
        )
    assert "free some space" in caught.value.todo
    assert "reinstall" not in str(caught.value)


def test_cues_are_written_as_subrip():
    cues = [Cue(0, 1500, "One\ntwo."), Cue(3_723_004, 3_724_000, "Three.")]
    assert srt(cues) == (
        "1\n00:00:00,000 --> 00:00:01,500\nOne\ntwo.\n\n"
        "2\n01:02:03,004 --> 01:02:04,000\nThree.\n\n"
    )
