"""The tables of a corpus that datasets are made of, read when they are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gazeline.schema.annotations import FILMS, FOLDS, SEGMENTS
from gazeline.schema.temporal import ANNOTATED, EVENTS, SERIES, SHOTS
from gazeline.tables import read_table

SEGMENT_COLUMNS = (
    "segment_id",
    "film_id",
    "annotator",
    "start_s",
    "end_s",
    "label",
    "concepts",
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Corpus:
    """A folder under data/corpora."""

    name: str
    root: Path

    @property
    def folder(self) -> Path:
        """Return the folder of the corpus's tables."""
        return self.root / "data/corpora" / self.name

    @cached_property
    def labels(self) -> frozenset[str]:
        """Return the labels of events that were looked for."""
        return frozenset(row["label"] for row in self.annotated)

    @cached_property
    def segments(self) -> list[Row]:
        """Return the segments."""
        path = self.folder / "segments.parquet"
        rows: list[Row] = read_table(path, SEGMENTS, SEGMENT_COLUMNS).to_pylist()
        return rows

    @cached_property
    def events(self) -> list[Row]:
        """Return the events of all labels."""
        rows: list[Row] = read_table(self.folder / "events.parquet", EVENTS).to_pylist()
        return rows

    @cached_property
    def annotated(self) -> list[Row]:
        """Return which labels were looked for in which film by whom."""
        rows: list[Row] = read_table(self.folder / "annotated.parquet", ANNOTATED).to_pylist()
        return rows

    def looked_for(self, label: str) -> list[tuple[str, str]]:
        """Return the films and annotators that looked for a label, in order."""
        return [(r["film_id"], r["annotator"]) for r in self.annotated if r["label"] == label]

    def of_label(self, label: str) -> dict[tuple[str, str], list[Row]]:
        """Return the events of a label by film and annotator, in order of time."""
        found: dict[tuple[str, str], list[Row]] = {pair: [] for pair in self.looked_for(label)}
        for row in sorted(self.events, key=lambda r: (r["start_s"], r["end_s"])):
            if row["label"] == label:
                found.setdefault((row["film_id"], row["annotator"]), []).append(row)
        return found

    @cached_property
    def folds(self) -> list[Row]:
        """Return the part that each film plays in each fold."""
        rows: list[Row] = read_table(self.folder / "folds.parquet", FOLDS).to_pylist()
        return rows

    @cached_property
    def shots(self) -> list[Row]:
        """Return the shots that the release delimits."""
        rows: list[Row] = read_table(self.folder / "shots.parquet", SHOTS).to_pylist()
        return rows

    @cached_property
    def series(self) -> list[Row]:
        """Return the values per second."""
        rows: list[Row] = read_table(self.folder / "series.parquet", SERIES).to_pylist()
        return rows

    @cached_property
    def durations_s(self) -> dict[str, float]:
        """Return the length of each film, annotation clock, seconds."""
        table = read_table(self.folder / "films.parquet", FILMS, ["film_id", "duration_s"])
        return {row["film_id"]: row["duration_s"] for row in table.to_pylist()}
