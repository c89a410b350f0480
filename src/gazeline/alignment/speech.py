"""When somebody speaks in a film's sound, by the voice-activity detector Silero VAD."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from gazeline.alignment.activity import Span
from gazeline.media.probing.streams import MediaInfo
from gazeline.media.sounds.sound import RATE, sound_blocks

Frames = npt.NDArray[np.float32]
FRAME = 512
# Stretches of a block are listened to side by side, each after two seconds that lead into it: one
# after the other they take four times as long.
STRETCH_FRAMES, LEAD_FRAMES, STRETCHES = 2048, 64, 8
BLOCK_SAMPLES = STRETCHES * STRETCH_FRAMES * FRAME
# Subtitles do not part at pauses of a breath.
SHORTEST_SILENCE_MS = 200


def speech_spans(info: MediaInfo) -> list[Span]:
    """Return the intervals of speech, seconds of the copy clock; none where there is no sound.

    The sound is read in blocks of 8.7 minutes, so that memory does not grow with the film.

    Raises:
        MediaError: there is sound, but none of it can be decoded.
    """
    from silero_vad.utils_vad import get_speech_timestamps_from_probs

    probability = [value for block in _probabilities(info) for value in block.tolist()]
    spans = get_speech_timestamps_from_probs(
        probability,
        sampling_rate=RATE,
        min_silence_duration_ms=SHORTEST_SILENCE_MS,
        speech_pad_ms=0,
    )
    return [(span["start"] / RATE, span["end"] / RATE) for span in spans]


def _probabilities(info: MediaInfo) -> Iterator[Frames]:
    """Yield the probability of speech in every frame of 32 ms, block by block."""
    from silero_vad import load_silero_vad

    model = load_silero_vad()
    lead = np.zeros((LEAD_FRAMES, FRAME), dtype=np.float32)
    for samples in sound_blocks(info, block_samples=BLOCK_SAMPLES):
        n_frames = -(-len(samples) // FRAME)
        length = min(STRETCH_FRAMES, n_frames)
        frames = np.zeros((-(-n_frames // length) * length, FRAME), dtype=np.float32)
        frames.reshape(-1)[: len(samples)] = samples
        yield _listen(model, np.concatenate([lead, frames]), length)[:n_frames]
        lead = frames[-LEAD_FRAMES:]


def _listen(model: Any, frames: Frames, length: int) -> Frames:
    """Return the probabilities of all frames after the first `LEAD_FRAMES`."""
    import torch

    starts = range(0, len(frames) - LEAD_FRAMES, length)
    stretches = torch.from_numpy(
        np.stack([frames[start : start + LEAD_FRAMES + length] for start in starts])
    )
    model.reset_states()
    with torch.inference_mode():
        heard = [model(stretches[:, i], RATE)[:, 0] for i in range(stretches.shape[1])]
        found: Frames = torch.stack(heard[LEAD_FRAMES:], dim=1).numpy().reshape(-1)
    return found
