"""Describe the feature files of an experiment without reading their embeddings."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from gazeline.errors import FeatureError
from gazeline.learning.common.hashing import file_md5
from gazeline.learning.common.manifest import Shard
from gazeline.schema.features import FLOAT_BYTES, windows
from gazeline.tables import read_metadata, read_table
from gazeline.timeline.windows import Times

# Frames and chunks of the grid that a tolerance is a part of, when a shard does not say its rate.
FRAMES_PER_WINDOW = 16
VIDEO_TOLERANCE_FRAMES = Fraction(1, 2)
AUDIO_TOLERANCE_CHUNKS = 0.25


def shard_path(modality: str, key: str) -> Path:
    """Return where the features of a film (or of a corpus, for text) are."""
    return Path("data/features") / modality / f"{key}.parquet"


def describe_shard(modality: str, key: str, root: Path) -> Shard:
    """Return what a shard says of itself.

    Args:
        key: film id, or corpus for text.
        root: folder of the project.

    Raises:
        FeatureError: the shard is not there or does not say how wide it is.
    """
    relative = shard_path(modality, key)
    path, stage = root / relative, f"{modality}@{key}"
    if not path.is_file():
        raise FeatureError(
            f"There are no {modality} features of {key}",
            where=str(relative),
            todo=f"run `dvc repro {stage}`, or `dvc pull {stage}` where they are in the remote",
        )
    try:
        schema, said = pq.read_schema(path), read_metadata(path)
    except pa.ArrowException as error:
        raise FeatureError(
            f"The {modality} features of {key} cannot be read: {error}",
            where=str(relative),
            todo=f"run `dvc repro -f {stage}`",
        ) from error
    return Shard(
        path=relative.as_posix(),
        md5=file_md5(path),
        width=_width(relative, schema, said),
        encoder=said.get("encoder", ""),
        weights_sha256=said.get("weights_sha256", ""),
        stage=stage,
    )


def check_one_encoder(modality: str, shards: Mapping[str, Shard]) -> None:
    """Check that the shards of a modality come from the same weights.

    Raises:
        FeatureError: they do not; the odd ones are named.
    """
    kinds: dict[tuple[str, int], list[Shard]] = {}
    for shard in shards.values():
        kinds.setdefault((shard.weights_sha256, shard.width), []).append(shard)
    if len(kinds) > 1:
        odd = min(kinds.values(), key=len)
        raise FeatureError(
            f"The {modality} features were made by {len(kinds)} different encoders",
            where=", ".join(sorted(shard.path for shard in odd)),
            todo=f"run `dvc repro {' '.join(sorted(shard.stage for shard in odd))}`",
        )


def window_times(modality: str, shard: Shard, root: Path) -> tuple[Times, Times]:
    """Return start and end of the windows of a video or audio shard, seconds, shape [n]."""
    spec = windows(modality, shard.width)
    table = read_table(root / shard.path, spec, ["start_s", "end_s"])
    return table.column("start_s").to_numpy(), table.column("end_s").to_numpy()


def tolerance_s(modality: str, path: Path, starts_s: Times, ends_s: Times) -> float:
    """Return by how much a window must be overlapped: half a frame, or a quarter of a chunk."""
    window_s = float(np.median(ends_s - starts_s)) if len(starts_s) else 0.0
    if modality == "audio":
        return AUDIO_TOLERANCE_CHUNKS * window_s
    fps = _rate(read_metadata(path).get("fps", ""))
    frame_s = 1 / fps if fps else window_s / FRAMES_PER_WINDOW
    return float(VIDEO_TOLERANCE_FRAMES) * frame_s


def _rate(text: str) -> float | None:
    try:
        rate = float(Fraction(text))
    except (ValueError, ZeroDivisionError):
        return None
    return rate if rate > 0 else None


def _width(path: Path, schema: pa.Schema, said: Mapping[str, str]) -> int:
    kind = schema.field("embedding").type
    if isinstance(kind, pa.FixedSizeBinaryType):
        return int(kind.byte_width) // FLOAT_BYTES
    if said.get("width", "").isdigit():
        return int(said["width"])
    raise FeatureError(f"{path.name} does not say how wide its embeddings are", where=str(path))
