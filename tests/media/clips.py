"""Clips whose every frame and sample is known, made with ffmpeg."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np

from gazeline.media.probing.binaries import find_binaries


def ffmpeg(*arguments: str | Path, stdin: bytes | None = None) -> None:
    """Run ffmpeg or fail with what it says."""
    command = [find_binaries().ffmpeg, "-v", "error", "-y", *map(str, arguments)]
    done = subprocess.run(command, input=stdin or b"", capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def ffprobe(path: Path, stream: str, entries: str) -> list[dict[str, str]]:
    """Return ffprobe's own account of frames or packets."""
    command = [find_binaries().ffprobe, "-v", "quiet", "-select_streams", stream]
    command += ["-show_entries", entries, "-of", "json", str(path)]
    data = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return data.get("frames") or data.get("packets") or []


def probed_times(path: Path, stream: str = "v:0") -> list[float]:
    """Return the presentation times ffprobe gives the decoded frames."""
    frames = ffprobe(path, stream, "frame=best_effort_timestamp_time")
    return [float(frame["best_effort_timestamp_time"]) for frame in frames]


def grey_levels(n_frames: int) -> np.ndarray:
    """Return a grey level for each frame, none equal to its neighbour's."""
    return (np.arange(n_frames) * 37 % 200 + 20).astype(np.uint8)


def write_pictures(
    path: Path,
    pictures: np.ndarray,
    fps: str = "24000/1001",
    *options: str,
    codec: tuple[str, ...] = ("-c:v", "ffv1", "-pix_fmt", "bgr0"),
) -> Path:
    """Write RGB pictures [frames, height, width, 3]; the default codec loses nothing."""
    height, width = pictures.shape[1:3]
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", fps]
    ffmpeg(*source, "-i", "-", *codec, *options, path, stdin=pictures.tobytes())
    return path


def write_greys(path: Path, n_frames: int, fps: str = "24000/1001", *options: str, **more) -> Path:
    """Write plain frames of `grey_levels`, 64 x 48."""
    pictures = np.broadcast_to(grey_levels(n_frames)[:, None, None, None], (n_frames, 48, 64, 3))
    return write_pictures(path, np.ascontiguousarray(pictures), fps, *options, **more)


def write_sound(
    path: Path, channels: np.ndarray, rate: int, *options: str, layout: str = "mono"
) -> Path:
    """Write float samples [channels, samples] as sound; the default codec loses nothing."""
    source = ["-f", "f32le", "-ar", str(rate), "-channel_layout", layout, "-i", "-"]
    interleaved = np.ascontiguousarray(channels.T, np.float32)
    ffmpeg(*source, *(options or ("-c:a", "pcm_f32le")), path, stdin=interleaved.tobytes())
    return path


def tone(seconds: float, rate: int, hertz: float = 440.0, level: float = 0.5) -> np.ndarray:
    """Return a sine of shape [1, samples]."""
    return level * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)[None]
