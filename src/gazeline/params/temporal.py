"""Section `scenes`, and the sizes of the models of tasks over time."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gazeline.params.base import Section, register

Smoothing = Literal["mean", "butterworth"]
# 16 frames at 24000/1001 a second: one window of video.
WINDOW_S = 16 * 1001 / 24000


@register
class ScenesParams(Section):
    """How films are cut for tasks over time (paper A.5: stretches of five minutes)."""

    length_s: float = Field(default=300.0, ge=1)
    step_s: float = Field(default=WINDOW_S, gt=0, le=60)
    empty: Literal["drop", "keep"] = "drop"


class TemporalParams(Section):
    """A Transformer over the cells of a stretch that answers every cell."""

    width: int = Field(default=64, ge=8)
    layers: int = Field(default=2, ge=1)
    heads: int = Field(default=4, ge=1)
    feedforward: int = Field(default=256, ge=8)
    dropout: float = Field(default=0.1, ge=0, lt=1)
    smoothing: Smoothing = "mean"
    smoothing_s: float = Field(default=5.0, ge=0)
    error_weight: float = Field(default=1.0, ge=0)
    correlation_weight: float = Field(default=1.0, ge=0)

    @model_validator(mode="after")
    def _is_a_model(self) -> TemporalParams:
        if self.width % self.heads:
            raise ValueError(f"heads {self.heads} does not divide width {self.width}")
        if not self.error_weight + self.correlation_weight:
            raise ValueError("error_weight and correlation_weight cannot both be 0")
        return self


class RidgeParams(Section):
    """Ridge regression of every cell (logistic regression for intervals); scikit-learn."""

    penalties: tuple[float, ...] = Field(default=(1.0, 10.0, 100.0, 1000.0), min_length=1)
    smoothing: Smoothing = "mean"
    smoothing_s: float = Field(default=5.0, ge=0)

    @model_validator(mode="after")
    def _penalties_are_positive(self) -> RidgeParams:
        if min(self.penalties) <= 0:
            raise ValueError(f"penalties must be above 0, not {min(self.penalties):g}")
        return self
