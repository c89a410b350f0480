"""Kaldi's log-mel filter banks, as the Audio Spectrogram Transformer was trained on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

NAME = "numpy, Kaldi-compatible, float64"
FRAME = 400
HOP = 160
FFT = 512
PREEMPHASIS = 0.97
FLOOR = 1.192092955078125e-07
RATE = 16_000


def n_fbank_frames(n_samples: int) -> int:
    """Return the number of whole 25-ms frames, 10 ms apart, in some samples at 16 kHz."""
    return max(0, 1 + (n_samples - FRAME) // HOP)


@dataclass(frozen=True)
class FilterBank:
    """`n_bins` triangular filters from 20 Hz to 8 kHz on Kaldi's mel scale, for sound at 16 kHz.

    The same numbers as transformers' ASTFeatureExtractor without torchaudio (its reference is
    torchaudio.compliance.kaldi.fbank with a Hann window and no dither), but for a batch at once
    and whatever is installed.
    """

    n_bins: int
    filters: npt.NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "filters", _mel_filters(self.n_bins))

    def __call__(self, samples: Array) -> Array:
        """Return log energies [chunks, frames, bins] of samples [chunks, samples]."""
        frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME, axis=-1)[:, ::HOP]
        framed = frames.astype(np.float64)
        framed -= framed.mean(axis=-1, keepdims=True)
        emphasised = framed.copy()
        emphasised[..., 1:] -= PREEMPHASIS * framed[..., :-1]
        emphasised[..., 0] *= 1 - PREEMPHASIS
        emphasised *= np.hanning(FRAME)
        power = np.abs(np.fft.rfft(emphasised, FFT)) ** 2
        energies: Array = np.log(np.maximum(FLOOR, power @ self.filters)).astype(np.float32)
        return energies


def _mel_filters(n_bins: int) -> npt.NDArray[np.float64]:
    """Return filters [FFT bins, mel bins], triangular on the mel scale."""
    edges = np.linspace(_mel(20.0), _mel(RATE / 2), n_bins + 2)
    bins = _mel(np.arange(FFT // 2 + 1) * RATE / FFT)
    steps = np.diff(edges)
    offsets = edges[None, :] - bins[:, None]
    rising = -offsets[:, :-2] / steps[:-1]
    falling = offsets[:, 2:] / steps[1:]
    filters: npt.NDArray[np.float64] = np.maximum(0.0, np.minimum(rising, falling))
    return filters


def _mel(hertz: float | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(1127.0 * np.log(1.0 + np.asarray(hertz) / 700.0))
