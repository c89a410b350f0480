"""Audio Spectrogram Transformer: from chunks of sound to one embedding each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gazeline.errors import EncoderError
from gazeline.features.audio.fbank import RATE, FilterBank, n_fbank_frames
from gazeline.features.common.device import (
    BatchLimit,
    encode_fitting,
    inference,
    staged,
    uses_bf16,
)
from gazeline.features.common.loading import (
    check_type,
    load_model,
    processor_settings,
    read_settings,
)
from gazeline.features.common.shards import Embeddings
from gazeline.media.sounds.sound import Samples
from gazeline.params.features import Precision


@dataclass(frozen=True)
class AudioInput:
    """What the encoder takes: `max_frames` analysis frames of `filters`, normalised."""

    filters: FilterBank
    max_frames: int
    mean: float
    std: float
    normalised: bool

    def features(self, chunks: list[Samples]) -> Samples:
        """Return normalised filter banks [chunks, max_frames, bins]; short ones end in zeros.

        Raises:
            EncoderError: a chunk is not mono float32 in [-1, 1]; stereo or int16 would give other
                features without a word.
        """
        features = np.zeros((len(chunks), self.max_frames, self.filters.n_bins), np.float32)
        for row, chunk in zip(features, chunks, strict=True):
            _check_samples(chunk)
            bank = self.filters(chunk[None])[0][: self.max_frames]
            row[: len(bank)] = bank
        return (features - self.mean) / (self.std * 2) if self.normalised else features

    def check_chunk(self, name: str, n_samples: int) -> None:
        """Check that a chunk fits into the encoder's input.

        Raises:
            EncoderError: it is longer, so that its end would be cut off.
        """
        if n_fbank_frames(n_samples) > self.max_frames:
            longest = ((self.max_frames - 1) * 160 + 400) / RATE
            raise EncoderError(
                f"A chunk of {n_samples / RATE:g} s is longer than encoder {name} takes",
                where="params.yaml, features.audio.chunk_s",
                todo=f"set it to at most {longest:.3f}",
            )


def _check_samples(chunk: Samples) -> None:
    if chunk.ndim != 1 or chunk.dtype != np.float32:
        raise EncoderError(f"Sound is {chunk.dtype} of shape {chunk.shape}, not mono float32")
    if len(chunk) and float(np.abs(chunk).max()) > 1:
        raise EncoderError(f"Sound reaches {float(np.abs(chunk).max()):g}, beyond full scale 1")


@dataclass(frozen=True)
class AudioEncoder:
    """An AST model on its device, with its input and the width of its output."""

    model: Any
    device: torch.device
    input: AudioInput
    width: int
    bf16: bool = False
    limit: BatchLimit = field(default_factory=BatchLimit)

    def encode(self, chunks: list[Samples]) -> Embeddings:
        """Return the embeddings of chunks of mono sound at 16 kHz, shape [chunks, width].

        They are the pooled output: the mean of the class and distillation tokens.
        """
        return self.encode_staged(self.stage(chunks))

    def stage(self, chunks: list[Samples]) -> torch.Tensor:
        """Return the filter banks of chunks, ready to be fetched by the device."""
        return staged(torch.from_numpy(self.input.features(chunks)), self.device)

    def encode_staged(self, banks: torch.Tensor) -> Embeddings:
        """Return the embeddings of filter banks from `stage`."""

        def run(features: torch.Tensor) -> torch.Tensor:
            inputs = features.to(self.device, non_blocking=True)
            output: torch.Tensor = self.model(input_values=inputs).pooler_output
            return output.to(torch.float32).cpu()

        with inference(self.device, self.bf16):
            embeddings: Embeddings = encode_fitting(run, banks, self.limit).numpy()
        return embeddings


def load_audio_encoder(
    encoder_dir: Path, device: torch.device, precision: Precision = "auto"
) -> AudioEncoder:
    """Load an AST checkpoint (with or without its classification head).

    Raises:
        EncoderError: the folder holds no AST model, or its files contradict each other.
    """
    audio_input, width = read_audio_input(encoder_dir)
    bf16 = uses_bf16(device, precision)

    from transformers.models.audio_spectrogram_transformer import (
        modeling_audio_spectrogram_transformer as modeling,
    )

    model = load_model(modeling.ASTModel, encoder_dir).to(device)
    return AudioEncoder(model, device, audio_input, width, bf16)


def read_audio_input(encoder_dir: Path) -> tuple[AudioInput, int]:
    """Return what a checkpoint takes and the width of what it gives, without loading it."""
    config = read_settings(encoder_dir, "config.json")
    check_type(encoder_dir, config, "audio-spectrogram-transformer", "audio")
    settings = processor_settings(encoder_dir, "feature_extractor")
    rate = int(settings.get("sampling_rate", RATE))
    if rate != RATE:
        raise EncoderError(
            f"Encoder {encoder_dir.name} takes sound at {rate} Hz, not {RATE}",
            where=str(encoder_dir / "preprocessor_config.json"),
            todo=f"choose an encoder of {RATE} Hz",
        )
    for key, default in (("max_length", 1024), ("num_mel_bins", 128)):
        taken, made = config.get(key, default), settings.get(key, default)
        if taken != made:
            raise EncoderError(
                f"Encoder {encoder_dir.name} takes {key} {taken}, its processor makes {made}",
                where=str(encoder_dir),
                todo="take config.json and preprocessor_config.json from the same checkpoint",
            )
    audio_input = AudioInput(
        filters=FilterBank(int(config.get("num_mel_bins", 128))),
        max_frames=int(config.get("max_length", 1024)),
        mean=float(settings.get("mean", -4.2677393)),
        std=float(settings.get("std", 4.5689974)),
        normalised=bool(settings.get("do_normalize", True)),
    )
    return audio_input, int(config.get("hidden_size", 768))
