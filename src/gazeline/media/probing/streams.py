"""What a film file holds: its streams, and which of them are decoded and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from gazeline.timeline.rates import exact_rate

MAX_FPS = 300
VARIABLE_SHARE = Fraction(1, 100)


@dataclass(frozen=True)
class VideoStream:
    """One stream of pictures, as declared in the file.

    `sar` is the shape of a pixel (width / height); `rotation` is the clockwise turn, in degrees,
    that shows the picture upright; `n_frames` is None where the file declares none. The last three
    are ffprobe's names, None where the file does not say.
    """

    index: int
    codec: str
    width: int
    height: int
    sar: Fraction
    rotation: int
    interlaced: bool
    average_fps: Fraction | None
    nominal_fps: Fraction | None
    start_s: float | None
    duration_s: float | None
    n_frames: int | None
    default: bool
    pixel_format: str | None = None
    color_range: str | None = None
    transfer: str | None = None

    @property
    def fps(self) -> Fraction | None:
        """Return the rate to reckon with: the average if it is credible, else the nominal one."""
        for rate in (self.average_fps, self.nominal_fps):
            if rate is not None and rate <= MAX_FPS:
                return exact_rate(rate)
        return None

    @property
    def variable(self) -> bool:
        """Return whether the declared rates disagree, as in files of variable frame rate."""
        if self.average_fps is None or self.nominal_fps is None:
            return False
        return abs(self.average_fps - self.nominal_fps) > VARIABLE_SHARE * self.nominal_fps

    @property
    def display_size(self) -> tuple[int, int]:
        """Return width and height as shown: pixels made square, then turned upright."""
        width = max(1, round(self.width * self.sar))
        return (self.height, width) if self.rotation % 180 else (width, self.height)


@dataclass(frozen=True)
class AudioStream:
    """One stream of sound; `commentary` marks comments and descriptions for the impaired."""

    index: int
    codec: str
    channels: int
    layout: str
    sample_rate: int
    start_s: float | None
    language: str | None
    title: str | None
    default: bool
    commentary: bool

    @property
    def decodable(self) -> bool:
        """Return whether the file says enough to decode it."""
        return self.codec != "unknown" and self.sample_rate > 0 and self.channels > 0


@dataclass(frozen=True)
class SubtitleStream:
    """One embedded subtitle track; `index` is the absolute stream index of ffprobe."""

    index: int
    codec: str
    language: str | None
    title: str | None
    default: bool
    forced: bool
    kind: Literal["text", "bitmap"]


@dataclass(frozen=True)
class SubtitleTracks:
    """The subtitle tracks of a container; `origin_s` is as in `MediaInfo`."""

    container: str
    origin_s: Fraction
    subtitles: tuple[SubtitleStream, ...]


@dataclass(frozen=True)
class IgnoredStream:
    """A stream that is never decoded, and why: cover art, data, attachment."""

    index: int
    codec: str
    why: str


@dataclass(frozen=True)
class MediaInfo:
    """A film file and the streams chosen in it.

    The copy clock is the file's own presentation time minus `origin_s`. Formats whose clock may
    start anywhere (MPEG-TS and MPEG-PS) have their first time stamp as origin, as players do; all
    others have 0. `start_s` and `duration_s` are on the copy clock; `duration_measured` tells that
    the header gives no duration, so that it is that of the packets.
    """

    path: Path
    container: str
    origin_s: Fraction
    start_s: float
    duration_s: float
    video: VideoStream | None
    video_reason: str
    audio: AudioStream | None
    audio_reason: str
    video_streams: tuple[VideoStream, ...]
    audio_streams: tuple[AudioStream, ...]
    subtitles: tuple[SubtitleStream, ...]
    problems: tuple[str, ...]
    ignored: tuple[IgnoredStream, ...] = ()
    duration_measured: bool = False

    @property
    def end_s(self) -> float:
        """Return when the file ends, copy clock, seconds."""
        return self.start_s + self.duration_s


def choose_video(streams: Sequence[VideoStream]) -> tuple[VideoStream | None, str]:
    """Choose the main picture: default first, then most frames, then largest, then first."""
    if not streams:
        return None, "the file has no picture"
    if len(streams) == 1:
        return streams[0], "the only one"

    def rank(stream: VideoStream) -> tuple[bool, int, int, int]:
        area = stream.width * stream.height
        return stream.default, stream.n_frames or 0, area, -stream.index

    chosen = max(streams, key=rank)
    frames = f"{chosen.n_frames} frames" if chosen.n_frames else "frames not declared"
    reason = f"{frames}, {chosen.width}x{chosen.height}, default: {_yes(chosen.default)}"
    return chosen, f"of streams {_indices(streams)} by default flag, frames and size: {reason}"


def choose_audio(streams: Sequence[AudioStream]) -> tuple[AudioStream | None, str]:
    """Choose the main sound: no commentary, default, most channels, highest rate, then first."""
    usable = [stream for stream in streams if stream.decodable]
    if not streams:
        return None, "the file has no sound"
    if not usable:
        return None, "no stream of sound can be decoded"
    if len(streams) == 1:
        return usable[0], "the only one"

    def rank(stream: AudioStream) -> tuple[bool, bool, int, int, int]:
        main = not stream.commentary
        return main, stream.default, stream.channels, stream.sample_rate, -stream.index

    chosen = max(usable, key=rank)
    reason = f"{chosen.channels} channels, {chosen.sample_rate} Hz, default: {_yes(chosen.default)}"
    return chosen, f"of streams {_indices(streams)} by default flag, channels and rate: {reason}"


def _indices(streams: Sequence[VideoStream] | Sequence[AudioStream]) -> str:
    return ", ".join(str(stream.index) for stream in streams)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
