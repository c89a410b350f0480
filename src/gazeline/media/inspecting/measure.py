"""Decode a film file to the end, as the stages do, and measure what comes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from gazeline.console import progress
from gazeline.errors import MediaError
from gazeline.media.containers import decoded, opened
from gazeline.media.pictures.frames import DecodeCounts, read_frames
from gazeline.media.pictures.geometry import PictureSpec
from gazeline.media.probing.names import shown
from gazeline.media.probing.streams import AudioStream, MediaInfo
from gazeline.media.sounds.sound import SoundCounts, sound_blocks

UNUSED = PictureSpec(shortest_edge=32)
STEADY_S = 0.0021
"""Matroska rounds each time to 1 ms, so that neighbours stray up to 2 ms."""


@dataclass(frozen=True)
class PictureMeasure:
    """The frames that decode; times on the copy clock.

    `last_s` is when the last frame starts and `end_s` when it ends. `shortest_s` and `longest_s`
    are intervals between frames, and `irregular` of them stray from the middle one.
    """

    counts: DecodeCounts
    last_s: float
    shortest_s: float | None
    longest_s: float | None
    irregular: int

    @property
    def first_s(self) -> float:
        """Return when the first frame starts."""
        return self.counts.first_s or 0.0

    @property
    def end_s(self) -> float:
        """Return when the last frame ends."""
        return self.counts.last_end_s or 0.0

    @property
    def constant(self) -> bool:
        """Return whether all frames are shown equally long, but for the rounding of times."""
        return self.irregular == 0

    @property
    def fps(self) -> float | None:
        """Return frames per second by when they start, None where that takes no time.

        How long the last one is shown says little: some files give it no length, or a wrong one.
        """
        alone = self.counts.frames == 1
        taken = (self.end_s if alone else self.last_s) - self.first_s
        steps = 1 if alone else self.counts.frames - 1
        return steps / taken if taken > 0 else None


@dataclass(frozen=True)
class SoundMeasure:
    """The sound that decodes: from its first sample to the end of its last one, copy clock.

    `n_samples` are what the stages make of it: at 16 kHz, from time 0 on.
    """

    counts: SoundCounts
    first_s: float
    end_s: float
    n_samples: int


def measure_pictures(info: MediaInfo, *, threads: int = 0) -> PictureMeasure:
    """Decode every frame of the chosen picture through the stages' own code, converting none.

    Raises:
        MediaError: there is no picture, or not one frame can be decoded.
    """
    counts = DecodeCounts()
    frames = read_frames(info, UNUSED, threads=threads, wanted=lambda index: False, counts=counts)
    total = None if info.video is None else info.video.n_frames
    label = shown(info.path.name)
    seen = progress(frames, total=total, label=label, unit=" frames")
    starts = np.fromiter((frame.start_s for frame in seen), np.float64)
    intervals = np.diff(starts)
    return PictureMeasure(
        counts=counts,
        last_s=float(starts[-1]),
        shortest_s=float(intervals.min()) if len(intervals) else None,
        longest_s=float(intervals.max()) if len(intervals) else None,
        irregular=_irregular(intervals),
    )


def _irregular(intervals: npt.NDArray[np.float64]) -> int:
    """Return how many intervals stray from the median."""
    if not len(intervals):
        return 0
    return int((np.abs(intervals - np.median(intervals)) > STEADY_S).sum())


def measure_sound(info: MediaInfo) -> SoundMeasure | None:
    """Decode the chosen sound through the stages' own code; None where there is none.

    Raises:
        MediaError: there is sound, but it cannot be decoded.
    """
    if not info.audio_streams:
        return None
    counts = SoundCounts()
    n_samples = sum(len(block) for block in sound_blocks(info, counts=counts))
    if info.audio is None:
        raise MediaError(f"{shown(info.path.name)} has no sound that can be decoded")
    return SoundMeasure(counts, *_ends_s(info, info.audio), n_samples)


def _ends_s(info: MediaInfo, stream: AudioStream) -> tuple[float, float]:
    """Return when the first sample starts and the last one ends, by their time stamps.

    The stages put up with stamps that stray a little, so that their samples do not tell.
    """
    starts: list[Fraction] = []
    end = Fraction(0)
    with opened(info.path) as container:
        chosen = container.streams[stream.index]
        for frame in decoded(container, chosen, info.path, lambda: None):
            if frame.pts is not None and frame.time_base is not None:
                start = Fraction(frame.pts) * Fraction(frame.time_base) - info.origin_s
                end = start + Fraction(frame.samples, frame.sample_rate)
                starts = starts or [start]
    return (float(starts[0]) if starts else 0.0), float(end)
