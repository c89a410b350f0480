"""Models over time learn planted values and intervals, and nothing from the test films."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.errors import FeatureError, LearningError
from gazeline.evaluation.over_time.runs import read_timed_run
from gazeline.learning.training.runs import train_fold  # noqa: F401
from gazeline.timeline.maps import Piece, TimeMap
from learning.timed_toy import SCENES, event_row, timed_dataset, timed_toy, train_timed_toy

VALUES, FEAR = "seconds/valence+arousal", "intervals/fear"


@pytest.fixture(scope="module")
def values(tmp_path_factory):
    root = tmp_path_factory.mktemp("values")
    timed_toy().write(root)
    timed_dataset(root, VALUES)
    return root


@pytest.fixture(scope="module")
def fear(tmp_path_factory):
    root = tmp_path_factory.mktemp("fear")
    timed_toy().write(root)
    timed_dataset(root, FEAR)
    return root


def scored(root):
    return read_timed_run("toy", 1, root).seeds[0]


@pytest.mark.parametrize("model", ["ridge", "temporal"])
def test_values_per_second_are_learnt_better_than_their_mean(values, model):
    summary = train_timed_toy(values, model, learning_rate=0.003)
    seed = scored(values)
    assert seed.scores["pearson_valence"] > 0.8
    assert seed.scores["pearson_arousal"] > 0.8
    assert seed.scores["mse"] < 0.5 * seed.baselines["mean_of_train"]["mse"]
    assert np.isnan(seed.baselines["mean_of_train"]["pearson"])
    assert seed.sizes["seconds"] == 240
    assert set(summary["train_means"]) == {"valence", "arousal"}


@pytest.mark.parametrize(
    ("model", "training"),
    [
        ("ridge", {}),
        ("temporal", {"learning_rate": 0.003}),
        (
            "actionformer",
            {"learning_rate": 0.003, "optimiser": "adamw", "weight_decay": 0.05, "clip": 1.0,
             "ema": 0.9, "schedule": "cosine", "warmup_epochs": 5, "epochs": 60, "patience": 20},
        ),
    ],
)  # fmt: skip
def test_intervals_are_found_better_than_by_calling_everything(fear, model, training):
    train_timed_toy(fear, model, **training)
    seed = scored(fear)
    assert seed.scores["map_0.5"] > 0.5
    assert seed.scores["iou"] > 1.5 * seed.baselines["all"]["iou"]
    assert seed.baselines["none"]["map"] == 0.0
    assert seed.sizes == {"films": 2, "stretches": 4, "intervals": 8}


@pytest.mark.parametrize(("task", "model"), [(VALUES, "temporal"), (FEAR, "actionformer"),
                                             (FEAR, "ridge")])  # fmt: skip
def test_the_same_seed_gives_the_same_bytes_and_test_films_change_no_weight(tmp_path, task, model):
    """A test film full of another signal leaves the weights as they are."""
    toy, folder = timed_toy(), tmp_path / "data/runs/toy/fold-1"
    weights = []
    for planted in (False, False, True):
        if planted:
            toy.features["video"]["f0"] += 100.0
            toy.events.append(event_row("f0", 99, 100.0, 119.0))
            for row in toy.series:
                row["value"] += 5.0 * (row["film_id"] == "f0")
        for path in tmp_path.rglob("*.parquet"):
            path.unlink()
        toy.write(tmp_path)
        timed_dataset(tmp_path, task)
        train_timed_toy(tmp_path, model, epochs=2)
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        weights.append(files["model-0.safetensors"])
        if not planted:
            last = files
    assert weights[0] == weights[1] == weights[2]
    assert last.keys() >= {"run.json", "history.csv"}


def test_a_test_film_without_an_event_is_answered_and_scored(tmp_path):
    toy = timed_toy()
    toy.events = [row for row in toy.events if row["film_id"] != "f0"]
    toy.write(tmp_path)
    timed_dataset(tmp_path, FEAR)
    train_timed_toy(tmp_path, "ridge")
    seed = scored(tmp_path)
    assert seed.films["f0"]["iou"] in (0.0, 1.0)
    assert seed.sizes["intervals"] == 4


def test_training_films_without_an_event_are_named(tmp_path):
    toy = timed_toy()
    toy.events = [row for row in toy.events if row["film_id"] in ("f0", "f1", "f2")]
    toy.write(tmp_path)
    timed_dataset(tmp_path, FEAR)
    with pytest.raises(LearningError, match="No interval of fear in the train films of fold 1"):
        train_timed_toy(tmp_path, "ridge")


def test_dropping_every_training_stretch_says_how_to_keep_them(tmp_path):
    toy = timed_toy()
    toy.events = [row for row in toy.events if row["film_id"] in ("f0", "f1", "f2")]
    toy.write(tmp_path)
    timed_dataset(tmp_path, FEAR, scenes=SCENES.model_copy(update={"empty": "drop"}))
    with pytest.raises(
        LearningError, match="No stretch of film to use in the train films"
    ) as error:
        train_timed_toy(tmp_path, "ridge")
    assert "scenes.empty: keep" in str(error.value)


def test_a_stretch_too_long_for_actionformer_is_refused(fear):
    sizes = {"actionformer": {"max_cells": 64, "width": 32, "heads": 2, "window": 9,
                              "regression_ranges": [[0, 8], [8, 10000]]}}  # fmt: skip
    with pytest.raises(LearningError, match="more than actionformer takes"):
        train_timed_toy(fear, "actionformer", sizes=sizes)


def test_a_value_that_is_not_finite_names_the_window(tmp_path):
    toy = timed_toy()
    toy.features["video"]["f3"][7, 2] = np.nan
    toy.write(tmp_path)
    timed_dataset(tmp_path, FEAR)
    with pytest.raises(FeatureError, match="window 7 of f3"):
        train_timed_toy(tmp_path, "ridge")


def test_a_diverging_loss_names_the_seed(values):
    with pytest.raises(LearningError, match="loss became") as error:
        train_timed_toy(values, "temporal", learning_rate=1.0, epochs=100,
                        sizes={"temporal": {"width": 16, "heads": 2, "feedforward": 32,
                                            "error_weight": 1e38}})  # fmt: skip
    assert "fold 1, seed 0" in str(error.value)


def test_cells_that_the_copy_lacks_are_marked_and_both_modalities_are_used(tmp_path):
    toy = timed_toy()
    toy.maps["f3"] = TimeMap((Piece(0.0, 80.0, 1.0, 0.0),))
    toy.write(tmp_path)
    timed_dataset(tmp_path, VALUES, ("video", "audio"))
    summary = train_timed_toy(tmp_path, "temporal", learning_rate=0.003)
    assert scored(tmp_path).scores["pearson"] > 0.7
    assert summary["modalities"] == ["video", "audio"]
