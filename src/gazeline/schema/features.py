"""Feature shards, on the copy clock (video, audio, acoustic) or per segment (text)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gazeline.tables import Column, TableSpec

FLOAT = np.dtype("<f4")
FLOAT_BYTES = FLOAT.itemsize


def windows(modality: str, width: int) -> TableSpec:
    """Return the contract of a video or audio shard with `width`-d embeddings.

    Fixed-size binary is read several times faster than a list (`benchmarks/shards.py`).
    """
    return TableSpec(
        name=f"{modality} features",
        path=f"data/features/{modality}/<film>.parquet",
        row="one window of the feature grid",
        columns=(
            Column("window", pa.int32(), "index of the window in the film, from 0"),
            Column("start_s", pa.float64(), "true start, copy clock, seconds"),
            Column("end_s", pa.float64(), "true end (exclusive), copy clock, seconds"),
            Column("complete", pa.bool_(), "false for one cut short at the end or across a hole"),
            Column(
                "embedding",
                pa.binary(FLOAT_BYTES * width),
                f"output of the encoder: {width} little-endian float32",
            ),
        ),
        key=("window",),
        compression="none",
        row_group_rows=2_048,
    )


def pack(embeddings: npt.NDArray[np.float32]) -> pa.Array:
    """Return embeddings [windows, width] as the fixed-size binary column of a shard."""
    n_windows, width = embeddings.shape
    values = np.ascontiguousarray(embeddings, FLOAT)
    kind = pa.binary(FLOAT_BYTES * width)
    return pa.FixedSizeBinaryArray.from_buffers(kind, n_windows, [None, pa.py_buffer(values)])


def unpack(column: pa.ChunkedArray) -> npt.NDArray[np.float32]:
    """Return the embeddings of a shard, shape [windows, width]; copies only to join row groups."""
    row_bytes = column.type.byte_width
    parts = [_values(chunk, row_bytes) for chunk in column.chunks]
    values = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, FLOAT), *parts])
    return values.reshape(len(column), row_bytes // FLOAT_BYTES)


def _values(chunk: Any, row_bytes: int) -> npt.NDArray[np.float32]:
    start, size = chunk.offset * row_bytes, len(chunk) * row_bytes
    values: npt.NDArray[np.float32] = np.frombuffer(chunk.buffers()[1], np.uint8)[
        start : start + size
    ].view(FLOAT)
    return values


ACOUSTIC = TableSpec(
    name="acoustic series",
    path="data/features/acoustic/<film>.parquet",
    row="one analysis frame of the sound",
    columns=(
        Column("frame", pa.int32(), "index of the analysis frame, from 0"),
        Column("time_s", pa.float64(), "centre of the frame, copy clock, seconds"),
        Column("zcr", pa.float32(), "zero-crossing rate, share of samples"),
        Column("bandwidth_hz", pa.float32(), "spectral bandwidth, hertz"),
        Column("rms", pa.float32(), "root mean square of the samples, full scale 1"),
    ),
    key=("frame",),
    compression="none",
)

TEXT = TableSpec(
    name="text features",
    path="data/features/text/<corpus>.parquet",
    row="the token embeddings of one segment's text",
    columns=(
        Column("segment_id", pa.string(), "segment; `<empty>` holds the placeholder"),
        Column("n_tokens", pa.int32(), "tokens kept; 0 where the placeholder stands in"),
        Column("truncated", pa.bool_(), "whether tokens were cut off"),
        Column(
            "embedding",
            pa.list_(pa.field("element", pa.float32(), nullable=False)),
            "n_tokens × width values, row-major; width is in the metadata",
        ),
    ),
    key=("segment_id",),
    compression="none",
    row_group_rows=256,
)

EMPTY_TEXT = "<empty>"
