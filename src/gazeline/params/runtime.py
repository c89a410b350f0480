"""Section `runtime`: how fast, never what; no stage depends on it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gazeline.params.base import Section, register


@register
class RuntimeParams(Section):
    """Device, threads and inference batches."""

    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    threads: int = Field(default=0, ge=0)
    workers: int = Field(default=0, ge=0)
    batch_size: int = Field(default=16, ge=1)
