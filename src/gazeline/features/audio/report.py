"""What is said of a film's sound: the summary line and the metadata of the shards."""

from __future__ import annotations

from dataclasses import dataclass

from gazeline.features.audio.fbank import NAME
from gazeline.media.containers import decoder_name
from gazeline.media.probing.streams import MediaInfo
from gazeline.media.sounds.sound import RATE, SoundCounts
from gazeline.params.features import AudioParams


@dataclass(frozen=True)
class AudioReport:
    """What was decoded, encoded and measured of a film's sound."""

    n_chunks: int
    n_frames: int
    has_sound: bool
    counts: SoundCounts
    n_resumed: int = 0

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
        if self.n_resumed:
            parts.append(f"{self.n_resumed} chunks were encoded before")
        return ", ".join(parts)


def shard_metadata(
    params: AudioParams,
    share: float,
    info: MediaInfo,
    counts: SoundCounts,
) -> dict[str, str]:
    """Return what the shards of a film's sound say of the decoding and the grid."""
    stream = info.audio
    return {
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
