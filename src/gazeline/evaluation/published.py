"""The figures that the MObyGaze paper prints, and where this project measures the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

FILE = "published.json"


@dataclass(frozen=True)
class Published:
    """One figure of the paper.

    `tolerance` is half a unit of the last printed digit (None: a word); `ci` the half width of the
    printed interval; `ours` an operation and the metrics it takes (see `sources`), None where the
    pipeline does not measure it: `why` then says why. `bound`: the paper prints an upper bound.
    `note` is what is known of a difference; `setting` why ours is no measurement.
    """

    id: str
    value: float | str
    printed: str
    tolerance: float | None
    ci: float | None
    approximate: bool
    bound: bool
    unit: str
    needs: tuple[str, ...]
    ours: tuple[str, ...] | None
    why: str | None
    note: str = ""
    setting: str = ""

    @property
    def source(self) -> str:
        """Return the table or text that prints it, `table4` or `text`."""
        return self.id.partition("/")[0]


def load_published() -> tuple[Published, ...]:
    """Return every published figure, in the order of the paper."""
    text = (files("gazeline.evaluation") / FILE).read_text(encoding="utf-8")
    return tuple(_from_json(entry) for entry in json.loads(text))


def _from_json(entry: Mapping[str, Any]) -> Published:
    return Published(
        id=entry["id"],
        value=entry["value"],
        printed=entry["printed"],
        tolerance=entry["tolerance"],
        ci=entry.get("ci"),
        approximate=entry.get("approx", False),
        bound=entry.get("rule") == "at_most",
        unit=entry["unit"],
        needs=tuple(entry["needs"]),
        ours=tuple(entry["ours"]) if "ours" in entry else None,
        why=entry.get("why"),
        note=entry.get("note", ""),
        setting=entry.get("setting", ""),
    )
