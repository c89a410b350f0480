"""The summary of experiments over time: estimates, baselines, comparisons, damaged runs."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.errors import LearningError
from gazeline.evaluation.aggregate import score_runs
from gazeline.files import read_json, write_json
from gazeline.schema.temporal import DETECTIONS, PREDICTED_SERIES
from gazeline.tables import from_rows, write_table

ABOUT = {"parameters": 7, "seeds": {"0": {}, "1": {}}, "model": "ridge", "modalities": ["video"]}


def run_folder(root, experiment):
    folder = root / "data/runs" / experiment / "fold-1"
    folder.mkdir(parents=True)
    (folder / "history.csv").write_text(
        "seed,epoch,train_loss,validation_loss,lr,part\n0,1,0.5,0.6,0.1,\n1,1,0.4,0.5,0.1,\n"
    )
    return folder


def series_run(root, experiment, noise):
    """Two films of 20 seconds; `noise` is the deviation of the answers from the truth."""
    rng, rows = np.random.default_rng(1), []
    truth = {film: np.sin(np.arange(20) / 3) for film in ("a", "b")}
    for seed in (0, 1):
        for film, values in truth.items():
            rows += [
                {"seed": seed, "split": "test", "film_id": film, "second": s,
                 "target": [float(v)], "value": [float(v + noise * rng.normal())]}
                for s, v in enumerate(values)
            ]  # fmt: skip
    folder = run_folder(root, experiment)
    write_table(from_rows(rows, PREDICTED_SERIES), PREDICTED_SERIES, folder / "series.parquet")
    about = {"kind": "regression", "task": "seconds/valence", "classes": ["valence"],
             "train_means": {"valence": 0.1}}  # fmt: skip
    write_json(folder / "run.json", ABOUT | about)
    return truth


def detection_run(root, experiment, shift):
    """One film of 100 s with two true intervals; those found are `shift` seconds late."""
    folder = run_folder(root, experiment)
    rows = [
        {"seed": seed, "split": "test", "segment_id": "f/c/scene-0", "film_id": "f",
         "start_s": start + late, "end_s": start + late + 10.0, "target": 0, "score": 0.9,
         "decided": True}
        for seed, late in ((-1, 0.0), (0, shift), (1, shift))
        for start in (10.0, 60.0)
    ]  # fmt: skip
    write_table(from_rows(rows, DETECTIONS), DETECTIONS, folder / "detections.parquet")
    about = {"kind": "detection", "task": "intervals/fear", "classes": ["fear"],
             "stretches": {"test": {"f/c/scene-0": ["f", 0.0, 100.0]}}}  # fmt: skip
    write_json(folder / "run.json", ABOUT | about)


def summary_of(root, *experiments):
    figures = score_runs(
        dict.fromkeys(experiments, "toy"), [(name, 1) for name in experiments], {}, root
    )
    return figures.summary, figures.comparisons


def test_values_have_estimates_beside_the_mean_of_train(tmp_path):
    truth = series_run(tmp_path, "x", 0.1)
    entry = summary_of(tmp_path, "x")[0]["x"]
    expected = np.mean([(values - 0.1) ** 2 for values in truth.values()])
    assert entry["mean_of_train"]["mse"]["mean"] == pytest.approx(expected)
    assert "pearson" not in entry["mean_of_train"]
    assert 0 < entry["mse"]["mean"] < 0.03
    assert entry["pearson_valence"]["mean"] > 0.95
    assert entry["n"] == {"films": 2, "seconds": 40, "folds": 1, "seeds": 2}
    assert set(entry["per_film"]) == {"a", "b"}
    assert entry["per_film"]["a"]["seconds"] == 20


def test_intervals_by_hand(tmp_path):
    """Late by 5 of 10 s, an interval overlaps a third: right at .3, wrong at .4."""
    detection_run(tmp_path, "x", 5.0)
    entry = summary_of(tmp_path, "x")[0]["x"]
    assert entry["map_0.3"]["mean"] == 1.0
    assert entry["map_0.4"]["mean"] == 0.0
    assert entry["map"]["mean"] == pytest.approx(1 / 3)
    assert entry["iou"]["mean"] == pytest.approx(10 / 30)
    assert entry["all"]["iou"]["mean"] == pytest.approx(0.2)
    assert entry["none"]["iou"]["mean"] == 0.0
    assert entry["n"]["intervals"] == 2
    assert entry["random"]["map"]["mean"] < 1.0


def test_experiments_of_one_task_are_compared_over_seeds(tmp_path):
    series_run(tmp_path, "good", 0.05)
    series_run(tmp_path, "bad", 0.5)
    found = summary_of(tmp_path, "good", "bad")[1]["toy"]["seconds/valence"]
    row = found["significance"]["mse"]["bad vs good"]
    assert row["difference"] > 0.1
    assert "good vs mean_of_train" in found["significance"]["mse"]
    assert found["n"]["models"] == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda about: about.pop("train_means"), "no 'train_means'"),
        (lambda about: about.update(classes=["valence", "arousal"],
                                    train_means={"valence": 0, "arousal": 0}), "have 2 values"),
    ],
)  # fmt: skip
def test_a_damaged_run_names_the_stage(tmp_path, change, said):
    series_run(tmp_path, "x", 0.1)
    path = tmp_path / "data/runs/x/fold-1/run.json"
    about = read_json(path)
    change(about)
    path.unlink()
    write_json(path, about)
    with pytest.raises(LearningError, match=said) as error:
        summary_of(tmp_path, "x")
    assert "dvc repro -f train@x-1" in str(error.value)
