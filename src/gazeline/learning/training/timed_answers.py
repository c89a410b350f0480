"""The answers of a run over time as tables: values per second, or found and true intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from gazeline.learning.training.cells.stretches import Stretches
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.intervals import Intervals
from gazeline.learning.training.roles import Roles
from gazeline.schema.temporal import DETECTIONS, PREDICTED_SERIES
from gazeline.tables import from_rows

# The seed of a true interval in a table of detections.
TRUE = -1

Row = dict[str, Any]


def series_table(
    stretches: Stretches, roles: Roles, split: str, seed: int, values: Floats
) -> pa.Table:
    """Return the seconds of a split in which every measure has a value, and what is answered.

    Args:
        values: of the cells of the split's stretches, [cells, measures].
    """
    indices, films = stretches.splits[split], roles.samples.column("film_id").to_pylist()
    rows: list[Row] = []
    truths = stretches.parts(stretches.truth_of(indices), indices)
    answers = stretches.parts(values, indices)
    for index, truth, answered in zip(indices.tolist(), truths, answers, strict=True):
        seconds = np.floor(stretches.edges(index)[:-1] + 0.5).astype(np.int64)
        for cell in np.flatnonzero(np.isfinite(truth).all(axis=1)).tolist():
            rows.append(
                {
                    "seed": seed,
                    "split": split,
                    "film_id": films[index],
                    "second": int(seconds[cell]),
                    "target": truth[cell].astype(np.float64),
                    "value": answered[cell].astype(np.float64),
                }
            )
    return from_rows(rows, PREDICTED_SERIES)


def found_table(
    stretches: Stretches, roles: Roles, split: str, seed: int, found: Intervals
) -> pa.Table:
    """Return the intervals of one seed; of several with the same bounds the best."""
    best: dict[tuple[int, float, float, int], Row] = {}
    names = _names(roles)
    order = np.lexsort((-found.scores, ~found.decided))
    for i in order.tolist():
        start_s, end_s = (float(of) for of in found.bounds_s[i])
        key = (int(found.samples[i]), start_s, end_s, int(found.targets[i]))
        answer = {"score": float(found.scores[i]), "decided": bool(found.decided[i])}
        best.setdefault(key, _row(names, split, seed, key) | answer)
    return from_rows(list(best.values()), DETECTIONS)


def true_table(stretches: Stretches, roles: Roles, split: str) -> pa.Table:
    """Return the true intervals of a split's stretches, each once."""
    keys = {
        (index, float(start_s), float(end_s), int(target))
        for index in stretches.splits[split].tolist()
        for (start_s, end_s), target in zip(
            stretches.events[index].bounds_s, stretches.events[index].targets, strict=True
        )
    }
    names, answer = _names(roles), {"score": 1.0, "decided": True}
    rows = [_row(names, split, TRUE, key) | answer for key in sorted(keys)]
    return from_rows(rows, DETECTIONS)


def _names(roles: Roles) -> list[tuple[str, str]]:
    columns = (roles.samples.column(name).to_pylist() for name in ("segment_id", "film_id"))
    return list(zip(*columns, strict=True))


def _row(
    names: Sequence[tuple[str, str]], split: str, seed: int, key: tuple[int, float, float, int]
) -> Row:
    index, start_s, end_s, target = key
    return {
        "seed": seed,
        "split": split,
        "segment_id": names[index][0],
        "film_id": names[index][1],
        "start_s": start_s,
        "end_s": end_s,
        "target": target,
    }


def tested(stretches: Stretches, roles: Roles, indices: Ints) -> dict[str, list[Any]]:
    """Return film, start and end of some stretches by name."""
    names = _names(roles)
    return {
        names[i][0]: [names[i][1], float(stretches.starts_s[i]), float(stretches.ends_s[i])]
        for i in indices.tolist()
    }
