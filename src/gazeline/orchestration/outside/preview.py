"""Say how many windows and chunks the stages would make of a film."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gazeline.errors import MediaError
from gazeline.features.audio.fbank import FRAME
from gazeline.media.containers import Coverage
from gazeline.media.inspecting.inspect import MediaReport
from gazeline.media.inspecting.problems import counted
from gazeline.media.sounds.sound import RATE
from gazeline.params.features import AudioParams, VideoParams


@dataclass(frozen=True)
class Preview:
    """Windows and chunks; None where a stage would refuse the film, `exact` if it was decoded."""

    windows: int | None
    chunks: int | None
    exact: bool
    video: VideoParams
    audio: AudioParams
    refusals: tuple[str, ...]

    def sentence(self) -> str:
        """Return what becomes of the film."""
        about = "" if self.exact else "about "
        grid = f"{self.video.window_frames} frames every {self.video.stride_frames}"
        parts = []
        if self.windows is not None:
            parts.append(f"{about}{counted(self.windows, 'window')} of {grid}")
        if self.chunks == 0:
            parts.append("empty shards of sound")
        elif self.chunks is not None:
            parts.append(f"{about}{counted(self.chunks, 'chunk')} of {self.audio.chunk_s:g} s")
        return "; ".join([*([" and ".join(parts)] if parts else []), *self.refusals])


def preview(report: MediaReport, video: VideoParams, audio: AudioParams) -> Preview:
    """Count the windows and chunks that the stages would make, from what decodes.

    Where nothing was decoded they are estimated from the header.
    """
    windows, no_video = _windows(report, video)
    chunks, no_audio = _chunks(report, audio)
    refusals = tuple(reason for reason in (no_video, no_audio) if reason)
    return Preview(windows, chunks, report.measured, video, audio, refusals)


def _windows(report: MediaReport, params: VideoParams) -> tuple[int | None, str]:
    stream, info = report.info.video, report.info
    if stream is None:
        return None, "no video features: there is no picture"
    if not report.measured:
        frames = stream.n_frames or round(info.duration_s * float(stream.fps or 0))
        return count_windows(frames, params), ""
    pictures = report.pictures
    if pictures is None:
        return None, "no video features: not one frame decodes"
    declared_s = stream.duration_s or info.end_s - pictures.first_s
    covered = pictures.counts.covered(info.start_s, declared_s)
    refused = _refused(info.path, covered, params.min_decoded, "features.video.min_decoded")
    if refused:
        return None, f"video refuses it: {refused}"
    return count_windows(pictures.counts.frames, params), ""


def _chunks(report: MediaReport, params: AudioParams) -> tuple[int | None, str]:
    info = report.info
    if not info.audio_streams:
        return 0, ""
    if info.audio is None or (report.measured and report.sound is None):
        return None, "audio refuses it: its sound cannot be decoded"
    if report.sound is None:
        return count_chunks(round(info.end_s * RATE), params), ""
    counts = report.sound.counts
    first_s = counts.first_s or 0.0
    covered = Coverage(
        first_s, counts.last_end_s or first_s, counts.declared_s or info.end_s - first_s
    )
    refused = _refused(info.path, covered, params.min_decoded, "features.audio.min_decoded")
    if refused:
        return None, f"audio refuses it: {refused}"
    return count_chunks(report.sound.n_samples, params), ""


def _refused(path: Path, covered: Coverage, share: float, key: str) -> str | None:
    """Return why a stage would refuse a stream that stops early, in its own words."""
    try:
        covered.check(path, share, key)
    except MediaError as error:
        return error.what
    return None


def count_windows(n_frames: int, params: VideoParams) -> int:
    """Return how many windows the grid has (see `features.video.grid.windows`)."""
    size, stride = params.window_frames, params.stride_frames
    complete = (n_frames - size) // stride + 1 if n_frames >= size else 0
    shared = max(0, size - stride) if complete else 0
    left = n_frames - complete * stride - shared
    return complete + (left > 0 and params.partial == "repeat")


def count_chunks(n_samples: int, params: AudioParams) -> int:
    """Return how many chunks samples at 16 kHz give; a rest under 25 ms is left out."""
    whole, rest = divmod(n_samples, round(params.chunk_s * RATE))
    return whole + (rest >= FRAME)
