"""Encode every chunk of a film's sound and measure its acoustic series, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from threading import Event

import pyarrow as pa
import torch

from gazeline.console import progress_bar
from gazeline.errors import GazelineError
from gazeline.features.audio.acoustic import AcousticSeries, write_acoustic
from gazeline.features.audio.chunks import batches
from gazeline.features.audio.encoder import load_audio_encoder, read_audio_input
from gazeline.features.audio.report import AudioReport, shard_metadata
from gazeline.features.common.device import pick_device, uses_bf16
from gazeline.features.common.provenance import provenance
from gazeline.features.common.scratch import Scratch, file_mark, open_scratch
from gazeline.features.common.shards import Times, write_windows
from gazeline.media.ahead import ahead
from gazeline.media.containers import Coverage, decoder_name
from gazeline.media.probing.probe import probe
from gazeline.media.probing.streams import MediaInfo
from gazeline.media.sounds.sound import RATE, Samples, SoundCounts, sound_blocks
from gazeline.params.features import AudioParams
from gazeline.params.runtime import RuntimeParams

BATCHES_AHEAD = 2


@dataclass(frozen=True)
class AudioShards:
    """Where the two shards of a film go."""

    embeddings: Path
    acoustic: Path


def extract_audio(
    copy: Path,
    encoder_dir: Path,
    params: AudioParams,
    runtime: RuntimeParams,
    share: float,
    out: AudioShards,
    *,
    scratch: Path | None = None,
) -> AudioReport:
    """Write the audio and acoustic shards of a film, on the copy clock.

    A last chunk that is cut short is kept and marked, unless it is under 25 ms. A film without
    sound gives two empty shards whose metadata say so. Decoding, filter banks and the acoustic
    series run in a thread while the encoder works.

    Args:
        share: part of the film, from its start, that is decoded; 1.0 is all.
        scratch: folder in which encoded chunks outlive a kill; None keeps nothing.

    Raises:
        MediaError: the copy is no film, or has sound that cannot be decoded or stops too early.
        EncoderError: the encoder is missing or does not take such chunks.
        TableError: a shard cannot be written; neither is left behind.
    """
    info = probe(copy)
    audio_input, width = read_audio_input(encoder_dir)
    stop_s = None if share >= 1 else info.start_s + share * info.duration_s
    bf16 = uses_bf16(pick_device(runtime), params.precision)
    made_by = provenance(encoder_dir, bf16, "torch", "transformers", "librosa", "soxr")
    job = _Job(info, encoder_dir, params, runtime, stop_s)
    audio_input.check_chunk(encoder_dir.name, job.chunk_samples)
    series, counts, times = AcousticSeries(params), SoundCounts(), list[Times]()
    with open_scratch(scratch, "audio", out.embeddings, job.inputs() | made_by, width) as kept:
        if info.audio_streams:
            times = _encode(job, series, counts, kept)
            _coverage(info, counts, stop_s).check(
                copy, params.min_decoded, "features.audio.min_decoded"
            )
        table, has_sound = series.table(), bool(info.audio_streams)
        report = AudioReport(len(times), len(table), has_sound, counts, kept.n_resumed)
        metadata = {**made_by, **shard_metadata(params, share, info, counts)}
        write_windows("audio", times, kept.rows(), metadata, out.embeddings)
        _write_second(table, metadata, out)
    kept.remove()
    return report


@dataclass(frozen=True)
class _Job:
    """A film's sound, up to `stop_s`, and the encoder it goes to."""

    info: MediaInfo
    encoder_dir: Path
    params: AudioParams
    runtime: RuntimeParams
    stop_s: float | None

    @property
    def chunk_samples(self) -> int:
        return round(self.params.chunk_s * RATE)

    def inputs(self) -> dict[str, object]:
        """Return all that the embeddings depend on, but for the encoder."""
        return {
            "copy": file_mark(self.info.path),
            "decoder": decoder_name(),
            "device": pick_device(self.runtime).type,
            "threads": torch.get_num_threads(),
            "batch_size": self.runtime.batch_size,
            "chunk_s": self.params.chunk_s,
            "stop_s": self.stop_s,
        }


def _encode(job: _Job, series: AcousticSeries, counts: SoundCounts, kept: Scratch) -> list[Times]:
    """Encode the chunks into `kept` and measure the series; return the chunks' times."""
    info, stop, times = job.info, Event(), list[Times]()
    encoder = load_audio_encoder(job.encoder_dir, pick_device(job.runtime), job.params.precision)
    blocks = takewhile(
        lambda block: not stop.is_set(), sound_blocks(info, stop_s=job.stop_s, counts=counts)
    )
    made = batches(
        _measured(blocks, series),
        encoder,
        job.chunk_samples,
        job.runtime.batch_size,
        kept.n_resumed,
    )
    total = round((info.end_s if job.stop_s is None else job.stop_s) / job.params.chunk_s)
    with progress_bar(total=total, label=info.path.stem, unit=" chunks") as advance:
        for batch in ahead(made, BATCHES_AHEAD, stop):
            times += batch.times
            if batch.banks is not None:
                kept.add(len(batch.times), encoder.encode_staged(batch.banks))
            advance(len(batch.times))
    return times


def _measured(blocks: Iterable[Samples], series: AcousticSeries) -> Iterator[Samples]:
    """Pass sound on after feeding it to the acoustic series."""
    for block in blocks:
        series.feed(block)
        yield block


def _coverage(info: MediaInfo, counts: SoundCounts, stop_s: float | None) -> Coverage:
    start = counts.first_s or 0.0
    declared = counts.declared_s or info.end_s - start
    if stop_s is not None:
        declared = min(declared, stop_s - start)
    return Coverage(start, counts.last_end_s or start, declared)


def _write_second(table: pa.Table, metadata: Mapping[str, str], out: AudioShards) -> None:
    """Write the acoustic shard; where that fails the first shard goes too."""
    try:
        write_acoustic(table, metadata, out.acoustic)
    except GazelineError:
        out.embeddings.unlink(missing_ok=True)
        raise
