"""A film whose cues are spoken by espeak-ng over music and noise, aligned by its sound alone."""

from __future__ import annotations

import io
import subprocess
import time
import wave
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gazeline.alignment.align import examine_film
from gazeline.alignment.clocks import CorpusClock
from gazeline.alignment.dialogue import spoken_words
from gazeline.media.probing.binaries import find_binaries
from gazeline.params.alignment import AlignParams
from gazeline.subtitles.reading.read import Cue, read_subtitles
from gazeline.timeline.maps import Piece, TimeMap

Samples = npt.NDArray[np.float32]
RATE = 22_050
NTSC, PAL = Fraction(24000, 1001), Fraction(25)
SPEED = float(NTSC / PAL)
VOICES = ("en-gb", "en-us", "en-gb+f3", "en-us+f2", "en-gb+m5")
# Level of music and of noise against speech, dB.
LEVELS = {"clean": (-60.0, -60.0), "music and noise": (-12.0, -18.0), "loud music": (-4.0, -15.0)}
MISSING_S, ADDED_S = 45.0, 60.0


def report_spoken(path: Path, out: Path, minutes: float) -> None:
    """Speak a subtitle file into films of three kinds and print how well each is aligned."""
    cues = [c for c in read_subtitles(path).cues if spoken_words(c.text)]
    cues = [c for c in cues if c.end_s <= cues[0].start_s + 60 * minutes]
    duration_s = max(c.end_s for c in cues) + 20.0
    truth = true_map(duration_s)
    speech = spoken(cues, truth, duration_s)
    print(f"{len(cues)} cues of {duration_s / 60:.0f} min, PAL speed, 12 s of logos, 45 s missing,")
    print(
        f"60 s added; {'sound':18}{'method':>9}{'conf':>6}{'median s':>10}{'p95 s':>8}{'time s':>8}"
    )
    for name, (music, noise) in LEVELS.items():
        film = mux(speech, music, noise, out / f"{name.replace(' ', '-')}.mkv")
        begin = time.perf_counter()
        corpora = {"spoken": CorpusClock(tuple(cues), duration_s, NTSC)}
        found = examine_film(film, None, None, corpora, AlignParams())["spoken"]
        seconds = time.perf_counter() - begin
        error = errors(cues, truth, found.time_map)
        print(
            f"{name:18}{found.method:>9}{found.confidence:6.2f}{np.median(error):10.3f}"
            f"{np.quantile(error, 0.95, method='inverted_cdf'):8.3f}{seconds:8.1f}",
            flush=True,
        )


def true_map(duration_s: float) -> TimeMap:
    """Return a PAL copy with logos, a scene missing at a third and one more at two thirds."""
    first, second = duration_s / 3, duration_s * 2 / 3
    offset = 12.0 - SPEED * MISSING_S
    return TimeMap(
        (
            Piece(0.0, first, SPEED, 12.0),
            Piece(first + MISSING_S, second, SPEED, offset),
            Piece(second, duration_s, SPEED, offset + ADDED_S),
        )
    )


def spoken(cues: list[Cue], truth: TimeMap, duration_s: float) -> Samples:
    """Return the cues spoken one after the other where the copy has them."""
    sound = np.zeros(int((truth.pieces[-1].to_copy(duration_s) + 5) * RATE), dtype=np.float32)
    for index, cue in enumerate(cues):
        start, end = truth.to_copy(cue.start_s), truth.to_copy(cue.end_s - 1e-3)
        if start is None or end is None:
            continue
        words = say(" ".join(spoken_words(cue.text)), VOICES[index % len(VOICES)], end - start)
        at = int(start * RATE)
        words = words[: len(sound) - at]
        sound[at : at + len(words)] += words
    return sound


def say(text: str, voice: str, length_s: float) -> Samples:
    """Return speech, spoken as fast as the cue demands, within what a voice can do."""
    speed = int(np.clip(60 * len(text.split()) / max(0.3, length_s * 0.85), 120, 320))
    command = ["espeak-ng", "-v", voice, "-s", str(speed), "--stdout", "--stdin"]
    spoken = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    data = spoken.stdout
    with wave.open(io.BytesIO(data)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype=np.int16)
    return samples.astype(np.float32) / 32768


def mux(speech: Samples, music_db: float, noise_db: float, path: Path) -> Path:
    """Put music and noise under speech and write it with pictures into a Matroska file."""
    rng = np.random.default_rng(5)
    level = float(np.sqrt(np.mean(np.square(speech[np.abs(speech) > 0.01]))))
    noise = rng.standard_normal(len(speech)).astype(np.float32)
    mixed = speech + scaled(music(len(speech), rng), level, music_db)
    mixed += scaled(noise, level, noise_db)
    raw = (np.clip(mixed / np.abs(mixed).max(), -1, 1) * 32767).astype("<i2").tobytes()
    command = [find_binaries().ffmpeg, "-v", "error", "-y", "-f", "lavfi"]
    command += ["-i", "color=c=gray:s=64x36:r=25", "-f", "s16le", "-ar", str(RATE), "-ac", "1"]
    command += ["-i", "pipe:", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]
    command += ["-b:a", "96k", "-shortest", str(path)]
    subprocess.run(command, input=raw, check=True)
    return path


def music(n_samples: int, rng: np.random.Generator) -> Samples:
    """Return chords of four partials each, a new one every two seconds."""
    length = 2 * RATE
    time_s = np.arange(length) / RATE
    fade = np.minimum(1, np.minimum(time_s, 2 - time_s) * 8)
    sound = np.zeros(n_samples + length, dtype=np.float32)
    for start in range(0, n_samples, length):
        roots = 110 * 2 ** (rng.choice([0, 2, 4, 5, 7, 9, 11], 3, replace=False) / 12)
        chord = sum(
            np.sin(2 * np.pi * root * k * time_s) / k
            for root in (*roots, 2 * roots[0])
            for k in (1, 2, 3, 4)
        )
        sound[start : start + length] += (fade * chord).astype(np.float32)
    return sound[:n_samples]


def scaled(sound: Samples, level: float, decibel: float) -> Samples:
    """Return sound at a level that is `decibel` above (below, if negative) another."""
    return sound * np.float32(level * 10 ** (decibel / 20) / np.sqrt(np.mean(np.square(sound))))


def errors(cues: list[Cue], truth: TimeMap, found: TimeMap) -> npt.NDArray[np.float64]:
    """Return the error at the middle of every cue that the copy has; infinite where unmapped."""
    values = []
    for cue in cues:
        middle = (cue.start_s + cue.end_s) / 2
        wanted, given = truth.to_copy(middle), found.to_copy(middle)
        if wanted is not None:
            values.append(np.inf if given is None else abs(given - wanted))
    return np.array(values)
