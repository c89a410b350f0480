"""Feature shards, on the copy clock (video, audio, acoustic) or per segment (text)."""

from __future__ import annotations

import pyarrow as pa

from gazeline.tables import Column, TableSpec


def windows(modality: str, width: int) -> TableSpec:
    """Return the contract of a video or audio shard with `width`-d embeddings."""
    return TableSpec(
        name=f"{modality} features",
        path=f"data/features/{modality}/<film>.parquet",
        row="one window of the feature grid",
        columns=(
            Column("window", pa.int32(), "index of the window in the film, from 0"),
            Column("start_s", pa.float64(), "true start, copy clock, seconds"),
            Column("end_s", pa.float64(), "true end (exclusive), copy clock, seconds"),
            Column("complete", pa.bool_(), "false for a last window that is cut short"),
            Column("embedding", pa.list_(pa.float32(), width), "output of the encoder"),
        ),
        key=("window",),
        compression="none",
    )


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
