"""Section `align`: from the annotation clock to the copy clock."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gazeline.params.base import Section, register


@register
class AlignParams(Section):
    """When to trust a map."""

    min_confidence: float = Field(default=0.5, ge=0, le=1)
    on_unsure: Literal["fail", "warn"] = "fail"
    max_rate_deviation: float = Field(default=0.06, gt=0, le=0.2)
    min_piece_s: float = Field(default=4.0, gt=0)
    max_duration_deviation: float = Field(default=0.04, gt=0, le=0.2)
