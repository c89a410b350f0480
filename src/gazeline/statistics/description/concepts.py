"""Concepts by annotator, level and modality, and which go together (paper Table 3, Fig. 7-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from gazeline.statistics.annotations import Bools
from gazeline.statistics.overlaps import Floats

DIGITS = 6
NO_SHARE: dict[str, float | str] = {
    "share_undefined": 1,
    "share_reason": "no segment of the level has a concept",
}
Counts = dict[str, dict[str, int]]


def concept_counts(values: pd.Series[str], concepts: Bools, names: Sequence[str]) -> Counts:
    """Return value → concept → segments with that value (annotator, level) and concept."""
    return {
        str(value): _counts(concepts[(values == value).to_numpy()], names)
        for value in sorted(values.unique())
    }


def _counts(concepts: Bools, names: Sequence[str]) -> dict[str, int]:
    return {name: int(n) for name, n in zip(names, concepts.sum(axis=0), strict=True)}


def modality_counts(
    by_level: Mapping[str, Mapping[str, int]], modalities: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, dict[str, float | str]]]:
    """Return level → modality → occurrences of its concepts and their share of the level's.

    A level without concepts has no share, and says why.
    """
    counts: dict[str, dict[str, dict[str, float | str]]] = {}
    for level, by_concept in by_level.items():
        total = sum(by_concept.values())
        counts[level] = {}
        for modality, names in modalities.items():
            n = sum(by_concept[name] for name in names)
            share: dict[str, float | str] = (
                {"share": round(n / total, DIGITS)} if total else NO_SHARE
            )
            counts[level][modality] = {"n": n, **share}
    return counts


def mean_concepts(segments: pd.DataFrame) -> dict[str, float]:
    """Return the mean number of distinct concepts of each level's segments.

    Tags outside the thesaurus and segments without a concept count, which yields the paper's
    3.1 (S) and 1.7 (HN) of Sec. 3.2.5.
    """
    n = segments["concepts"].map(_distinct) + segments["tags"].map(_distinct)
    means = n.groupby(segments["label"]).mean()
    return {str(level): round(float(means[level]), DIGITS) for level in sorted(means.index)}


def _distinct(names: Sequence[str]) -> int:
    return len(set(names))


def used(concepts: Bools) -> Bools:
    """Return which concepts some segments have and others have not, shape [c]."""
    share = concepts.mean(axis=0) if len(concepts) else np.zeros(concepts.shape[1])
    return np.asarray((share > 0) & (share < 1), dtype=np.bool_)


def correlations(concepts: Bools, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the Pearson correlation of each two concepts over all rows (Fig. 7a).

    Each pair stands once, under the concept that comes first; a concept that all segments or
    none have is left out.
    """
    kept = np.flatnonzero(used(concepts))
    if len(kept) < 2:
        return {}
    matrix: Floats = np.corrcoef(concepts[:, kept].T.astype(np.float64))
    return {
        names[kept[i]]: {
            names[kept[j]]: round(float(matrix[i, j]), DIGITS) for j in range(i + 1, len(kept))
        }
        for i in range(len(kept) - 1)
    }
