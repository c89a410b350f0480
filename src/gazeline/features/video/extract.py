"""Encode every window of frames of a film and write them as a shard, for one encoder or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from threading import Event

import torch

from gazeline.console import progress_bar
from gazeline.errors import EncoderError, GazelineError
from gazeline.features.common.device import pick_device
from gazeline.features.common.provenance import provenance
from gazeline.features.common.scratch import Scratch, file_mark, open_scratch
from gazeline.features.common.shards import Times, write_windows
from gazeline.features.video.batches import Batch, Collector, batches
from gazeline.features.video.encoder import VideoEncoder, load_video_encoder, read_video_input
from gazeline.features.video.report import VideoReport, shard_metadata
from gazeline.media.ahead import ahead
from gazeline.media.containers import Coverage, decoder_name
from gazeline.media.pictures.frames import DecodeCounts, Frame, picture_of, read_views
from gazeline.media.probing.probe import probe
from gazeline.media.probing.streams import MediaInfo
from gazeline.params.features import VideoParams
from gazeline.params.runtime import RuntimeParams

BATCHES_AHEAD = 2


@dataclass(frozen=True)
class VideoJob:
    """An encoder, the windows it takes, and where their shard goes."""

    encoder_dir: Path
    params: VideoParams
    out: Path


@dataclass(frozen=True)
class _Encoding:
    """A job with its loaded encoder and what has been encoded."""

    job: VideoJob
    encoder: VideoEncoder
    made_by: dict[str, str]
    scratch: Scratch


def extract_video(
    copy: Path,
    encoder_dir: Path,
    params: VideoParams,
    runtime: RuntimeParams,
    share: float,
    out: Path,
    *,
    scratch: Path | None = None,
) -> VideoReport:
    """Write the video shard of a film: one embedding per window of frames, on the copy clock.

    See `extract_videos`.
    """
    job = VideoJob(encoder_dir, params, out)
    return extract_videos(copy, [job], runtime, share, scratch=scratch)[0]


def extract_videos(
    copy: Path,
    jobs: Sequence[VideoJob],
    runtime: RuntimeParams,
    share: float,
    *,
    scratch: Path | None = None,
) -> list[VideoReport]:
    """Write the shards of a film for several encoders from one decoding of its pictures.

    Decoding and scaling run in a thread while the encoders work. After a kill the next try decodes
    again but encodes only what is not in scratch.

    Args:
        share: part of the film, from its start, that is decoded; 1.0 is all.
        scratch: folder in which encoded windows outlive a kill; None keeps nothing.

    Raises:
        MediaError: the copy is no film, has no picture, or stops decoding too early.
        EncoderError: an encoder is missing or does not fit the window.
        TableError: a shard cannot be written; none is left behind.
    """
    for job in jobs:
        check_window(job.encoder_dir, job.params)
    info = probe(copy)
    video = picture_of(info)
    stop_s = None if share >= 1 else info.start_s + share * info.duration_s
    with ExitStack() as stack:
        encodings = [_opened(job, info, runtime, stop_s, scratch) for job in jobs]
        for encoding in encodings:
            stack.enter_context(encoding.scratch)
        counts = DecodeCounts()
        times = _encode(info, encodings, runtime, stop_s, counts)
        for job in jobs:
            _coverage(info, counts, stop_s).check(
                copy, job.params.min_decoded, "features.video.min_decoded"
            )
        fps = str(video.fps or "unknown")
        reports = [
            VideoReport(len(t), video.n_frames, counts, fps, encoding.scratch.n_resumed)
            for encoding, t in zip(encodings, times, strict=True)
        ]
        _write(encodings, times, reports, share, info)
    for encoding in encodings:
        encoding.scratch.remove()
    return reports


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


def _opened(
    job: VideoJob,
    info: MediaInfo,
    runtime: RuntimeParams,
    stop_s: float | None,
    scratch: Path | None,
) -> _Encoding:
    """Load the encoder of a job and what an earlier try encoded."""
    encoder = load_video_encoder(job.encoder_dir, pick_device(runtime), job.params.precision)
    made_by = provenance(job.encoder_dir, encoder.bf16, "torch", "transformers")
    inputs = {
        **made_by,
        "copy": file_mark(info.path),
        "decoder": decoder_name(),
        "device": encoder.device.type,
        "threads": torch.get_num_threads(),
        "batch_size": runtime.batch_size,
        "params": job.params.model_dump(exclude={"min_decoded"}),
        "stop_s": stop_s,
    }
    kept = open_scratch(scratch, "video", job.out, inputs, encoder.width)
    return _Encoding(job, encoder, made_by, kept)


def _encode(
    info: MediaInfo,
    encodings: Sequence[_Encoding],
    runtime: RuntimeParams,
    stop_s: float | None,
    counts: DecodeCounts,
) -> list[list[Times]]:
    """Encode the windows of every encoder into its scratch; return their times."""
    times: list[list[Times]] = [[] for _ in encodings]
    with progress_bar(
        total=_n_windows(info, encodings, stop_s), label=info.path.stem, unit=" windows"
    ) as advance:
        for batch in _decoded(info, encodings, runtime, stop_s, counts):
            encoding = encodings[batch.encoder]
            times[batch.encoder] += batch.times
            if batch.pixels is not None:
                embeddings = encoding.encoder.encode_staged(batch.pixels)
                encoding.scratch.add(len(batch.times), embeddings)
            advance(len(batch.times))
    return times


def _decoded(
    info: MediaInfo,
    encodings: Sequence[_Encoding],
    runtime: RuntimeParams,
    stop_s: float | None,
    counts: DecodeCounts,
) -> Iterator[Batch]:
    """Yield batches that are decoded in a thread."""
    collectors = [
        Collector(n, e.encoder, e.job.params, e.scratch.n_items, runtime.batch_size)
        for n, e in enumerate(encodings)
    ]
    views = [collector.view for collector in collectors]
    frames = read_views(info, views, stop_s=stop_s, threads=runtime.workers, counts=counts)
    stop = Event()

    def going_on(shown: tuple[Frame, ...]) -> bool:
        return not stop.is_set()

    return ahead(batches(takewhile(going_on, frames), collectors), BATCHES_AHEAD, stop)


def _n_windows(info: MediaInfo, encodings: Sequence[_Encoding], stop_s: float | None) -> int:
    """Return about how many windows there are, for the progress bar."""
    length_s = (info.end_s if stop_s is None else stop_s) - info.start_s
    n_frames = length_s * float(picture_of(info).fps or 25)
    return sum(round(n_frames / e.job.params.stride_frames) for e in encodings)


def _coverage(info: MediaInfo, counts: DecodeCounts, stop_s: float | None) -> Coverage:
    start = counts.first_s if counts.first_s is not None else info.start_s
    declared = picture_of(info).duration_s or info.end_s - start
    if stop_s is not None:
        declared = min(declared, stop_s - start)
    return counts.covered(info.start_s, declared)


def _write(
    encodings: Sequence[_Encoding],
    times: Sequence[list[Times]],
    reports: Sequence[VideoReport],
    share: float,
    info: MediaInfo,
) -> None:
    """Write all shards; where one fails, those before it go too."""
    written: list[Path] = []
    try:
        for encoding, of_windows, report in zip(encodings, times, reports, strict=True):
            job = encoding.job
            metadata = shard_metadata(job.params, share, picture_of(info), report)
            metadata = {**encoding.made_by, **metadata}
            write_windows("video", of_windows, encoding.scratch.rows(), metadata, job.out)
            written.append(job.out)
    except GazelineError:
        for path in written:
            path.unlink(missing_ok=True)
        raise
