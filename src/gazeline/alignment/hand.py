"""Read a time map made by hand: `data/films/<film>.map.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from pydantic import ConfigDict, Field, field_validator

from gazeline.alignment.clocks import Clocks, within_copy
from gazeline.errors import AlignmentError, ParamsError
from gazeline.params.base import Section, read_yaml, validate
from gazeline.timeline.maps import Piece, TimeMap
from gazeline.timeline.rates import exact_rate

EXAMPLE = "{annotation_start_s: 0, annotation_end_s: 5400, rate: 23.976/25, offset_s: 12.5}"


class HandPiece(Section):
    """One piece: copy time = rate * annotation time + offset_s.

    `rate` is a number or annotated frame rate over the copy's, as `23.976/25`.
    """

    model_config = ConfigDict(allow_inf_nan=False)

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

    pieces: tuple[HandPiece, ...]

    @field_validator("pieces")
    @classmethod
    def _not_empty(cls, pieces: tuple[HandPiece, ...]) -> tuple[HandPiece, ...]:
        # Field(min_length=1) counts only valid pieces: it adds a false problem to a true one.
        if not pieces:
            raise ValueError("should have at least one piece")
        return pieces


def maps_by_hand(path: Path, corpora: Mapping[str, Clocks]) -> dict[str, TimeMap]:
    """Read a map made by hand and cut it to what the copy has, for every corpus of the film.

    `corpora` are the clocks of each corpus, with one copy's start and end.

    Raises:
        AlignmentError: see `read_hand_map`; or of a piece nothing that is annotated in any corpus
            lies on the copy, or of the map nothing that is annotated in one of them.
    """
    made = read_hand_map(path)
    longest = max(corpora.values(), key=lambda clocks: clocks.duration_s)
    outside = [found for piece in made.pieces if (found := _outside(piece, longest))]
    maps = {name: _cut(made, clocks) for name, clocks in corpora.items()}
    outside = outside or [
        f"nothing of it lies both on the copy and before {corpora[name].duration_s:.3f} s, where "
        f"the annotations of {name} end"
        for name, time_map in maps.items()
        if not time_map.pieces
    ]
    if outside:
        raise AlignmentError(
            f"The map made by hand does not fit the copy, which lasts from "
            f"{longest.copy_start_s:.3f} to {longest.copy_end_s:.3f} s: {'; '.join(outside)}",
            where=str(path),
            todo=(
                f"correct {path}: copy time = rate * annotation time + offset_s, in seconds; "
                "leave out pieces that the copy lacks"
            ),
        )
    return maps


def _outside(piece: Piece, clocks: Clocks) -> str | None:
    """Say why nothing annotated of a piece lies on the copy; None where something does."""
    start_s, end_s = piece.annotation_start_s, piece.annotation_end_s
    name = f"the piece {{annotation_start_s: {start_s:.15g}, annotation_end_s: {end_s:.15g}}}"
    if start_s >= clocks.duration_s:
        return f"{name} starts after the annotations end, at {clocks.duration_s:.3f} s"
    annotated = replace(piece, annotation_end_s=min(end_s, clocks.duration_s))
    if within_copy([annotated], clocks, None).pieces:
        return None
    return (
        f"{name} would lie from {piece.to_copy(start_s):.3f} to {piece.to_copy(end_s):.3f} s of it"
    )


def _cut(made: TimeMap, clocks: Clocks) -> TimeMap:
    """Leave out what lies outside the copy, and pieces that start after the annotations end."""
    pieces = within_copy(made.pieces, clocks, None).pieces
    return TimeMap(tuple(p for p in pieces if p.annotation_start_s < clocks.duration_s))


def read_hand_map(path: Path) -> TimeMap:
    """Read and check a map made by hand.

    Raises:
        AlignmentError: the file is missing or unreadable, lacks a number or has one that is not
            finite, or its pieces overlap or run backwards.
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
    except OSError as error:
        reason = "it is a folder" if path.is_dir() else error.strerror
        raise AlignmentError(
            f"The map made by hand cannot be read: {reason}",
            where=str(path),
            todo=f"name a file that can be read in the film's `map`, and {_todo()}",
        ) from error
    except (ValueError, OverflowError) as error:
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
