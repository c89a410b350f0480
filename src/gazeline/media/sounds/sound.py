"""Decode a film's sound to mono samples on the copy clock: sample 0 is time 0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import soxr

from gazeline.errors import MediaError
from gazeline.media.containers import decoded, opened
from gazeline.media.probing.streams import AudioStream, MediaInfo
from gazeline.media.sounds.downmix import mono

RATE = 16_000
BLOCK_SAMPLES = 1 << 19
SILENCE_SAMPLES = 1 << 16
GAP_S = 0.04
"""Time stamps may stray this far (container rounding) before sound is padded or cut to them."""

Samples = npt.NDArray[np.float32]


@dataclass
class SoundCounts:
    """What happened while decoding; filled in as sound is read.

    `padded_s` and `cut_s` are silence put in and sound taken out to stay on the copy clock;
    `first_s` and `last_end_s` say, on the copy clock, from when to when there was sound, and
    `declared_s` how long the stream says that it is, where it does.
    """

    broken_packets: int = 0
    frames: int = 0
    padded_s: float = 0.0
    cut_s: float = 0.0
    first_s: float | None = None
    last_end_s: float | None = None
    declared_s: float | None = None


def read_sound(info: MediaInfo, *, rate: int = RATE, stop_s: float | None = None) -> Samples | None:
    """Return all the sound of a film at once, or None where it has none (see `sound_blocks`)."""
    if info.audio is None and not info.audio_streams:
        return None
    blocks = list(sound_blocks(info, rate=rate, stop_s=stop_s))
    return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def sound_blocks(
    info: MediaInfo,
    *,
    rate: int = RATE,
    block_samples: int = BLOCK_SAMPLES,
    stop_s: float | None = None,
    counts: SoundCounts | None = None,
) -> Iterator[Samples]:
    """Yield the sound in blocks of `block_samples` (the last is shorter); nothing if there is none.

    The samples are float32 in [-1, 1], mono, at `rate`, and the same for any size of block.
    Sample k sounds at k / rate seconds of the copy clock: a late start and gaps are silence, sound
    before time 0 is cut.

    Args:
        stop_s: sound from this time on (copy clock) is left out.
        counts: filled in while reading.

    Raises:
        MediaError: there is sound, but none of it can be decoded, or samples are not finite.
    """
    if info.audio is None:
        if info.audio_streams:
            raise _undecodable(info, info.audio_streams[0])
        return
    counts = counts if counts is not None else SoundCounts()
    placed = _placed(info, info.audio, counts)
    limit = None if stop_s is None else max(0, round(stop_s * rate))
    yield from _blocks(_resampled(placed, rate), block_samples, limit)
    if counts.frames == 0:
        raise _undecodable(info, info.audio)


def _undecodable(info: MediaInfo, stream: AudioStream) -> MediaError:
    return MediaError(
        f"The sound of {info.path.name} cannot be decoded",
        where=f"{info.path}, stream {stream.index} ({stream.codec})",
        todo="use a copy whose sound plays, or remove the stream to treat the film as silent",
    )


def _not_finite(info: MediaInfo, stream: AudioStream, start: Fraction | None) -> MediaError:
    when = "" if start is None else f", in the frame at {float(start):.3f} s"
    return MediaError(
        f"The sound of {info.path.name} has samples that are no numbers (NaN or infinite)",
        where=f"{info.path}, stream {stream.index} ({stream.codec}){when}",
        todo="convert the sound anew from its source, to integers (ffmpeg -c:a flac)",
    )


def _placed(
    info: MediaInfo, stream: AudioStream, counts: SoundCounts
) -> Iterator[tuple[Samples, int]]:
    """Yield (mono samples, rate) without gaps or overlaps, from time 0 of the copy clock."""
    position, clock_rate = 0, 0
    for samples, start, rate in _decoded_mono(info, stream, counts):
        if rate != clock_rate:
            position = round(Fraction(position, clock_rate or 1) * rate)
            clock_rate = rate
        off = 0 if start is None else round(start * rate) - position
        tolerance = 0 if counts.frames == 1 else round(GAP_S * rate)
        if off > tolerance:
            counts.padded_s += off / rate
            yield from ((block, rate) for block in _silence(off))
            position += off
        elif off < -tolerance:
            counts.cut_s += min(-off, len(samples)) / rate
            samples = samples[-off:]
        counts.first_s = position / rate if counts.first_s is None else counts.first_s
        position += len(samples)
        counts.last_end_s = position / rate
        yield samples, rate


def _silence(n_samples: int) -> Iterator[Samples]:
    """Yield silence in small blocks: a film's sound may start an hour late."""
    while n_samples > 0:
        block = min(n_samples, SILENCE_SAMPLES)
        yield np.zeros(block, np.float32)
        n_samples -= block


def _decoded_mono(
    info: MediaInfo, stream: AudioStream, counts: SoundCounts
) -> Iterator[tuple[Samples, Fraction | None, int]]:
    """Yield (mono samples, start on the copy clock, rate) of every decoded frame."""

    def note_broken() -> None:
        counts.broken_packets += 1

    with opened(info.path) as container:
        chosen = container.streams[stream.index]
        counts.declared_s = _declared_s(chosen)
        for frame in decoded(container, chosen, info.path, note_broken):
            counts.frames += 1
            samples, start = mono(frame), _start(frame, info.origin_s)
            if not np.isfinite(samples).all():
                raise _not_finite(info, stream, start)
            yield samples, start, int(frame.sample_rate)


def _declared_s(stream: Any) -> float | None:
    """Return the length of a stream; Matroska may give it as a tag, `00:01:10.417000000`."""
    if stream.duration:
        return float(stream.duration * stream.time_base)
    tag = next((v for k, v in stream.metadata.items() if k.split("-")[0] == "DURATION"), "")
    hours, _, rest = tag.partition(":")
    minutes, _, seconds = rest.partition(":")
    try:
        return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
    except ValueError:
        return None


def _start(frame: Any, origin_s: Fraction) -> Fraction | None:
    if frame.pts is None or frame.time_base is None:
        return None
    return Fraction(frame.pts) * Fraction(frame.time_base) - origin_s


def _resampled(parts: Iterator[tuple[Samples, int]], rate: int) -> Iterator[Samples]:
    """Yield samples at `rate`; a change of the source's rate starts a new resampler."""
    resampler, source_rate = None, 0
    for samples, part_rate in parts:
        if part_rate != source_rate:
            if resampler is not None:
                yield resampler.resample_chunk(np.zeros(0, np.float32), last=True)
            source_rate = part_rate
            resampler = (
                None
                if part_rate == rate
                else soxr.ResampleStream(part_rate, rate, 1, dtype="float32", quality="HQ")
            )
        yield samples if resampler is None else resampler.resample_chunk(samples)
    if resampler is not None:
        yield resampler.resample_chunk(np.zeros(0, np.float32), last=True)


def _blocks(parts: Iterator[Samples], block_samples: int, limit: int | None) -> Iterator[Samples]:
    """Cut a stream of samples into blocks of one size, clipped to [-1, 1], up to `limit`."""
    held: list[Samples] = []
    n_held, left = 0, limit
    for part in parts:
        if left is not None:
            part = part[:left]
            left -= len(part)
        held.append(part)
        n_held += len(part)
        if n_held >= block_samples:
            joined = np.concatenate(held)
            whole = n_held - n_held % block_samples
            for start in range(0, whole, block_samples):
                yield np.clip(joined[start : start + block_samples], -1, 1)
            held, n_held = [joined[whole:]], n_held - whole
        if left == 0:
            break
    if n_held:
        yield np.clip(np.concatenate(held), -1, 1)
