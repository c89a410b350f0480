"""Count the features that come with the release, to say where they and the labels differ.

Features of a film lie in `MEDIAEVAL18_XX/<feature>/MEDIAEVAL18_XX-NNNNN_<feature>.txt`, a file a
second. They are not read further: features come from the copies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

NAME = re.compile(r"mediaeval18_(\d\d)-(\d{5})_(\w+)\.txt", re.IGNORECASE)


@dataclass(frozen=True)
class FeatureCount:
    """Files of one feature of one film: how many, and which seconds are missing or empty."""

    n_files: int
    missing: tuple[int, ...]
    empty: tuple[int, ...]


def count_features(folder: Path) -> Mapping[str, Mapping[str, FeatureCount]]:
    """Return the counts by film number (`06`) and feature (`fc6`)."""
    seen: dict[str, dict[str, dict[int, bool]]] = {}
    for path in folder.rglob("*.txt"):
        match = NAME.fullmatch(path.name)
        if match:
            film, second, feature = match[1], int(match[2]), match[3].lower()
            seen.setdefault(film, {}).setdefault(feature, {})[second] = path.stat().st_size == 0
    return {
        film: {feature: _count(seconds) for feature, seconds in sorted(features.items())}
        for film, features in sorted(seen.items())
    }


def _count(seconds: Mapping[int, bool]) -> FeatureCount:
    expected = range(min(seconds), max(seconds) + 1)
    return FeatureCount(
        n_files=len(seconds),
        missing=tuple(second for second in expected if second not in seconds),
        empty=tuple(sorted(second for second, empty in seconds.items() if empty)),
    )
