"""Tables of tasks over time: shots and series of a corpus, targets, and what a run answers."""

from __future__ import annotations

import pyarrow as pa

from gazeline.tables import Column, TableSpec

SHOTS = TableSpec(
    name="shots",
    path="data/corpora/<corpus>/shots.parquet",
    row="one camera shot of a film, as the release delimits it",
    columns=(
        Column("film_id", pa.string(), "film"),
        Column("shot", pa.int64(), "number of the shot, in order of time, from 0"),
        Column("start_s", pa.float64(), "start, annotation clock, seconds"),
        Column("end_s", pa.float64(), "end (exclusive), annotation clock, seconds"),
        Column("start_frame", pa.int64(), "first frame as released"),
        Column("end_frame", pa.int64(), "last frame as released (inclusive)"),
    ),
    key=("film_id", "shot"),
)

EVENTS = TableSpec(
    name="events",
    path="data/corpora/<corpus>/events.parquet",
    row="one interval in which something happens, as violence or fear; the rest of a film is free",
    columns=(
        Column("event_id", pa.string(), "<film_id>/<annotator>/<label>-<number>"),
        Column("film_id", pa.string(), "film"),
        Column("annotator", pa.string(), "annotator, or `consensus`"),
        Column("label", pa.string(), "what happens, as `violence`"),
        Column("start_s", pa.float64(), "start, annotation clock, seconds"),
        Column("end_s", pa.float64(), "end (exclusive), annotation clock, seconds"),
        Column("start_frame", pa.int64(), "first frame as released, or that its start lies in"),
        Column("end_frame", pa.int64(), "last frame (inclusive)"),
        Column("tags", pa.list_(pa.string()), "tags as released"),
        Column("source_row", pa.int64(), "line of the release file, counted from 0"),
    ),
    key=("film_id", "annotator", "label", "start_s", "end_s", "event_id"),
)

SERIES = TableSpec(
    name="series",
    path="data/corpora/<corpus>/series.parquet",
    row="the value of one measure in one second of a film",
    columns=(
        Column("film_id", pa.string(), "film"),
        Column("measure", pa.string(), "what is measured, as `valence` or `arousal`"),
        Column("second", pa.int64(), "the value holds in [second, second + 1), annotation clock"),
        Column("value", pa.float64(), "value as released"),
    ),
    key=("film_id", "measure", "second"),
)

TARGETS = TableSpec(
    name="targets",
    path="data/datasets/<experiment>/targets.parquet",
    row="one interval that a stretch of film is to be answered with; empty for classification",
    columns=(
        Column("segment_id", pa.string(), "sample (stretch of film) that the target is of"),
        Column("film_id", pa.string(), "film"),
        Column("start_s", pa.float64(), "start, annotation clock, seconds"),
        Column("end_s", pa.float64(), "end (exclusive), annotation clock, seconds"),
        Column("target", pa.int32(), "class of an interval; -1: values, or a segment of none"),
        Column(
            "values",
            pa.list_(pa.float64()),
            "a value per measure (the manifest's classes) of one second; empty for intervals",
        ),
    ),
    key=("film_id", "segment_id", "start_s", "end_s", "target"),
)

PREDICTED_SERIES = TableSpec(
    name="predicted series",
    path="data/runs/<experiment>/fold-<k>/series.parquet",
    row="what one seed of one fold answers for one second",
    columns=(
        Column("seed", pa.int32(), "seed of the training run"),
        Column("split", pa.string(), "validation or test"),
        Column("film_id", pa.string(), "film"),
        Column("second", pa.int64(), "second, annotation clock"),
        Column("target", pa.list_(pa.float64()), "the true value of each measure"),
        Column("value", pa.list_(pa.float64()), "the value answered for each measure"),
    ),
    key=("seed", "split", "film_id", "second"),
)

DETECTIONS = TableSpec(
    name="detections",
    path="data/runs/<experiment>/fold-<k>/detections.parquet",
    row="one interval that one seed of one fold detects, or (seed -1) a true one",
    columns=(
        Column("seed", pa.int32(), "seed of the training run; -1: a true interval"),
        Column("split", pa.string(), "validation or test"),
        Column("segment_id", pa.string(), "stretch of film it was detected in"),
        Column("film_id", pa.string(), "film"),
        Column("start_s", pa.float64(), "start, annotation clock, seconds"),
        Column("end_s", pa.float64(), "end (exclusive), annotation clock, seconds"),
        Column("target", pa.int32(), "class, from 0"),
        Column("score", pa.float64(), "confidence, 1 for a true interval"),
        Column("decided", pa.bool_(), "whether the model decides for it (validation threshold)"),
    ),
    key=("seed", "split", "film_id", "segment_id", "start_s", "end_s", "target"),
)

ANNOTATED = TableSpec(
    name="annotated",
    path="data/corpora/<corpus>/annotated.parquet",
    row="a label of events that an annotator looked for in a film, found or not",
    columns=(
        Column("film_id", pa.string(), "film"),
        Column("annotator", pa.string(), "annotator"),
        Column("label", pa.string(), "label of events, as `violence`"),
    ),
    key=("film_id", "annotator", "label"),
)
