"""Section `subset`: run a part of everything first."""

from __future__ import annotations

from pydantic import Field

from gazeline.params.base import Section, register


@register
class SubsetParams(Section):
    """Run a part of everything first: some films, a share of each copy and annotation."""

    films: tuple[str, ...] = ()
    share: float = Field(default=1.0, gt=0, le=1)

    @property
    def active(self) -> bool:
        """Whether anything is left out."""
        return bool(self.films) or self.share < 1

    def stamp(self) -> dict[str, dict[str, float]]:
        """Return what every metrics file made from a subset says of it; {} for the whole."""
        if not self.active:
            return {}
        return {"subset": {"films": len(self.films), "share": self.share}}

    def caption(self) -> str:
        """Return the words every figure made from a subset carries; "" for the whole."""
        if not self.active:
            return ""
        films = f"{len(self.films)} films" if self.films else "all films"
        return f"SUBSET: {films}, first {self.share:.0%} of each"
