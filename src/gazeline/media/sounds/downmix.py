"""Mix decoded sound of any layout and sample format to one channel."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]

SIDE = 2**-0.5
WEIGHTS = {
    "FL": 1.0,
    "FR": 1.0,
    "FC": 2**0.5,
    "LFE": 0.0,
    "LFE2": 0.0,
    "BL": SIDE,
    "BR": SIDE,
    "SL": SIDE,
    "SR": SIDE,
    "BC": 1.0,
    "FLC": 1.0,
    "FRC": 1.0,
}
"""Weights of ITU-R BS.775 (stereo from 3/2 sound, then the mean of left and right)."""


def mono(frame: Any) -> Samples:
    """Return the samples of a decoded audio frame as one channel of float32.

    Several channels are mixed by the weights of ITU-R BS.775 divided by their sum, so that full
    scale in every channel is full scale in the mix: nothing clips. Channels of unknown place
    count alike.
    """
    channels = _channels(frame)
    names = tuple(channel.name for channel in frame.layout.channels)
    if len(channels) == 1:
        only: Samples = np.ascontiguousarray(channels[0])
        return only
    weights = _weights(names, len(channels))
    mixed: Samples = np.einsum("c,cs->s", weights, channels)
    return mixed


@lru_cache
def _weights(names: tuple[str, ...], n_channels: int) -> Samples:
    known = len(names) == n_channels and all(name in WEIGHTS for name in names)
    weights = np.array([WEIGHTS[name] for name in names] if known else [1.0] * n_channels)
    if weights.sum() == 0:
        weights = np.ones(n_channels)
    shares: Samples = (weights / weights.sum()).astype(np.float32)
    return shares


def _channels(frame: Any) -> Samples:
    """Return float32 samples of shape [channels, samples], full scale 1."""
    array: npt.NDArray[Any] = frame.to_ndarray()
    if not frame.format.is_planar:
        array = array.reshape(-1, frame.layout.nb_channels).T
    samples: Samples = array.astype(np.float32, copy=False)
    if array.dtype == np.uint8:
        samples = (samples - np.float32(128)) / np.float32(128)
    elif np.issubdtype(array.dtype, np.integer):
        samples = samples / np.float32(2 ** (8 * array.dtype.itemsize - 1))
    return samples
