"""The visual concept score of a segment, step by step (paper A.2.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gazeline.statistics.annotations import Ints
from gazeline.statistics.overlaps import Floats


@dataclass(frozen=True)
class PromptVectors:
    """Prompts as unit vectors, centred on the mean of them all.

    Attributes:
        concepts: concept → its prompts, shape [k, d] each.
        negatives: prompts of what is in any film, shape [m, d].
    """

    concepts: Mapping[str, Floats]
    negatives: Floats


def unit(vectors: Floats) -> Floats:
    """Scale rows to length 1; a row of zeros stays.

    Args:
        vectors: shape [n, d].
    """
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.zeros(vectors.shape)
    np.divide(vectors, length, out=scaled, where=length > 0)
    return scaled


def centred(vectors: Floats, background: Floats) -> Floats:
    """Subtract a background from unit vectors and scale them to length 1 again.

    Args:
        vectors: unit rows, shape [n, d]. background: shape [d].
    """
    return unit(vectors - background)


def centre_prompts(concepts: Mapping[str, Floats], negatives: Floats) -> PromptVectors:
    """Centre prompts by the mean of all of them, of every concept and negative (step 4)."""
    units = {name: unit(vectors) for name, vectors in concepts.items()}
    background = np.concatenate([*units.values(), unit(negatives)]).mean(axis=0)
    return PromptVectors(
        {name: centred(vectors, background) for name, vectors in units.items()},
        centred(unit(negatives), background),
    )


def centre_windows(windows: Floats) -> Floats:
    """Centre the windows of a film by their mean (step 4), shape [w, d]."""
    units = unit(windows)
    return centred(units, units.mean(axis=0)) if len(units) else units


def similarities(windows: Floats, prompts: Floats) -> Floats:
    """Return the cosine of each window with each prompt (step 1), shape [w, k].

    Args:
        windows: unit rows, shape [w, d]. prompts: unit rows, shape [k, d].
    """
    cosines: Floats = windows @ prompts.T
    return cosines


def peak_similarity(cosines: Floats, quantile: float) -> float:
    """Take the quantile over windows (step 2) and the largest over prompts (step 3).

    Args:
        cosines: shape [w, k], at least one window and one prompt.
    """
    return float(np.quantile(cosines, quantile, axis=0).max())


def film_scores(
    windows: Floats, segments: Sequence[Ints], prompts: PromptVectors, quantile: float
) -> Floats:
    """Return the score of each segment of a film for each concept (step 5), shape [s, c].

    The score is the peak similarity with the concept's prompts minus that with the negative
    ones. A segment without windows scores NaN.

    Args:
        windows: embeddings of the film as extracted, shape [w, d].
        segments: the windows of each segment.
    """
    centred_windows = centre_windows(windows)
    background = similarities(centred_windows, prompts.negatives)
    cosines = [similarities(centred_windows, p) for p in prompts.concepts.values()]
    scores = np.full((len(segments), len(cosines)), np.nan)
    for row, touched in enumerate(segments):
        if len(touched):
            offset = peak_similarity(background[touched], quantile)
            scores[row] = [peak_similarity(c[touched], quantile) - offset for c in cosines]
    return scores
