"""Sections `corpora` and `films`: what is analysed."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, field_validator

from gazeline.params.base import Section, register
from gazeline.timeline.rates import exact_rate


class FoldParams(Section):
    """One fold: films named as test or validation; every other film of the corpus trains."""

    fold: int = Field(ge=1)
    test: tuple[str, ...] = Field(min_length=1)
    validation: tuple[str, ...] = Field(min_length=1)


class EncoderChoice(Section):
    """Names of the encoders (section `encoders`) that a corpus uses."""

    video: str
    audio: str
    text: str


class ConceptGroups(Section):
    """The thesaurus, by the modality a concept is perceived in."""

    visual: tuple[str, ...] = ()
    speech: tuple[str, ...] = ()
    audio: tuple[str, ...] = ()


class IngestParams(Section):
    """What ingest needs of a corpus; the other keys of its entry are not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=False)

    format: Literal["mobygaze", "sample", "vsd2011", "eim2018"]
    exclude: tuple[str, ...]
    frame_rates: dict[str, str | float]
    folds: tuple[FoldParams, ...]

    @field_validator("frame_rates")
    @classmethod
    def _rates_are_rates(cls, rates: dict[str, str | float]) -> dict[str, str | float]:
        for film, rate in rates.items():
            try:
                exact_rate(rate)
            except (ValueError, ZeroDivisionError) as error:
                raise ValueError(f"{film}: {rate!r} is not a frame rate") from error
        return rates


@register
class CorpusParams(IngestParams):
    """One annotated release."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    release: str
    encoders: EncoderChoice
    concepts: ConceptGroups


@register
class FilmParams(Section):
    """One film with a copy."""

    copy_: str = Field(alias="copy")
    corpora: tuple[str, ...] = Field(min_length=1, max_length=2)
    subtitles: str | None = None
    map: str | None = None
    accept_confidence: float | None = Field(default=None, ge=0, le=1)
