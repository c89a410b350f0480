"""Zero-crossing rate, spectral bandwidth and RMS of a film's sound, in one pass over it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from gazeline.media.sounds.sound import RATE, Samples
from gazeline.params.features import AudioParams
from gazeline.schema.features import ACOUSTIC
from gazeline.tables import write_table

SERIES = ("zcr", "bandwidth_hz", "rms")


class AcousticSeries:
    """Measure sound that arrives in blocks, as librosa does on the whole (`center=False`).

    Every analysis frame lies wholly in the sound; a rest shorter than a frame is left out.
    """

    def __init__(self, params: AudioParams) -> None:
        self._frame, self._hop = params.frame_length, params.hop_length
        self._rest: Samples = np.zeros(0, np.float32)
        self._parts: dict[str, list[Samples]] = {name: [] for name in SERIES}

    def feed(self, samples: Samples) -> None:
        """Take the next samples at 16 kHz."""
        held = np.concatenate([self._rest, samples])
        n_frames = 1 + (len(held) - self._frame) // self._hop if len(held) >= self._frame else 0
        if n_frames:
            self._measure(held[: (n_frames - 1) * self._hop + self._frame])
        self._rest = held[n_frames * self._hop :]

    def _measure(self, samples: Samples) -> None:
        from librosa import feature

        frames = {"frame_length": self._frame, "hop_length": self._hop, "center": False}
        spectrum = {"n_fft": self._frame, "hop_length": self._hop, "center": False}
        series = {
            "zcr": feature.zero_crossing_rate(samples, **frames),
            "bandwidth_hz": feature.spectral_bandwidth(y=samples, sr=RATE, **spectrum),
            "rms": feature.rms(y=samples, **frames),
        }
        for name, values in series.items():
            self._parts[name].append(values[0].astype(np.float32))

    def table(self) -> pa.Table:
        """Return a row per analysis frame so far; `time_s` is its centre."""
        empty = np.zeros(0, np.float32)
        series = {name: np.concatenate([empty, *parts]) for name, parts in self._parts.items()}
        n_frames = len(series["zcr"])
        time_s = (np.arange(n_frames) * self._hop + self._frame / 2) / RATE
        frame = np.arange(n_frames, dtype=np.int32)
        return pa.table({"frame": frame, "time_s": time_s, **series}, schema=ACOUSTIC.schema)


def write_acoustic(table: pa.Table, metadata: Mapping[str, str], path: Path) -> None:
    """Write the acoustic series of a film; no sound gives an explicit empty shard."""
    write_table(table, ACOUSTIC, path, metadata)
