"""The annotations of a corpus as arrays: one row a segment, grouped by film and annotator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from gazeline.errors import StatisticsError

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ANNOTATION_COLUMNS = ("film_id", "annotator", "start_frame", "end_frame", "label", "concepts")


@dataclass(frozen=True)
class Annotations:
    """Segments of a corpus; an annotation is all that one annotator marked in one film.

    Attributes:
        films, annotators: film and annotator of each of the K annotations.
        of: annotation of each of the n segments, ascending, shape [n].
        start, stop: frames of each segment, half-open as integers (`stop` is the released
            inclusive end plus one), ascending starts within an annotation, shape [n].
        labels: level of each segment, shape [n].
        concepts: which of `concept_names` each segment has, shape [n, c].
    """

    films: tuple[str, ...]
    annotators: tuple[str, ...]
    of: Ints
    start: Ints
    stop: Ints
    labels: npt.NDArray[np.str_]
    concepts: Bools
    concept_names: tuple[str, ...]

    @property
    def n_annotations(self) -> int:
        """Return how many (film, annotator) there are."""
        return len(self.films)

    def with_any(self, names: Sequence[str]) -> Bools:
        """Return which segments have at least one of the concepts, shape [n].

        Raises:
            StatisticsError: a name is no concept of the corpus.
        """
        unknown = [name for name in names if name not in self.concept_names]
        if unknown:
            raise StatisticsError(
                f"{', '.join(unknown)}: no concept of this corpus",
                where="params.yaml, statistics.agreement.groups",
                todo="correct the name, or add the concept to the corpus' concepts",
            )
        columns = [self.concept_names.index(name) for name in names]
        return np.asarray(self.concepts[:, columns].any(axis=1), dtype=np.bool_)


def from_segments(segments: pd.DataFrame, concept_names: Sequence[str]) -> Annotations:
    """Build the arrays from a `segments` table (columns of ANNOTATION_COLUMNS)."""
    ordered = segments.sort_values(["film_id", "annotator", "start_frame", "end_frame"])
    keys = ordered[["film_id", "annotator"]].drop_duplicates()
    index = pd.MultiIndex.from_frame(keys)
    of = index.get_indexer(pd.MultiIndex.from_frame(ordered[["film_id", "annotator"]]))
    return Annotations(
        films=tuple(keys["film_id"]),
        annotators=tuple(keys["annotator"]),
        of=of.astype(np.int64),
        start=ordered["start_frame"].to_numpy(dtype=np.int64),
        stop=ordered["end_frame"].to_numpy(dtype=np.int64) + 1,
        labels=ordered["label"].to_numpy(dtype=np.str_),
        concepts=concept_matrix(ordered, concept_names),
        concept_names=tuple(concept_names),
    )


def concept_matrix(segments: pd.DataFrame, concept_names: Sequence[str]) -> Bools:
    """Return which concepts each row of a `segments` table has, shape [n, c]."""
    matrix = np.zeros((len(segments), len(concept_names)), dtype=np.bool_)
    column = {name: i for i, name in enumerate(concept_names)}
    for row, concepts in enumerate(segments["concepts"]):
        for concept in concepts:
            if concept in column:
                matrix[row, column[concept]] = True
    return matrix
