"""Section `features`: the grid and the encoders' inputs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gazeline.params.base import Section, register

Precision = Literal["auto", "fp32", "bf16"]


@register
class VideoParams(Section):
    """Windows of frames, on the copy clock."""

    window_frames: int = Field(default=16, ge=1)
    stride_frames: int = Field(default=16, ge=1)
    partial: Literal["drop", "repeat"] = "drop"
    min_decoded: float = Field(default=0.9, ge=0, le=1)
    precision: Precision = "auto"


@register
class AudioParams(Section):
    """Chunks of sound and the acoustic series."""

    chunk_s: float = Field(default=2.0, gt=0, le=10)
    frame_length: int = Field(default=2048, ge=64)
    hop_length: int = Field(default=512, ge=16)
    min_decoded: float = Field(default=0.9, ge=0, le=1)
    precision: Precision = "auto"

    @model_validator(mode="after")
    def _frames_without_gaps(self) -> AudioParams:
        if self.hop_length > self.frame_length:
            raise ValueError(f"hop_length {self.hop_length} is over frame_length")
        return self


@register
class TextParams(Section):
    """Token embeddings of a segment's text."""

    max_tokens: int = Field(default=512, ge=8)
    lowercase: bool = True
    precision: Precision = "auto"
