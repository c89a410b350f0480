"""The segments around a segment: what was annotated just before and after by the same annotator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

# Segments listed on each side; `training.context` chooses among them.
REACH = 2
NOBODY = ""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Neighbours:
    """Ids and lengths of the segments one before, one after, two before, … ("" and 0: none)."""

    ids: tuple[str, ...]
    lengths_s: tuple[float, ...]

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns of `samples.parquet`."""
        return {"neighbours": list(self.ids), "neighbours_s": list(self.lengths_s)}


def find_neighbours(segments: Sequence[Row]) -> dict[str, Neighbours]:
    """Return the neighbours of every segment, by segment id.

    All segments count, also those of unsure or unused label: what is around a segment must not
    tell how it was labelled.
    """
    found: dict[str, Neighbours] = {}
    for _, group in groupby(sorted(segments, key=_place), key=_owner):
        row = list(group)
        for place, segment in enumerate(row):
            around = [_at(row, place + side * step) for step in _STEPS for side in (-1, 1)]
            found[segment["segment_id"]] = Neighbours(
                tuple(NOBODY if s is None else str(s["segment_id"]) for s in around),
                tuple(0.0 if s is None else float(s["end_s"] - s["start_s"]) for s in around),
            )
    return found


_STEPS = range(1, REACH + 1)


def _owner(segment: Row) -> tuple[str, str]:
    return segment["film_id"], segment["annotator"]


def _place(segment: Row) -> tuple[str, str, float, float, str]:
    return (*_owner(segment), segment["start_s"], segment["end_s"], segment["segment_id"])


def _at(row: Sequence[Row], place: int) -> Row | None:
    return row[place] if 0 <= place < len(row) else None
