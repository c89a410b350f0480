"""Read a time map made by hand: `data/films/<film>.map.yaml`."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from pydantic import Field, field_validator

from gazeline.errors import AlignmentError, ParamsError
from gazeline.params.base import Section, read_yaml, validate
from gazeline.timeline.maps import Piece, TimeMap
from gazeline.timeline.rates import exact_rate

EXAMPLE = "{annotation_start_s: 0, annotation_end_s: 5400, rate: 23.976/25, offset_s: 12.5}"


class HandPiece(Section):
    """One piece: copy time = rate * annotation time + offset_s.

    `rate` is a number or annotated frame rate over the copy's, as `23.976/25`.
    """

    annotation_start_s: float = Field(ge=0)
    annotation_end_s: float
    rate: float = Field(ge=0.5, le=2)
    offset_s: float

    @field_validator("rate", mode="before")
    @classmethod
    def _quotient(cls, value: object) -> object:
        if not isinstance(value, str) or value.count("/") != 1:
            return value
        annotated, copy = (exact_rate(part) for part in value.split("/"))
        return float(Fraction(annotated) / copy)


class HandMap(Section):
    """Pieces in order of the annotation clock; what lies between them is not in the copy."""

    pieces: tuple[HandPiece, ...] = Field(min_length=1)


def read_hand_map(path: Path) -> TimeMap:
    """Read and check a map made by hand.

    Raises:
        AlignmentError: the file is missing, lacks a number, or its pieces overlap or run backwards.
    """
    try:
        pieces = validate(HandMap, read_yaml(path), path.name, path).pieces
        time_map = TimeMap(
            tuple(
                Piece(p.annotation_start_s, p.annotation_end_s, p.rate, p.offset_s) for p in pieces
            )
        )
        _check_forward(time_map)
    except ParamsError as error:
        raise AlignmentError(error.what, where=str(path), todo=_todo()) from error
    except ValueError as error:
        raise AlignmentError(
            f"The map made by hand does not fit together: {error}", where=str(path), todo=_todo()
        ) from error
    return time_map


def _todo() -> str:
    return f"write it as `pieces:` with one line a piece, like `- {EXAMPLE}`"


def _check_forward(time_map: TimeMap) -> None:
    """Hold what a person writes to the millisecond; estimated maps may overlap by rounding."""
    for before, after in pairwise(time_map.pieces):
        end = before.to_copy(before.annotation_end_s)
        start = after.to_copy(after.annotation_start_s)
        if start < end - 1e-3:
            raise ValueError(f"pieces go back from {end:.3f} to {start:.3f} s of the copy clock")
