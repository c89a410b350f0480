"""Tables of learning: the samples of an experiment and the predictions of a run."""

from __future__ import annotations

import pyarrow as pa

from gazeline.tables import Column, TableSpec

SAMPLES = TableSpec(
    name="samples",
    path="data/datasets/<experiment>/samples.parquet",
    row="one segment, shot or stretch of film as an example of the experiment",
    columns=(
        Column("segment_id", pa.string(), "segment"),
        Column("film_id", pa.string(), "film"),
        Column("annotator", pa.string(), "annotator"),
        Column("target_train", pa.int32(), "class when trained or validated on; -1: not used"),
        Column("target_test", pa.int32(), "class when tested on; -1: not used"),
        Column("target_video", pa.int32(), "class when video alone is trained on; -1: not used"),
        Column("target_text", pa.int32(), "class when text alone is trained on; -1: not used"),
        Column("target_audio", pa.int32(), "class when audio alone is trained on; -1: not used"),
        Column("video_start", pa.int32(), "first video window in the film's shard"),
        Column("video_stop", pa.int32(), "one past the last video window"),
        Column("audio_start", pa.int32(), "first audio chunk in the film's shard"),
        Column("audio_stop", pa.int32(), "one past the last audio chunk"),
        Column("start_s", pa.float64(), "start, annotation clock, seconds"),
        Column("end_s", pa.float64(), "end (exclusive), annotation clock, seconds"),
        Column("duration_s", pa.float64(), "length of the segment, seconds"),
        Column(
            "neighbours",
            pa.list_(pa.string()),
            "the annotator's segments around it: one before, one after, two before, two after; "
            "empty where there is none",
        ),
        Column("neighbours_s", pa.list_(pa.float64()), "their lengths, seconds; 0: none"),
    ),
    key=("film_id", "annotator", "segment_id"),
)

PREDICTIONS = TableSpec(
    name="predictions",
    path="data/runs/<experiment>/fold-<k>/predictions.parquet",
    row="the score of one segment by one seed of one fold",
    columns=(
        Column("seed", pa.int32(), "seed of the training run"),
        Column("split", pa.string(), "validation or test"),
        Column("segment_id", pa.string(), "segment"),
        Column("film_id", pa.string(), "film"),
        Column("annotator", pa.string(), "annotator"),
        Column("target", pa.int32(), "true class"),
        Column("score", pa.list_(pa.float32()), "probability of each class; [p] when binary"),
    ),
    key=("seed", "split", "segment_id"),
)
