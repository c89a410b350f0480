"""Sizes and settings of ActionFormer (Zhang et al. 2022), as the paper's A.5 sets them."""

from __future__ import annotations

from pydantic import Field, model_validator

from gazeline.params.base import Section


def _published_ranges() -> tuple[tuple[float, float], ...]:
    return ((0, 11), (11, 22), (22, 36), (36, 47), (47, 10_000))


class ActionFormerParams(Section):
    """A pyramid of local attention over cells; lengths are counted in cells of the grid."""

    max_cells: int = Field(default=512, ge=16)
    width: int = Field(default=256, ge=8)
    heads: int = Field(default=4, ge=1)
    window: int = Field(default=17, ge=3)
    embedding_layers: int = Field(default=2, ge=1)
    stem_layers: int = Field(default=2, ge=0)
    head_layers: int = Field(default=3, ge=1)
    regression_ranges: tuple[tuple[float, float], ...] = Field(
        default_factory=_published_ranges, min_length=1
    )
    centre_radius: float = Field(default=1.5, gt=0)
    dropout: float = Field(default=0.0, ge=0, lt=1)
    drop_path: float = Field(default=0.1, ge=0, lt=1)
    prior: float = Field(default=0.01, gt=0, lt=1)
    min_score: float = Field(default=0.001, ge=0, lt=1)
    candidates: int = Field(default=2000, ge=1)
    max_segments: int = Field(default=200, ge=1)
    nms_sigma: float = Field(default=0.5, gt=0)
    voting: float = Field(default=0.7, gt=0, le=1)
    min_length_s: float = Field(default=0.1, ge=0)

    @model_validator(mode="after")
    def _fits_together(self) -> ActionFormerParams:
        if self.width % self.heads:
            raise ValueError(f"heads {self.heads} does not divide width {self.width}")
        if self.window % 2 == 0:
            raise ValueError(f"window {self.window} is even; it has a cell in its middle")
        if any(low >= high for low, high in self.regression_ranges):
            raise ValueError("a range of regression_ranges ends before it starts")
        coarsest = 2 ** (len(self.regression_ranges) - 1)
        if self.max_cells % coarsest:
            raise ValueError(f"max_cells {self.max_cells} is no multiple of {coarsest}")
        return self
