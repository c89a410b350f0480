"""Encode every window of frames of a film and write them as a shard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gazeline.console import progress
from gazeline.errors import EncoderError, MediaError
from gazeline.features.common.device import pick_device
from gazeline.features.common.provenance import provenance
from gazeline.features.common.shards import Embeddings, Times, stacked, write_windows
from gazeline.features.video.encoder import VideoEncoder, load_video_encoder, read_video_input
from gazeline.features.video.grid import Window, is_used, windows
from gazeline.media.containers import decoder_name
from gazeline.media.pictures.frames import DecodeCounts, picture_of, read_frames
from gazeline.media.probing.probe import probe
from gazeline.media.probing.streams import MediaInfo, VideoStream
from gazeline.params.features import VideoParams
from gazeline.params.runtime import RuntimeParams


@dataclass(frozen=True)
class VideoReport:
    """What was decoded and encoded of a film."""

    n_windows: int
    declared: int | None
    counts: DecodeCounts
    fps: str

    @property
    def measured_fps(self) -> float | None:
        """Return frames decoded per second of film, None for nothing decoded."""
        first, end = self.counts.first_s, self.counts.last_end_s
        if first is None or end is None or end <= first:
            return None
        return self.counts.frames / (end - first)

    def sentence(self) -> str:
        """Return the summary line of the stage."""
        declared = "" if self.declared is None else f" of {self.declared} declared"
        parts = [f"{self.n_windows} windows", f"{self.counts.frames} frames{declared}"]
        measured = "" if self.measured_fps is None else f" ({self.measured_fps:.3f} measured)"
        parts.append(f"{self.fps} frames/s{measured}")
        for name, number in (
            ("broken packets", self.counts.broken_packets),
            ("damaged frames", self.counts.corrupt_frames),
            ("frames out of order", self.counts.out_of_order),
        ):
            if number:
                parts.append(f"{number} {name}")
        if self.n_windows == 0:
            parts.append("SHORTER THAN ONE WINDOW: the shard is empty")
        return ", ".join(parts)


def extract_video(
    copy: Path,
    encoder_dir: Path,
    params: VideoParams,
    runtime: RuntimeParams,
    share: float,
    out: Path,
) -> VideoReport:
    """Write the video shard of a film: one embedding per window of frames, on the copy clock.

    Args:
        share: part of the film, from its start, that is decoded; 1.0 is all.

    Raises:
        MediaError: the copy is no film, has no picture, or stops decoding too early.
        EncoderError: the encoder is missing or does not fit the window.
        TableError: the shard cannot be written; nothing is left behind.
    """
    check_window(encoder_dir, params)
    info = probe(copy)
    video = picture_of(info)
    encoder = load_video_encoder(encoder_dir, pick_device(runtime))
    counts = DecodeCounts()
    stop_s = None if share >= 1 else info.start_s + share * info.duration_s
    frames = read_frames(
        info,
        encoder.input.picture,
        stop_s=stop_s,
        threads=runtime.workers,
        wanted=lambda index: is_used(index, params),
        counts=counts,
    )
    total = round(info.duration_s * share * float(video.fps or 25) / params.stride_frames)
    shown = progress(windows(frames, params), total=total, label=copy.stem, unit=" windows")
    times, embeddings = _encoded(shown, encoder, runtime.batch_size)
    _check_coverage(info, video, counts, share, params)
    report = VideoReport(len(times), video.n_frames, counts, str(video.fps or "unknown"))
    metadata = _metadata(encoder, encoder_dir, params, share, video, report)
    write_windows("video", times, embeddings, metadata, out)
    return report


def check_window(encoder_dir: Path, params: VideoParams) -> None:
    """Check that the encoder takes windows of the length that params ask for.

    Raises:
        EncoderError: it takes another number of frames.
    """
    n_frames = read_video_input(encoder_dir)[0].n_frames
    if n_frames != params.window_frames:
        raise EncoderError(
            f"Encoder {encoder_dir.name} takes windows of {n_frames} frames, "
            f"not {params.window_frames}",
            where="params.yaml, features.video.window_frames",
            todo=f"set it to {n_frames}, or choose an encoder of {params.window_frames} frames",
        )


def _encoded(
    film: Iterable[Window], encoder: VideoEncoder, batch_size: int
) -> tuple[list[Times], Embeddings]:
    times: list[Times] = []
    parts: list[Embeddings] = []
    for batch in _batches(film, batch_size):
        parts.append(encoder.encode(np.stack([window.pixels for window in batch])))
        times += [Times(w.index, w.start_s, w.end_s, w.complete) for w in batch]
    return times, stacked(parts, encoder.width)


def _batches(film: Iterable[Window], batch_size: int) -> Iterator[list[Window]]:
    batch: list[Window] = []
    for window in film:
        batch.append(window)
        if len(batch) == batch_size:
            yield batch
            batch = []
    if batch:
        yield batch


def _check_coverage(
    info: MediaInfo, video: VideoStream, counts: DecodeCounts, share: float, params: VideoParams
) -> None:
    """Check that decoding did not stop long before the end the file declares."""
    start = counts.first_s if counts.first_s is not None else info.start_s
    declared = (video.duration_s or info.end_s - start) * share
    got = (counts.last_end_s or start) - start
    if declared > 0 and got < params.min_decoded * declared:
        raise MediaError(
            f"{info.path.name} stops decoding after {got:.1f} of {declared:.1f} s",
            where=str(info.path),
            todo="replace it with a complete copy, or lower features.video.min_decoded",
        )


def _metadata(
    encoder: VideoEncoder,
    encoder_dir: Path,
    params: VideoParams,
    share: float,
    video: VideoStream,
    report: VideoReport,
) -> dict[str, str]:
    counts = report.counts
    declared = "unknown" if report.declared is None else str(report.declared)
    return {
        **provenance(encoder_dir, encoder.device, "torch", "transformers"),
        "decoder": decoder_name(),
        "stream": str(video.index),
        "fps": report.fps,
        "fps_measured": f"{report.measured_fps or 0:.6f}",
        "frames_declared": declared,
        "frames_decoded": str(counts.frames),
        "broken_packets": str(counts.broken_packets),
        "corrupt_frames": str(counts.corrupt_frames),
        "frames_out_of_order": str(counts.out_of_order),
        "window_frames": str(params.window_frames),
        "stride_frames": str(params.stride_frames),
        "partial": params.partial,
        "share": str(share),
    }
