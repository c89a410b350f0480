"""When somebody speaks: a real detector on real and on made-up sound."""

from __future__ import annotations

import subprocess
import sys

import pytest

from alignment.films import make_film
from gazeline.alignment import speech
from gazeline.alignment.speech import speech_spans
from gazeline.media.probing.binaries import find_binaries
from gazeline.media.probing.probe import probe


def test_tone_and_silence_are_not_speech(tmp_path):
    tone = make_film(tmp_path / "tone.mkv", 20, video=False)
    assert speech_spans(probe(tone)) == []
    silent = make_film(tmp_path / "silent.mkv", 5)
    assert speech_spans(probe(silent)) == []


def test_real_speech_is_found_where_its_captions_are(shared):
    film = shared / "media" / "tc_nasa_13013.mp4"
    spans = speech_spans(probe(film))
    assert spans[0][0] == pytest.approx(0.7, abs=0.2)
    assert spans[-1][1] == pytest.approx(12.2, abs=0.3)
    assert 10 < sum(end - start for start, end in spans) < 11.5


def test_sound_in_many_stretches_is_heard_as_in_one(shared, tmp_path, monkeypatch):
    film = tmp_path / "twice.mka"
    source = shared / "media" / "tc_nasa_13013.mp4"
    command = [find_binaries().ffmpeg, "-v", "error", "-stream_loop", "2", "-i", str(source)]
    command += ["-vn", "-sn", "-c:a", "flac", str(film)]
    subprocess.run(command, check=True)
    whole = speech_spans(probe(film))
    monkeypatch.setattr(speech, "STRETCH_FRAMES", 256)
    monkeypatch.setattr(speech, "BLOCK_SAMPLES", 2 * 256 * speech.FRAME)
    parted = speech_spans(probe(film))
    assert len(whole) == len(parted) > 5
    for one, other in zip(whole, parted, strict=True):
        assert one == pytest.approx(other, abs=0.2)


def test_listening_needs_no_torchaudio():
    code = (
        "import sys, gazeline.alignment.speech, silero_vad; sys.exit('torchaudio' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
