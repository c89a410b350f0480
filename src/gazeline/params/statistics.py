"""Section `statistics`: agreement, description and external consistency."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gazeline.params.base import Section, register


@register
class AgreementParams(Section):
    """Distances between two annotations of a film (paper Sec. 3.2.1, A.2)."""

    levels: tuple[str, ...] = ("EN", "HN", "S")
    unmatched: float = Field(default=2.0, ge=0)
    level_threshold: float = Field(default=0.9, gt=0, le=1)
    concept_threshold: float = Field(default=0.8, gt=0, le=1)
    thresholds: tuple[Annotated[float, Field(gt=0, le=1)], ...] = (
        0.1,
        0.2,
        0.3,
        0.4,
        0.5,
        0.6,
        0.7,
        0.8,
        0.9,
        1.0,
    )
    empty_side: Literal["zero", "drop"] = "zero"
    groups: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    bootstrap: int = Field(default=1000, ge=0)
    seed: int = Field(default=0, ge=0)


@register
class DescriptionParams(Section):
    """What is counted as positive, and the decision tree between two levels."""

    positive_levels: tuple[str, ...] = ("HN", "S")
    negative_levels: tuple[str, ...] = ("EN",)
    tree_levels: tuple[str, str] = ("HN", "S")
    tree_seed: int = Field(default=0, ge=0)


@register
class ConsistencyParams(Section):
    """Annotations against what is seen, said and heard (paper Sec. 3.2.2, A.2.7)."""

    quantile: float = Field(default=0.9, ge=0, le=1)
    q_significant: float = Field(default=0.05, gt=0, lt=1)
    q_shaded: float = Field(default=0.01, gt=0, lt=1)
    bins: int = Field(default=100, ge=2)
