"""Encode every chunk of a film's sound and measure its acoustic series, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from gazeline.console import progress
from gazeline.errors import GazelineError
from gazeline.features.audio.acoustic import AcousticSeries, write_acoustic
from gazeline.features.audio.encoder import AudioEncoder, load_audio_encoder, read_audio_input
from gazeline.features.audio.fbank import FRAME, NAME
from gazeline.features.common.device import pick_device
from gazeline.features.common.provenance import provenance
from gazeline.features.common.shards import Embeddings, Times, stacked, write_windows
from gazeline.media.containers import decoder_name
from gazeline.media.probing.probe import probe
from gazeline.media.probing.streams import MediaInfo
from gazeline.media.sounds.sound import RATE, Samples, SoundCounts, sound_blocks
from gazeline.params.features import AudioParams
from gazeline.params.runtime import RuntimeParams


@dataclass(frozen=True)
class AudioReport:
    """What was decoded, encoded and measured of a film's sound."""

    n_chunks: int
    n_frames: int
    has_sound: bool
    counts: SoundCounts

    def sentence(self) -> str:
        """Return the summary line of the stage."""
        if not self.has_sound:
            return "NO SOUND: both shards are empty"
        parts = [f"{self.n_chunks} chunks", f"{self.n_frames} acoustic frames"]
        if self.counts.broken_packets:
            parts.append(f"{self.counts.broken_packets} broken packets")
        for name, seconds in (
            ("silence put in", self.counts.padded_s),
            ("sound cut", self.counts.cut_s),
        ):
            if seconds:
                parts.append(f"{seconds:.3f} s of {name} to stay on the copy clock")
        return ", ".join(parts)


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
) -> AudioReport:
    """Write the audio and acoustic shards of a film, on the copy clock.

    A last chunk that is cut short is kept and marked, unless it is under 25 ms. A film without
    sound gives two empty shards whose metadata say so.

    Args:
        share: part of the film, from its start, that is decoded; 1.0 is all.

    Raises:
        MediaError: the copy is no film, or has sound that cannot be decoded.
        EncoderError: the encoder is missing or does not take such chunks.
        TableError: a shard cannot be written; neither is left behind.
    """
    info = probe(copy)
    audio_input, width = read_audio_input(encoder_dir)
    chunk_samples = round(params.chunk_s * RATE)
    audio_input.check_chunk(encoder_dir.name, chunk_samples)
    series = AcousticSeries(params)
    counts = SoundCounts()
    times: list[Times] = []
    embeddings = stacked([], width)
    if info.audio_streams:
        stop_s = None if share >= 1 else info.start_s + share * info.duration_s
        blocks = sound_blocks(info, stop_s=stop_s, counts=counts)
        chunks = _chunks(_measured(blocks, series), chunk_samples)
        encoder = load_audio_encoder(encoder_dir, pick_device(runtime))
        total = round(info.end_s * share / params.chunk_s)
        shown = progress(chunks, total=total, label=copy.stem, unit=" chunks")
        times, embeddings = _encoded(shown, encoder, chunk_samples, runtime.batch_size)
    table = series.table()
    report = AudioReport(len(times), len(table), bool(info.audio_streams), counts)
    metadata = _metadata(encoder_dir, params, runtime, share, info, counts)
    write_windows("audio", times, embeddings, metadata, out.embeddings)
    _write_second(table, metadata, out)
    return report


def _write_second(table: pa.Table, metadata: Mapping[str, str], out: AudioShards) -> None:
    """Write the acoustic shard; where that fails the first shard goes too."""
    try:
        write_acoustic(table, metadata, out.acoustic)
    except GazelineError:
        out.embeddings.unlink(missing_ok=True)
        raise


def _measured(blocks: Iterable[Samples], series: AcousticSeries) -> Iterator[Samples]:
    """Pass sound on after feeding it to the acoustic series."""
    for block in blocks:
        series.feed(block)
        yield block


def _chunks(blocks: Iterable[Samples], chunk_samples: int) -> Iterator[Samples]:
    """Cut sound into chunks of one length; the last may be shorter, but not under 25 ms."""
    import numpy as np

    rest: Samples = np.zeros(0, np.float32)
    for block in blocks:
        held = np.concatenate([rest, block])
        whole = len(held) - len(held) % chunk_samples
        for start in range(0, whole, chunk_samples):
            yield held[start : start + chunk_samples]
        rest = held[whole:]
    if len(rest) >= FRAME:
        yield rest


def _encoded(
    chunks: Iterable[Samples], encoder: AudioEncoder, chunk_samples: int, batch_size: int
) -> tuple[list[Times], Embeddings]:
    times: list[Times] = []
    parts: list[Embeddings] = []
    batch: list[Samples] = []
    for index, chunk in enumerate(chunks):
        start = index * chunk_samples
        complete = len(chunk) == chunk_samples
        times.append(Times(index, start / RATE, (start + len(chunk)) / RATE, complete))
        batch.append(chunk)
        if len(batch) == batch_size:
            parts.append(encoder.encode(batch))
            batch = []
    if batch:
        parts.append(encoder.encode(batch))
    return times, stacked(parts, encoder.width)


def _metadata(
    encoder_dir: Path,
    params: AudioParams,
    runtime: RuntimeParams,
    share: float,
    info: MediaInfo,
    counts: SoundCounts,
) -> dict[str, str]:
    stream = info.audio
    return {
        **provenance(encoder_dir, pick_device(runtime), "torch", "transformers", "librosa", "soxr"),
        "decoder": decoder_name(),
        "fbank": NAME,
        "has_sound": "yes" if info.audio_streams else "no",
        "stream": "none" if stream is None else str(stream.index),
        "channels": "0" if stream is None else str(stream.channels),
        "layout": "none" if stream is None else stream.layout,
        "source_rate": "0" if stream is None else str(stream.sample_rate),
        "rate": str(RATE),
        "broken_packets": str(counts.broken_packets),
        "padded_s": f"{counts.padded_s:.6f}",
        "cut_s": f"{counts.cut_s:.6f}",
        "chunk_s": str(params.chunk_s),
        "frame_length": str(params.frame_length),
        "hop_length": str(params.hop_length),
        "share": str(share),
    }
