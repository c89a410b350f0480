"""Section `sample`: the embedded sample corpus."""

from __future__ import annotations

from pydantic import Field

from gazeline.params.base import Section, register


@register
class SampleParams(Section):
    """How the sample films are made."""

    seconds: int = Field(default=40, ge=10, le=600)
    seed: int = Field(default=7, ge=0)
