"""Write feature shards: embeddings with the times of their windows and where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gazeline.errors import FeatureError
from gazeline.schema.features import pack, windows
from gazeline.tables import write_table

Embeddings = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Times:
    """Index, true interval on the copy clock and completeness of one window."""

    window: int
    start_s: float
    end_s: float
    complete: bool


def write_windows(
    modality: str,
    times: Sequence[Times],
    embeddings: Embeddings,
    metadata: Mapping[str, str],
    path: Path,
) -> None:
    """Write a video or audio shard; no windows give an explicit empty one.

    Args:
        embeddings: shape [windows, width].

    Raises:
        FeatureError: a value is not finite. TableError: the shard cannot be written.
    """
    if not np.isfinite(embeddings).all():
        raise FeatureError(
            f"The encoder gives values of {modality} that are not finite",
            where=str(path),
            todo="set features.*.precision to fp32, or choose another encoder",
        )
    width = embeddings.shape[1]
    spec = windows(modality, width)
    columns = {
        "window": [t.window for t in times],
        "start_s": [t.start_s for t in times],
        "end_s": [t.end_s for t in times],
        "complete": [t.complete for t in times],
        "embedding": pack(embeddings),
    }
    write_table(
        pa.table(columns, schema=spec.schema), spec, path, {**metadata, "width": str(width)}
    )


def stacked(batches: Sequence[Embeddings], width: int) -> Embeddings:
    """Join batches of embeddings; none give an array of shape [0, width]."""
    return np.concatenate(batches) if batches else np.zeros((0, width), np.float32)
