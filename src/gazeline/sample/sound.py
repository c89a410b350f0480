"""Sound of the sample films: pads and murmur throughout, a tremolo whistle as the planted cue.

Written with numpy on the annotation clock, where a frame is exactly SAMPLES_PER_FRAME samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import soxr

from gazeline.sample.catalogue import FPS
from gazeline.sample.copies import Edit
from gazeline.sample.story import Cue, Event, FilmStory, rng_of

RATE = 48_000
SAMPLES_PER_FRAME = int(RATE / FPS)
FADE_S = 0.06
PAD_LEVEL, NOISE_LEVEL, WHISTLE_LEVEL, VOICE_LEVEL = 0.10, 0.012, 0.16, 0.11
CHORDS = ((1.0, 1.25, 1.5), (1.0, 1.2, 1.5), (0.75, 1.0, 1.333), (0.8, 1.0, 1.2))
FORMANTS_HZ = (500, 1500, 2400)

Mono = npt.NDArray[np.float64]
Stereo = npt.NDArray[np.float64]


def soundtrack(story: FilmStory, edit: Edit, seed: int) -> npt.NDArray[np.int16]:
    """Return the sound of a film's copy, 48 kHz stereo, shape [samples, 2].

    It lasts as long as the copy's picture, to the sample.
    """
    rng = rng_of(seed, story.facts, 40)
    film = np.concatenate([_event_sound(event, rng) for event in story.events])
    _speak(film, story.cues, rng)
    parts = [_jingle(edit.logo_frames), film]
    if edit.cut_frame is not None:
        cut = edit.cut_frame * SAMPLES_PER_FRAME
        extra = _event_sound(Event(0, edit.inserted_frames, False, False, False), rng)
        parts = [film[:cut], extra, film[cut:]]
    whole = np.concatenate(parts)
    return _to_int16(_at_speed(_to_stereo(whole), story.facts.copy.fps))


def _event_sound(event: Event, rng: np.random.Generator) -> Mono:
    n = event.n_frames * SAMPLES_PER_FRAME
    sound = _pad(n, rng) + _murmur(n, rng)
    if event.sound:
        sound += _whistle(n, rng)
    return sound * _fades(n)


def _times(n: int) -> Mono:
    return np.arange(n) / RATE


def _pad(n: int, rng: np.random.Generator) -> Mono:
    """Return a soft low chord that swells slowly."""
    t, root = _times(n), rng.uniform(98, 165)
    chord = CHORDS[int(rng.integers(len(CHORDS)))]
    tones = np.zeros(n)
    for ratio in chord:
        tones += np.sin(2 * np.pi * root * ratio * t + rng.uniform(0, 6))
    swell = 0.8 + 0.2 * np.sin(2 * np.pi * 0.4 * t + rng.uniform(0, 6))
    return PAD_LEVEL * rng.uniform(0.6, 1.2) * tones / len(chord) * swell


def _murmur(n: int, rng: np.random.Generator) -> Mono:
    """Return low-passed noise, like traffic or the sea."""
    width = 48
    noise = np.cumsum(rng.standard_normal(n + width))
    smooth: Mono = (noise[width:] - noise[:-width]) / np.sqrt(width)
    return NOISE_LEVEL * smooth


def _whistle(n: int, rng: np.random.Generator) -> Mono:
    """Return the planted cue: a high brassy tone with a fast tremolo and a slow glide."""
    t, pitch = _times(n), rng.uniform(1150, 1750)
    glide = pitch * (1 + 0.05 * np.sin(2 * np.pi * 0.5 * t + rng.uniform(0, 6)))
    phase = 2 * np.pi * np.cumsum(glide) / RATE
    tone = np.sin(phase) + 0.5 * np.sin(2 * phase) + 0.3 * np.sin(3 * phase)
    tremolo = 0.65 + 0.35 * np.sin(2 * np.pi * rng.uniform(6, 9) * t)
    return WHISTLE_LEVEL * rng.uniform(0.75, 1.2) * tone * tremolo


def _fades(n: int) -> Mono:
    """Return a gain that rises at the start and falls at the end, against clicks."""
    ramp = np.minimum(1, np.arange(n) / (FADE_S * RATE))
    return ramp * ramp[::-1]


def _speak(film: Mono, cues: Sequence[Cue], rng: np.random.Generator) -> None:
    """Add a voice-like babble wherever a line is spoken, in place."""
    for cue in cues:
        start = cue.start_ms * RATE // 1000
        n = min(len(film), cue.end_ms * RATE // 1000) - start
        film[start : start + n] += _babble(n, rng)


def _babble(n: int, rng: np.random.Generator) -> Mono:
    t, f0 = _times(n), rng.uniform(110, 210)
    phase = 2 * np.pi * f0 * (t + 0.004 * np.sin(2 * np.pi * 2.5 * t))
    tone = np.zeros(n)
    for k in range(1, 16):
        nearness = min(abs(k * f0 - formant) for formant in FORMANTS_HZ)
        tone += np.exp(-((nearness / 260) ** 2)) * np.sin(k * phase) / np.sqrt(k)
    syllables = np.clip(np.sin(2 * np.pi * rng.uniform(3.6, 4.6) * t) + 0.35, 0, 1)
    return VOICE_LEVEL * tone / 2.5 * syllables * _fades(n)


def _jingle(n_frames: int) -> Mono:
    """Return the studio's rising notes."""
    n = n_frames * SAMPLES_PER_FRAME
    t = _times(n)
    sound = np.zeros(n)
    for k, pitch in enumerate((262, 330, 392, 523)):
        since = np.maximum(0, t - k * 0.16)
        sound += (since > 0) * np.exp(-2.5 * since) * np.sin(2 * np.pi * pitch * since)
    return 0.12 * sound * _fades(n) if n else sound


def _to_stereo(mono: Mono) -> Stereo:
    """Place the sound a little left of the middle."""
    return np.stack([mono, 0.9 * mono], axis=1)


def _at_speed(sound: Stereo, fps: Fraction) -> Stereo:
    """Speed the sound up to a copy's frame rate, pitch and all, as PAL transfers do."""
    if fps == FPS:
        return sound
    faster = soxr.resample(sound, float(RATE * fps / FPS), RATE)
    n = round(len(sound) * FPS / fps)
    return np.pad(faster[:n], ((0, max(0, n - len(faster))), (0, 0)))


def _to_int16(sound: Stereo) -> npt.NDArray[np.int16]:
    samples: npt.NDArray[np.int16] = np.rint(np.tanh(sound) * 32_000).astype(np.int16)
    return samples
