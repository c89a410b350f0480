"""Tables written by `ingest`: films, segments, cues and folds on the annotation clock."""

from __future__ import annotations

import pyarrow as pa

from gazeline.tables import Column, TableSpec

STRINGS = pa.list_(pa.string())

FILMS = TableSpec(
    name="films",
    path="data/corpora/<corpus>/films.parquet",
    row="one film of the corpus",
    columns=(
        Column("film_id", pa.string(), "IMDb key where there is one, else a slug"),
        Column("corpus", pa.string(), "corpus the film is annotated in"),
        Column("title", pa.string(), "title as released"),
        Column("year", pa.int32(), "year of release", nullable=True),
        Column("genres", STRINGS, "genres as released"),
        Column("annotation_fps_num", pa.int32(), "numerator of the annotation frame rate"),
        Column("annotation_fps_den", pa.int32(), "denominator of the annotation frame rate"),
        Column(
            "duration_s", pa.float64(), "end of the last segment or cue, annotation clock, seconds"
        ),
    ),
    key=("film_id",),
)

SEGMENTS = TableSpec(
    name="segments",
    path="data/corpora/<corpus>/segments.parquet",
    row="one interval of a film annotated by one annotator",
    columns=(
        Column("segment_id", pa.string(), "<film_id>/<annotator>/<index in the release>"),
        Column("film_id", pa.string(), "film the segment belongs to"),
        Column("annotator", pa.string(), "annotator, as `annotator1`, `annotator2`"),
        Column("start_s", pa.float64(), "start, annotation clock, seconds"),
        Column("end_s", pa.float64(), "end (exclusive), annotation clock, seconds"),
        Column("start_frame", pa.int64(), "first frame as released"),
        Column("end_frame", pa.int64(), "last frame as released (inclusive)"),
        Column("label", pa.string(), "level: EN, HN, NS or S"),
        Column("concepts", STRINGS, "distinct concepts, canonical spelling, sorted"),
        Column("tags", STRINGS, "concepts outside the thesaurus, as released"),
        Column("comment", pa.string(), "the annotator's remark"),
        Column("text_released", pa.string(), "subtitle text as released with the segment"),
        Column("source_row", pa.int64(), "row of the release file, counted from 0"),
    ),
    key=("film_id", "annotator", "start_frame", "segment_id"),
)

CUES = TableSpec(
    name="cues",
    path="data/corpora/<corpus>/cues.parquet",
    row="one subtitle cue of the release",
    columns=(
        Column("cue_id", pa.int64(), "number of the cue in the release"),
        Column("film_id", pa.string(), "film the cue belongs to"),
        Column("start_s", pa.float64(), "start from its time stamp, annotation clock, seconds"),
        Column("end_s", pa.float64(), "end from its time stamp, annotation clock, seconds"),
        Column("start_frame", pa.int64(), "first frame as released (may be at another rate)"),
        Column("end_frame", pa.int64(), "last frame as released (may be at another rate)"),
        Column("text_raw", pa.string(), "text as released"),
        Column("text", pa.string(), "text with broken encoding repaired, not yet cleaned"),
    ),
    key=("film_id", "cue_id"),
)

FOLDS = TableSpec(
    name="folds",
    path="data/corpora/<corpus>/folds.parquet",
    row="the part a film plays in a fold",
    columns=(
        Column("fold", pa.int32(), "number of the fold"),
        Column("film_id", pa.string(), "film"),
        Column("split", pa.string(), "train, validation or test"),
    ),
    key=("fold", "film_id"),
)

SEGMENT_TEXT = TableSpec(
    name="segment text",
    path="data/subtitles/<corpus>.parquet",
    row="the cleaned subtitle text of one segment",
    columns=(
        Column("segment_id", pa.string(), "segment"),
        Column("n_cues", pa.int32(), "cues joined to the segment by the rule chosen"),
        Column("text", pa.string(), "cleaned text; empty where nothing is said"),
    ),
    key=("segment_id",),
)
