"""Principal components of the concepts (paper Fig. 7b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gazeline.statistics.annotations import Bools
from gazeline.statistics.description.concepts import used
from gazeline.statistics.overlaps import Floats

Scaling = Literal["covariance", "correlation"]


@dataclass(frozen=True)
class Components:
    """Components by descending variance.

    Attributes:
        names: concepts that vary, the others are left out.
        loadings: unit vectors, the largest entry of each positive, shape [components, names].
        explained: share of the variance, shape [components].
    """

    names: tuple[str, ...]
    loadings: Floats
    explained: Floats


def principal_components(
    concepts: Bools, names: Sequence[str], scaling: Scaling, n_components: int = 2
) -> Components | None:
    """Return the first components of the concept columns; None where fewer than two vary.

    The paper's reading (PC1 Body and Clothing, PC2 Posture and Activities) is that of the visual
    concepts by covariance, without the EN rows.
    """
    kept = np.flatnonzero(used(concepts))
    if len(kept) < 2:
        return None
    columns = concepts[:, kept].T.astype(np.float64)
    matrix = np.cov(columns) if scaling == "covariance" else np.corrcoef(columns)
    variances, vectors = np.linalg.eigh(matrix)
    order = np.argsort(-variances, kind="stable")[:n_components]
    loadings = vectors.T[order]
    largest = np.abs(loadings).argmax(axis=1)
    loadings = loadings * np.sign(loadings[np.arange(len(order)), largest])[:, None]
    return Components(
        names=tuple(names[int(i)] for i in kept),
        loadings=loadings,
        explained=variances[order] / variances.sum(),
    )
