"""Odd films and odd targets in tasks over time: right answers, or errors that say which."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gazeline.errors import LearningError
from gazeline.schema.temporal import DETECTIONS, PREDICTED_SERIES
from gazeline.tables import read_frame
from learning.timed_toy import SECONDS, event_row, timed_dataset, timed_toy, train_timed_toy

VALUES, FEAR = "seconds/valence+arousal", "intervals/fear"
RUN = "data/runs/toy/fold-1"


def ready(root, toy, task):
    toy.write(root)
    timed_dataset(root, task)


def detections(root):
    return read_frame(root / RUN / "detections.parquet", DETECTIONS)


@pytest.mark.parametrize("model", ["ridge", "temporal", "actionformer"])
def test_films_that_are_one_event_from_end_to_end_are_answered(tmp_path, model):
    toy = timed_toy()
    toy.events = [event_row(film, 0, 0.0, float(SECONDS)) for film in toy.films]
    ready(tmp_path, toy, FEAR)
    train_timed_toy(tmp_path, model, epochs=5, learning_rate=0.003)
    table = detections(tmp_path)
    assert set(table["seed"]) == {-1, 0}
    if model != "actionformer":
        found = table[(table["seed"] == 0) & table["decided"]]
        assert (found["end_s"] - found["start_s"]).sum() == pytest.approx(3 * SECONDS, rel=0.1)


def test_a_true_interval_that_the_release_repeats_is_written_once(tmp_path):
    toy = timed_toy()
    twice = [row for row in toy.events if row["film_id"] == "f0"]
    toy.events += [row | {"event_id": f"{row['event_id']}-again"} for row in twice]
    ready(tmp_path, toy, FEAR)
    train_timed_toy(tmp_path, "ridge")
    table = detections(tmp_path)
    true = table[(table["seed"] == -1) & (table["film_id"] == "f0")]
    assert len(true) == len(twice)


@pytest.mark.parametrize("model", ["ridge", "temporal"])
def test_seconds_without_a_value_teach_nothing_and_are_not_answered(tmp_path, model):
    toy = timed_toy()
    toy.series = [r for r in toy.series if r["film_id"] not in ("f0", "f3") or r["second"] % 3]
    ready(tmp_path, toy, VALUES)
    train_timed_toy(tmp_path, model, epochs=2)
    table = read_frame(tmp_path / RUN / "series.parquet", PREDICTED_SERIES)
    of_film = table[table["film_id"] == "f0"]
    assert sorted(of_film["second"]) == [s for s in range(1, SECONDS) if s % 3]
    assert np.isfinite(np.stack(table["value"])).all()


def test_a_constant_series_is_learnt_as_such(tmp_path):
    toy = timed_toy()
    for row in toy.series:
        row["value"] = 0.25
    ready(tmp_path, toy, VALUES)
    for model in ("ridge", "temporal"):
        train_timed_toy(tmp_path, model, epochs=3)
        table = read_frame(tmp_path / RUN / "series.parquet", PREDICTED_SERIES)
        np.testing.assert_allclose(np.stack(table["value"]), 0.25, atol=1e-3)


@pytest.mark.parametrize(("task", "missing"), [(VALUES, "value"), (FEAR, "interval")])
def test_validation_films_with_nothing_to_choose_by_are_named(tmp_path, task, missing):
    toy = timed_toy()
    toy.events = [row for row in toy.events if row["film_id"] != "f2"]
    for row in toy.series:
        row["value"] = float("nan") if row["film_id"] == "f2" else row["value"]
    ready(tmp_path, toy, task)
    with pytest.raises(LearningError, match=rf"No {missing} of .* in the validation films of fold"):
        train_timed_toy(tmp_path, "ridge")
    assert not (tmp_path / RUN).exists()


@pytest.mark.parametrize(("task", "model"), [(VALUES, "ridge"), (FEAR, "temporal")])
def test_a_train_film_does_reach_the_weights(tmp_path, task, model):
    """The test that a test film does not would pass with a model that learns nothing."""
    weights, toy = [], timed_toy()
    for factor in (1.0, -2.0):
        toy.features["video"]["f3"] = toy.features["video"]["f3"] * np.float32(factor)
        ready(tmp_path, toy, task)
        train_timed_toy(tmp_path, model, epochs=2)
        weights.append((tmp_path / RUN / "model-0.safetensors").read_bytes())
    assert weights[0] != weights[1]


@pytest.mark.parametrize("model", ["ridge", "temporal", "actionformer"])
def test_thresholds_are_chosen_by_the_validation_films_and_said(tmp_path, model):
    """Other test films leave them alone, another validation film does not."""
    said, toy = [], timed_toy()
    for film in (None, "f0", "f2"):
        if film:
            toy.features["video"][film] = toy.features["video"][film][::-1].copy()
        ready(tmp_path, toy, FEAR)
        train_timed_toy(tmp_path, model, epochs=2)
        summary = json.loads((tmp_path / RUN / "run.json").read_text())
        said.append(summary["seeds"]["0"]["thresholds"])
    assert said[0] == said[1] != said[2]
    assert set(said[0]) == {"fear"}
