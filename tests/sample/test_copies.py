"""The copies as other programs see them."""

from __future__ import annotations

import hashlib
import json
import subprocess
from fractions import Fraction

import pytest

from gazeline.media.probing.binaries import wheel_binaries
from gazeline.params.sample import SampleParams
from gazeline.sample.copies import truth
from gazeline.sample.make import make_sample

pytestmark = pytest.mark.slow

COPIES = {
    "lantern.mkv": (Fraction(24000, 1001), ["h264", "flac", "subrip"]),
    "ferry.mp4": (Fraction(25), ["h264", "flac"]),
    "orchard.mkv": (Fraction(24000, 1001), ["h264", "flac", "subrip"]),
    "tram.mkv": (Fraction(24000, 1001), ["h264", "flac", "subrip"]),
    "kite.mkv": (Fraction(24000, 1001), ["h264", "subrip"]),
    "glass.mp4": (Fraction(24000, 1001), ["h264", "flac"]),
}


def probe(path, *arguments):
    command = [wheel_binaries().ffprobe, "-v", "error", "-of", "json", *arguments, str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def decoded_errors(path):
    command = [wheel_binaries().ffmpeg, "-v", "warning", "-i", str(path), "-f", "null", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


def digests(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def test_folder_holds_the_outs_of_the_stage_and_nothing_else(made):
    names = {path.name for path in made.films.iterdir()}
    assert names == {f"sample-{name}" for name in COPIES} | {"sample-ferry.srt"}


@pytest.mark.parametrize("name", COPIES)
def test_copy_has_the_streams_rate_and_duration_of_its_map(made, name):
    rate, codecs = COPIES[name]
    path = made.films / f"sample-{name}"
    found = probe(path, "-show_streams", "-count_packets", "-show_format")
    assert [stream["codec_name"] for stream in found["streams"]] == codecs
    video = found["streams"][0]
    assert Fraction(video["r_frame_rate"]) == rate
    assert (video["width"], video["height"]) == (384, 216)
    last = truth(made.params)[f"sample-{name.split('.')[0]}"].pieces[-1]
    end_s = last.to_copy(last.annotation_end_s)
    assert int(video["nb_read_packets"]) == round(end_s * rate)
    assert float(found["format"]["duration"]) == pytest.approx(end_s, abs=0.03)
    assert float(found["format"]["start_time"]) == 0.0


@pytest.mark.parametrize("name", [n for n, (_, codecs) in COPIES.items() if "flac" in codecs])
def test_sound_is_48_khz_stereo_and_as_long_as_the_picture(made, name):
    path = made.films / f"sample-{name}"
    command = [wheel_binaries().ffmpeg, "-v", "error", "-i", str(path), "-map", "0:a"]
    command += ["-f", "s16le", "-"]
    n_samples = len(subprocess.run(command, check=True, capture_output=True).stdout) / 4
    (stream,) = probe(path, "-show_streams", "-select_streams", "a")["streams"]
    assert (stream["sample_rate"], stream["channels"]) == ("48000", 2)
    last = truth(made.params)[f"sample-{name.split('.')[0]}"].pieces[-1]
    assert n_samples / 48000 == pytest.approx(last.to_copy(last.annotation_end_s), abs=1e-4)


@pytest.mark.parametrize("name", COPIES)
def test_copy_decodes_without_a_warning(made, name):
    assert decoded_errors(made.films / f"sample-{name}") == ""


def test_sidecar_is_on_the_faster_clock_with_other_words(made):
    text = (made.films / "sample-ferry.srt").read_text(encoding="utf-8")
    blocks = text.strip().split("\n\n")
    released = [cue for cue in made.release.subtitles if cue[1] == "12"]
    assert len(blocks) > len(released)
    last = blocks[-1].split("\n")[1].split(" --> ")[1]
    hours, minutes, seconds = last.replace(",", ".").split(":")
    end_s = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
    ours = max(float(cue[5].split(":")[2]) for cue in released)
    assert end_s == pytest.approx(ours * 24000 / 1001 / 25, abs=0.05)


def test_same_params_give_the_same_bytes_and_replace_what_was_there(tmp_path):
    params = SampleParams(seconds=10)
    release, films = tmp_path / "release", tmp_path / "films"
    make_sample(params, release, films)
    first = digests(tmp_path)
    # Files in MObyGaze's format, copies and subtitles, events and shots, series and fear.
    assert len(first) == 6 + 8 + 6 * 4 + 6 * 2
    (release / "stale.csv").write_text("left over")
    make_sample(params, release, films)
    assert digests(tmp_path) == first
