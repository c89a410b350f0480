"""Pairs of annotations: observed ones of the same film, expected ones of different films."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gazeline.statistics.annotations import Annotations, Ints
from gazeline.statistics.overlaps import Floats


@dataclass(frozen=True)
class Pairs:
    """Rows and columns of the distance matrix, and the films they belong to.

    Attributes:
        observed: two annotators of the same film, shape [o, 2].
        expected: two annotations of different films, whoever made them, shape [e, 2].
        film_of: number of the film of each annotation, shape [K].
        n_films: number of films.
    """

    observed: Ints
    expected: Ints
    film_of: Ints
    n_films: int


@dataclass(frozen=True)
class PairSample:
    """Observed and expected distances of one definition, with their films.

    Attributes:
        observed, expected: distances, shape [o] and [e].
        observed_film: film of each observed distance, shape [o].
        expected_films: the two films of each expected distance, smaller first, shape [e, 2].
        n_films: number of films of the corpus.
        n_observed_left_out, n_expected_left_out: pairs that the definition leaves out.
    """

    observed: Floats
    expected: Floats
    observed_film: Ints
    expected_films: Ints
    n_films: int
    n_observed_left_out: int = 0
    n_expected_left_out: int = 0


def annotation_pairs(annotations: Annotations) -> Pairs:
    """Return every unordered pair of annotations, split by whether they are of one film."""
    names = sorted(set(annotations.films))
    film_of = np.array([names.index(film) for film in annotations.films], dtype=np.int64)
    first, second = np.triu_indices(annotations.n_annotations, k=1)
    both = np.stack([first, second], axis=1).astype(np.int64)
    same = film_of[first] == film_of[second]
    return Pairs(both[same], both[~same], film_of, len(names))


def sample(distances: Floats, pairs: Pairs) -> PairSample:
    """Take the pairs out of a distance matrix [K, K]; those that are NaN are left out."""
    observed = distances[pairs.observed[:, 0], pairs.observed[:, 1]]
    expected = distances[pairs.expected[:, 0], pairs.expected[:, 1]]
    seen, met = ~np.isnan(observed), ~np.isnan(expected)
    return PairSample(
        observed=observed[seen],
        expected=expected[met],
        observed_film=pairs.film_of[pairs.observed[seen, 0]],
        expected_films=np.sort(pairs.film_of[pairs.expected[met]], axis=1),
        n_films=pairs.n_films,
        n_observed_left_out=int((~seen).sum()),
        n_expected_left_out=int((~met).sum()),
    )
