"""Read what the copies of a corpus' films offer: shards, time maps and where segments lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gazeline.alignment.record import read_alignment, read_copy_clock
from gazeline.errors import FeatureError
from gazeline.schema.features import ACOUSTIC, unpack, windows
from gazeline.statistics.annotations import Ints
from gazeline.statistics.consistency.acoustic import FEATURES
from gazeline.statistics.consistency.placement import frames_in, half_a_frame_s, windows_in
from gazeline.statistics.overlaps import Floats
from gazeline.tables import read_metadata, read_table


@dataclass(frozen=True)
class Copies:
    """The films of a corpus with a copy, and the folders their shards and maps are in."""

    corpus: str
    films: tuple[str, ...]
    video: Path
    acoustic: Path
    aligned: Path
    encoder: Path


@dataclass(frozen=True)
class FilmShard:
    """The rows of a film's shard and, for each of its segments, which of them it touches.

    Attributes:
        values: embeddings [windows, d], or acoustic series [frames, features].
        segments: rows of the `segments` table of this film, shape [s].
        touched: shard rows of each segment; none where the copy lacks the segment.
    """

    film_id: str
    values: Floats
    segments: Ints
    touched: list[Ints]


def copies_in_plan(plan: Mapping[str, Any], corpus: str) -> Copies | None:
    """Return the copies that the plan has for a corpus, None without any.

    Args:
        plan: the entries of `plan.yaml`.
    """
    folder = f"data/corpora/{corpus}"
    films = sorted(
        film
        for film, entry in plan["films"].items()
        if folder in (entry["corpus_1"], entry["corpus_2"])
    )
    entry = plan["corpora"][corpus]
    if not films:
        return None
    return Copies(
        corpus,
        tuple(films),
        video=Path(entry["video"]),
        acoustic=Path(entry["acoustic"]),
        aligned=Path(entry["aligned"]),
        encoder=Path(entry["video_encoder"]),
    )


def video_shards(copies: Copies, segments: pd.DataFrame) -> Iterator[FilmShard]:
    """Yield the windows of each film with a copy.

    Raises:
        FeatureError: a shard is not there. AlignmentError, TableError: a map or shard is unfit.
    """
    for film in copies.films:
        aligned = copies.aligned / f"{film}.json"
        time_map = read_alignment(aligned, copies.corpus).time_map
        tolerance_s = half_a_frame_s(read_copy_clock(aligned).fps)
        starts_s, ends_s, embeddings = _read_windows(copies.video / f"{film}.parquet")
        rows = np.flatnonzero(segments["film_id"] == film)
        touched = [
            windows_in(time_map.intervals_to_copy(start, end), starts_s, ends_s, tolerance_s)
            for start, end in _intervals(segments, rows)
        ]
        yield FilmShard(film, embeddings, rows, touched)


def acoustic_shards(copies: Copies, segments: pd.DataFrame) -> Iterator[FilmShard]:
    """Yield the acoustic series of each film with a copy; no rows for one without sound.

    Raises:
        FeatureError: a shard is not there. AlignmentError, TableError: a map or shard is unfit.
    """
    for film in copies.films:
        time_map = read_alignment(copies.aligned / f"{film}.json", copies.corpus).time_map
        frame = read_table(_there(copies.acoustic / f"{film}.parquet"), ACOUSTIC).to_pandas()
        times_s = frame["time_s"].to_numpy(dtype=np.float64)
        rows = np.flatnonzero(segments["film_id"] == film)
        touched = [
            frames_in(time_map.intervals_to_copy(start, end), times_s)
            for start, end in _intervals(segments, rows)
        ]
        values = frame[list(FEATURES)].to_numpy(dtype=np.float64)
        yield FilmShard(film, values, rows, touched)


def _read_windows(path: Path) -> tuple[Floats, Floats, Floats]:
    """Return starts, ends and embeddings of a video shard, in order."""
    width = read_metadata(_there(path)).get("width", "")
    if not width.isdigit():
        raise FeatureError(
            f"{path.name} does not say how wide its embeddings are",
            where=str(path),
            todo=f"run `dvc repro --force video@{path.stem}`",
        )
    table = read_table(path, windows("video", int(width)))
    embeddings = unpack(table["embedding"])
    if not np.isfinite(embeddings).all():
        raise FeatureError(
            f"The video features of {path.stem} hold values that are not finite",
            where=str(path),
            todo=f"delete the file and run `dvc repro video@{path.stem}`",
        )
    return (
        table["start_s"].to_numpy(),
        table["end_s"].to_numpy(),
        embeddings.astype(np.float64),
    )


def _intervals(segments: pd.DataFrame, rows: Ints) -> Iterator[tuple[float, float]]:
    taken = segments.iloc[rows]
    yield from zip(taken["start_s"].tolist(), taken["end_s"].tolist(), strict=True)


def _there(path: Path) -> Path:
    if path.is_file():
        return path
    raise FeatureError(
        f"The features of {path.stem} are not there",
        where=str(path),
        todo=f"run `dvc repro {path.parent.name}@{path.stem}`, or `dvc pull`",
    )
