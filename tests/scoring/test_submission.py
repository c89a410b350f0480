"""An experiment's answers become a run file that `gazeline score` reads."""

from __future__ import annotations

import pytest

from gazeline.errors import LearningError
from gazeline.schema.runs import PREDICTIONS, SAMPLES
from gazeline.schema.temporal import DETECTIONS
from gazeline.scoring.etf import read_etf
from gazeline.scoring.submission import write_submission
from gazeline.tables import from_rows, write_table


def shot(n):
    return {
        "segment_id": f"leon/consensus/shot-{n}", "film_id": "leon", "annotator": "consensus",
        "target_train": 0, "target_test": 0, "target_video": -1, "target_text": -1,
        "target_audio": -1, "video_start": 0, "video_stop": 1, "audio_start": 0, "audio_stop": 1,
        "start_s": 4.0 * n, "end_s": 4.0 * n + 4, "duration_s": 4.0, "neighbours": [],
        "neighbours_s": [],
    }  # fmt: skip


def prediction(n, seed, p, split="test"):
    return {"seed": seed, "split": split, "segment_id": f"leon/consensus/shot-{n}",
            "film_id": "leon", "annotator": "consensus", "target": 0, "score": [p]}  # fmt: skip


def test_shots_have_the_mean_score_of_the_seeds(tmp_path):
    run = tmp_path / "data/runs/x/fold-1"
    rows = [prediction(0, 0, 0.2), prediction(0, 1, 0.9), prediction(1, 0, 0.1),
            prediction(1, 1, 0.2), prediction(2, 0, 0.9, "validation")]  # fmt: skip
    write_table(from_rows(rows, PREDICTIONS), PREDICTIONS, run / "predictions.parquet")
    samples = tmp_path / "data/datasets/x/samples.parquet"
    write_table(from_rows([shot(n) for n in range(3)], SAMPLES), SAMPLES, samples)
    write_submission("x", "shots/violence", 1, tmp_path / "run.etf", tmp_path)
    found = [(x.source, x.start_s, x.end_s, x.decided) for x in read_etf(tmp_path / "run.etf")]
    assert found == [("leon", 0.0, 4.0, True), ("leon", 4.0, 8.0, False)]
    assert read_etf(tmp_path / "run.etf")[0].score == pytest.approx(0.55)


def test_intervals_are_those_of_the_first_seed(tmp_path):
    rows = [
        {"seed": seed, "split": "test", "segment_id": "s", "film_id": "leon", "start_s": 1.0,
         "end_s": 3.0 + seed, "target": 0, "score": 0.5, "decided": True}
        for seed in (-1, 2, 3)
    ]  # fmt: skip
    run = tmp_path / "data/runs/x/fold-1"
    write_table(from_rows(rows, DETECTIONS), DETECTIONS, run / "detections.parquet")
    (line,) = write_submission("x", "intervals/violence", 1, tmp_path / "run.etf", tmp_path)
    assert (line.start_s, line.end_s) == (1.0, 5.0)


def test_an_experiment_of_another_kind_is_refused(tmp_path):
    for task in ("visual", "intervals/fear", "shots/blood", "seconds/valence"):
        with pytest.raises(LearningError, match="no run of the violent scenes task"):
            write_submission("x", task, 1, tmp_path / "run.etf", tmp_path)
    assert not (tmp_path / "run.etf").exists()
