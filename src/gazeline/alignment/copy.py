"""What alignment needs to know of a copy: its clock and the dialogue it carries."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from gazeline.alignment.record import CopyClock
from gazeline.media.embedded import extract_subtitles
from gazeline.media.probing.probe import probe
from gazeline.media.probing.streams import MediaInfo, SubtitleStream


@dataclass(frozen=True)
class CopyFile:
    """A copy's clock, in seconds, its exact frame rate (None without video), and its streams."""

    info: MediaInfo
    start_s: float
    end_s: float
    fps: Fraction | None

    @property
    def path(self) -> Path:
        """Return the file."""
        return self.info.path

    @property
    def tracks(self) -> tuple[SubtitleStream, ...]:
        """Return the subtitle tracks."""
        return self.info.subtitles

    @property
    def clock(self) -> CopyClock:
        """Return the part that is written beside the maps."""
        fps = None if self.fps is None else str(self.fps)
        return CopyClock(duration_s=self.end_s - self.start_s, fps=fps)


def examine_copy(path: Path) -> CopyFile:
    """Ask for a copy's clock and subtitle tracks.

    Raises:
        MediaError: the file is missing, or has neither video nor sound.
    """
    info = probe(path)
    return CopyFile(
        info=info,
        start_s=info.start_s,
        end_s=info.start_s + _length_s(info),
        fps=info.video.fps if info.video else None,
    )


def extract_track(copy: CopyFile, track: SubtitleStream) -> bytes:
    """Return an embedded text track as a subtitle file, on the copy clock.

    Raises:
        MediaError: it cannot be read.
    """
    return extract_subtitles(copy.path, track.index)


def describe_track(track: SubtitleStream) -> str:
    """Return `stream 2, eng, default`."""
    words = [f"stream {track.index}", track.language or "language not named"]
    words += ["default"] * track.default + ["forced"] * track.forced
    return ", ".join(words)


def _length_s(info: MediaInfo) -> float:
    """Return how long the picture lasts: subtitles and sound may outlast it."""
    own = info.video.duration_s if info.video else None
    return min(own, info.duration_s) if own else info.duration_s
