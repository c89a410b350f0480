"""Piecewise-linear maps from the annotation clock to the copy clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Interval = tuple[float, float]


@dataclass(frozen=True)
class Piece:
    """Map [annotation_start_s, annotation_end_s) by `copy = rate * annotation + offset_s`.

    Raises:
        ValueError: the piece is empty or the rate is not positive.
    """

    annotation_start_s: float
    annotation_end_s: float
    rate: float
    offset_s: float

    def __post_init__(self) -> None:
        if not self.annotation_start_s < self.annotation_end_s:
            raise ValueError(f"piece [{self.annotation_start_s}, {self.annotation_end_s}) is empty")
        if not self.rate > 0:
            raise ValueError(f"rate {self.rate} is not positive")

    def to_copy(self, time_s: float) -> float:
        """Return the copy time of an annotation time (also outside the piece)."""
        return self.rate * time_s + self.offset_s


@dataclass(frozen=True)
class TimeMap:
    """Pieces in annotation order; what lies in no piece is missing from the copy.

    Raises:
        ValueError: pieces overlap or are not in order, on either clock.
    """

    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        for before, after in zip(self.pieces, self.pieces[1:], strict=False):
            if after.annotation_start_s < before.annotation_end_s - 1e-9:
                raise ValueError(
                    f"pieces overlap at {after.annotation_start_s} s of the annotation clock"
                )
            end, start = (
                before.to_copy(before.annotation_end_s),
                after.to_copy(after.annotation_start_s),
            )
            if start < end - 1.0:
                raise ValueError(f"pieces go back from {end} to {start} s of the copy clock")

    def to_copy(self, time_s: float) -> float | None:
        """Return the copy time of an annotation time, or None where it is missing."""
        for piece in self.pieces:
            if piece.annotation_start_s <= time_s < piece.annotation_end_s:
                return piece.to_copy(time_s)
        return None

    def intervals_to_copy(self, start_s: float, end_s: float) -> list[Interval]:
        """Return the parts of [start_s, end_s) that the copy has, on the copy clock."""
        parts = []
        for piece in self.pieces:
            start = max(start_s, piece.annotation_start_s)
            end = min(end_s, piece.annotation_end_s)
            if start < end:
                parts.append((piece.to_copy(start), piece.to_copy(end)))
        return parts

    def coverage(self, start_s: float, end_s: float) -> float:
        """Return the share of [start_s, end_s) that the copy has."""
        if end_s <= start_s:
            return 0.0
        kept = sum(
            max(0.0, min(end_s, p.annotation_end_s) - max(start_s, p.annotation_start_s))
            for p in self.pieces
        )
        return kept / (end_s - start_s)

    def to_json(self) -> list[dict[str, float]]:
        """Return the pieces as plain dictionaries."""
        return [
            {
                "annotation_start_s": p.annotation_start_s,
                "annotation_end_s": p.annotation_end_s,
                "rate": p.rate,
                "offset_s": p.offset_s,
            }
            for p in self.pieces
        ]

    @classmethod
    def from_json(cls, pieces: Sequence[Mapping[str, Any]]) -> TimeMap:
        """Read what `to_json` wrote.

        Raises:
            ValueError: a piece lacks a number or the pieces do not fit together.
        """
        names = ("annotation_start_s", "annotation_end_s", "rate", "offset_s")
        for index, piece in enumerate(pieces):
            lacking = [n for n in names if not isinstance(piece.get(n), int | float)]
            if lacking:
                raise ValueError(f"piece {index} lacks {', '.join(lacking)}")
        return cls(tuple(Piece(*(float(piece[n]) for n in names)) for piece in pieces))
