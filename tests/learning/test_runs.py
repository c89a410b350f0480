"""Training: what is learnt, from whom, and what a run leaves behind."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from safetensors.numpy import load_file
from sklearn.metrics import average_precision_score

from gazeline.commands.times import time_rows
from gazeline.errors import FeatureError, LearningError
from gazeline.learning.training.timings import read_timings
from gazeline.schema.runs import PREDICTIONS
from gazeline.tables import read_frame
from learning.synthetic import Toy, dataset, make_toy, train


def ready(root, toy: Toy, modality="video", **choice) -> None:
    toy.write(root)
    dataset(root, modality, **choice)


def run_folder(root, experiment="toy-video", fold=1):
    return root / f"data/runs/{experiment}/fold-{fold}"


def macro_ap(root, experiment="toy-video", fold=1):
    """Return macro average precision on the test films, a value per seed (by sklearn)."""
    table = read_frame(run_folder(root, experiment, fold) / "predictions.parquet", PREDICTIONS)
    values = []
    for _, part in table[table["split"] == "test"].groupby("seed"):
        p = np.array([score[0] for score in part["score"]])
        positive = average_precision_score(part["target"], p)
        values.append((positive + average_precision_score(1 - part["target"], 1 - p)) / 2)
    return np.array(values)


@pytest.mark.parametrize("model", ["mlp", "transformer"])
@pytest.mark.parametrize("modality", ["video", "text", "audio"])
def test_a_planted_signal_is_learnt(tmp_path, model, modality):
    ready(tmp_path, make_toy(strength=3.0), modality)
    train(tmp_path, f"toy-{modality}", model=model, epochs=15, learning_rate=3e-3, seeds=(0,))
    assert macro_ap(tmp_path, f"toy-{modality}").mean() > 0.8


@pytest.mark.parametrize(
    ("model", "modalities"),
    [
        ("perceiver", "video"),
        ("differential", "video"),
        ("mlp", "video+text"),
        ("transformer", "video+text"),
        ("perceiver", "text+audio"),
        ("late-mlp", "video+text"),
        ("late-transformer", "video+text+audio"),
    ],
)
def test_every_model_learns_a_planted_signal_from_its_modalities(tmp_path, model, modalities):
    ready(tmp_path, make_toy(strength=3.0), modalities)
    train(tmp_path, f"toy-{modalities}", model=model, epochs=20, seeds=(0,), learning_rate=3e-3)
    assert macro_ap(tmp_path, f"toy-{modalities}").mean() > 0.8


def test_late_fusion_is_the_larger_of_the_probabilities_of_models_trained_apart(tmp_path):
    """Each learns the concepts of its own modality: the same models as alone on that task."""
    toy = make_toy(strength=3.0)
    ready(tmp_path, toy, "video+text")
    summary = train(tmp_path, "toy-video+text", model="late-mlp", epochs=3)
    scores = []
    for modality in ("video", "text"):
        dataset(tmp_path, modality, task="hard")
        train(tmp_path, f"toy-{modality}", epochs=3)
        path = run_folder(tmp_path, f"toy-{modality}") / "predictions.parquet"
        table = read_frame(path, PREDICTIONS).set_index(["seed", "segment_id"])
        scores.append(table["score"].map(lambda score: score[0]))
    path = run_folder(tmp_path, "toy-video+text") / "predictions.parquet"
    fused = read_frame(path, PREDICTIONS).set_index(["seed", "segment_id"])["score"]
    expected = np.maximum(scores[0], scores[1].reindex(scores[0].index))
    fused = fused.map(lambda score: score[0]).reindex(expected.index)
    np.testing.assert_allclose(fused, expected, atol=1e-6)
    said = summary["seeds"]["0"]
    assert said["parameters"] == sum(part["parameters"] for part in said["parts"].values())
    with (run_folder(tmp_path, "toy-video+text") / "history.csv").open() as file:
        assert {row["part"] for row in csv.DictReader(file)} == {"video", "text"}


def test_late_fusion_without_a_positive_of_one_modality_is_refused(tmp_path):
    toy = make_toy(n_segments=4)
    for given in toy.segments:
        given["concepts"] = [c for c in given["concepts"] if c != "Speech"]
    ready(tmp_path, toy, "video+text")
    with pytest.raises(LearningError, match=r"No positive segment of text alone in train"):
        train(tmp_path, "toy-video+text", model="late-mlp")
    assert not run_folder(tmp_path, "toy-video+text").exists()


def test_agnostic_positives_are_trained_and_validated_on_and_specific_ones_tested(tmp_path):
    toy = make_toy()
    ready(tmp_path, toy, "video", positives="agnostic")
    train(tmp_path, epochs=1)
    table = read_frame(run_folder(tmp_path) / "predictions.parquet", PREDICTIONS)
    concepts = {s["segment_id"]: s["concepts"] for s in toy.segments}
    specific = table["segment_id"].map(lambda name: int("Body" in concepts[name]))
    any_concept = table["segment_id"].map(lambda name: int(bool(concepts[name])))
    test = table["split"] == "test"
    assert (table["target"] == specific)[test].all()
    assert (table["target"] == any_concept)[~test].all()
    assert (specific != any_concept).any()


@pytest.mark.parametrize(
    ("trained", "tested"),
    [("annotator1", "annotator2"), ("annotator2", "annotator1"), ("annotator2", "annotator2")],
)
def test_who_is_trained_on_and_who_is_tested_on_are_chosen_apart(tmp_path, trained, tested):
    ready(tmp_path, make_toy(), train_annotators=(trained,), test_annotators=(tested,))
    train(tmp_path, epochs=1)
    table = read_frame(run_folder(tmp_path) / "predictions.parquet", PREDICTIONS)
    assert set(table.loc[table["split"] == "test", "annotator"]) == {tested}
    assert set(table.loc[table["split"] == "validation", "annotator"]) == {trained}


@pytest.mark.parametrize("balance", ["resample", "weights", "none"])
def test_other_ways_of_balance_learn_too(tmp_path, balance):
    ready(tmp_path, make_toy(strength=3.0))
    train(tmp_path, epochs=30, seeds=(0,), balance=balance)
    assert macro_ap(tmp_path).mean() > 0.8


def test_shuffled_labels_are_not_learnt(tmp_path):
    """Average precision of chance lies above .5 in small samples (.54 to .62 over other shuffles
    of these 48 test segments); the unshuffled labels reach .99.
    """
    toy = make_toy(strength=3.0)
    shuffled = np.random.default_rng(5).permutation(len(toy.segments))
    concepts = [given["concepts"] for given in toy.segments]
    for given, other in zip(toy.segments, shuffled, strict=True):
        given["concepts"] = concepts[other]
    ready(tmp_path, toy)
    train(tmp_path, seeds=(0, 1, 2), epochs=30)
    assert abs(macro_ap(tmp_path).mean() - 0.5) < 0.12


def test_three_levels_give_a_probability_each(tmp_path):
    ready(tmp_path, make_toy(strength=3.0), task="levels")
    summary = train(tmp_path)
    table = read_frame(run_folder(tmp_path) / "predictions.parquet", PREDICTIONS)
    scores = np.stack(table["score"])
    assert summary["classes"] == ["EN", "HN", "S"]
    assert scores.shape[1] == 3
    np.testing.assert_allclose(scores.sum(axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize("model", ["mlp", "transformer"])
def test_the_same_seed_gives_the_same_bytes(tmp_path, model):
    ready(tmp_path, make_toy())
    train(tmp_path, model=model, epochs=3)
    before = {path.name: path.read_bytes() for path in run_folder(tmp_path).iterdir()}
    train(tmp_path, model=model, epochs=3)
    assert {path.name: path.read_bytes() for path in run_folder(tmp_path).iterdir()} == before
    assert before["model-0.safetensors"] != before["model-1.safetensors"]


def history_of(root, seed, experiment="toy-video"):
    """Return the losses of a seed's epochs, [epochs, 2]."""
    with (run_folder(root, experiment) / "history.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["seed"] == str(seed)]
    return np.array([[float(r["train_loss"]), float(r["validation_loss"])] for r in rows])


@pytest.mark.parametrize("task", ["visual", "levels"])
def test_stacked_seeds_learn_what_each_learns_alone(tmp_path, task):
    """Their rates fall and they stop at epochs of their own. Rounding grows over the epochs."""
    settings = {"epochs": 25, "patience": 3, "schedule_patience": 1, "learning_rate": 0.01}
    ready(tmp_path, make_toy(), task=task)
    summary = train(tmp_path, seeds=(0, 1, 2, 3), **settings)
    together = [history_of(tmp_path, seed) for seed in range(4)]
    assert len({said["epochs"] for said in summary["seeds"].values()}) > 1
    for seed in range(4):
        train(tmp_path, seeds=(seed,), **settings)
        alone = history_of(tmp_path, seed)
        np.testing.assert_allclose(alone[:4], together[seed][:4], atol=1e-5)
        np.testing.assert_allclose(alone, together[seed], rtol=1e-3)


def test_a_transformers_seed_gives_the_same_bytes_whatever_other_seeds_run(tmp_path):
    ready(tmp_path, make_toy(n_segments=4))
    train(tmp_path, model="transformer", seeds=(0, 1), epochs=2)
    among = (run_folder(tmp_path) / "model-1.safetensors").read_bytes()
    train(tmp_path, model="transformer", seeds=(1,), epochs=2)
    assert (run_folder(tmp_path) / "model-1.safetensors").read_bytes() == among


@pytest.mark.parametrize(
    ("model", "modalities"),
    [
        ("mlp", "video"),
        ("transformer", "video"),
        ("differential", "video"),
        ("perceiver", "video+text"),
        ("late-mlp", "video+text+audio"),
    ],
)
def test_nothing_fitted_sees_a_test_film(tmp_path, model, modalities):
    """Other features and labels in the test films leave weights, scaling and stopping alone."""
    toy, name = make_toy(), f"toy-{modalities}"
    ready(tmp_path, toy, modalities)
    train(tmp_path, name, model=model, epochs=3, seeds=(0,))
    before = load_file(run_folder(tmp_path, name) / "model-0.safetensors")
    history = (run_folder(tmp_path, name) / "history.csv").read_text()
    for film in ("f0", "f1"):
        for features in toy.features.values():
            features[film] = features[film] * -50 + 7
    toy.texts |= {k: v * -50 + 7 for k, v in toy.texts.items() if k.startswith(("f0", "f1"))}
    for given in toy.segments:
        if given["film_id"] in ("f0", "f1"):
            given["concepts"] = [] if "Body" in given["concepts"] else ["Body"]
            given["label"] = "S" if given["label"] == "EN" else "EN"
    ready(tmp_path, toy, modalities)
    train(tmp_path, name, model=model, epochs=3, seeds=(0,))
    after = load_file(run_folder(tmp_path, name) / "model-0.safetensors")
    assert before.keys() == after.keys()
    for key, value in before.items():
        np.testing.assert_array_equal(value, after[key])
    assert (run_folder(tmp_path, name) / "history.csv").read_text() == history


def test_a_train_film_does_reach_the_weights(tmp_path):
    """The leak test above could pass with a model that learns nothing."""
    toy = make_toy()
    ready(tmp_path, toy)
    train(tmp_path, epochs=2)
    before = (run_folder(tmp_path) / "model-0.safetensors").read_bytes()
    toy.features["video"]["f3"] = toy.features["video"]["f3"] * -5
    ready(tmp_path, toy)
    train(tmp_path, epochs=2)
    assert (run_folder(tmp_path) / "model-0.safetensors").read_bytes() != before


def test_features_are_scaled_by_the_training_films(tmp_path):
    toy = make_toy()
    ready(tmp_path, toy, train_annotators=("annotator1",))
    train(tmp_path, epochs=1)
    weights = load_file(run_folder(tmp_path) / "model-0.safetensors")
    rows = []
    for film in ("f3", "f4", "f5"):
        of_film = [s for s in toy.segments if s["film_id"] == film]
        last = max(s["end_frame"] for s in of_film) // 16
        rows.append(toy.features["video"][film][: last + 1])
    tokens = np.concatenate(rows).astype(np.float64)
    np.testing.assert_allclose(weights["scales.video.mean"], tokens.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(weights["scales.video.deviation"], tokens.std(axis=0), rtol=1e-5)


def test_a_run_says_what_it_learnt_from_and_tells_no_time(tmp_path):
    ready(tmp_path, make_toy())
    summary = train(tmp_path)
    folder = run_folder(tmp_path)
    assert json.loads((folder / "run.json").read_text()) == summary
    assert summary["segments"]["test"] == {"negative": 32, "positive": 16}
    assert summary["films"]["validation"] == ["f2"]
    # 12 to 32 to 16 to 1, with scale and shift of two batch norms.
    assert summary["parameters"] == 12 * 32 + 64 + 32 * 16 + 32 + 16 + 1
    with (folder / "history.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["seed"] for row in rows} == {"0", "1"}
    for seed, said in summary["seeds"].items():
        losses = [float(row["validation_loss"]) for row in rows if row["seed"] == seed]
        assert len(losses) == said["epochs"]
        assert min(losses) == said["validation_loss"] == losses[said["best_epoch"] - 1]


def test_predictions_hold_validation_and_test_segments_once_a_seed(tmp_path):
    toy = make_toy()
    ready(tmp_path, toy)
    train(tmp_path, epochs=1)
    table = read_frame(run_folder(tmp_path) / "predictions.parquet", PREDICTIONS)
    assert len(table) == 2 * 3 * 24
    assert set(table.loc[table["split"] == "test", "film_id"]) == {"f0", "f1"}
    truth = {s["segment_id"]: int("Body" in s["concepts"]) for s in toy.segments}
    assert (table["target"] == table["segment_id"].map(truth)).all()


def test_saved_weights_give_the_saved_predictions(tmp_path):
    """The best epoch's weights are kept, scaling included: recomputed here by hand for the MLP."""
    toy = make_toy()
    ready(tmp_path, toy)
    train(tmp_path, epochs=5)
    w = load_file(run_folder(tmp_path) / "model-0.safetensors")
    table = read_frame(run_folder(tmp_path) / "predictions.parquet", PREDICTIONS)
    row = table[(table["seed"] == 0) & (table["split"] == "test")].iloc[3]
    given = next(s for s in toy.segments if s["segment_id"] == row["segment_id"])
    window = slice(given["start_frame"] // 16, given["end_frame"] // 16 + 1)
    x = toy.features["video"][given["film_id"]][window].mean(axis=0)
    x = (x - w["scales.video.mean"]) / w["scales.video.deviation"]
    for linear, norm in ((0, 1), (4, 5)):
        x = w[f"layers.{linear}.weight"] @ x
        mean, variance = w[f"layers.{norm}.running_mean"], w[f"layers.{norm}.running_var"]
        x = (x - mean) / np.sqrt(variance + 1e-5)
        x = np.maximum(x * w[f"layers.{norm}.weight"] + w[f"layers.{norm}.bias"], 0)
    logit = (w["layers.8.weight"] @ x + w["layers.8.bias"])[0]
    assert row["score"][0] == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-5)


def test_where_the_time_went_is_kept_beside_the_results(tmp_path):
    ready(tmp_path, make_toy(n_segments=4))
    train(tmp_path, epochs=1)
    seconds = read_timings("toy-video", 1, tmp_path)
    assert set(seconds) == {"read", "fit", "predict", "write"}
    assert all(value >= 0 for value in seconds.values())
    plan = [{"experiment": "toy-video", "fold": fold} for fold in (1, 2)]
    (row,) = time_rows(plan, tmp_path)
    assert row[:2] == ["toy-video", "1"]
    assert not list((tmp_path / ".gazeline/scratch").iterdir())


def test_training_stops_when_validation_does_not_improve(tmp_path):
    ready(tmp_path, make_toy(strength=0.0))
    summary = train(tmp_path, epochs=60, patience=3)
    for seed in summary["seeds"].values():
        assert seed["epochs"] == min(60, seed["best_epoch"] + 3)


@pytest.mark.parametrize("split", ["train", "validation"])
def test_a_fold_without_a_positive_is_refused(tmp_path, split):
    toy = make_toy(n_segments=4)
    films = {"train": ("f3", "f4", "f5"), "validation": ("f2",)}[split]
    for given in toy.segments:
        if given["film_id"] in films:
            given["concepts"] = []
    ready(tmp_path, toy)
    with pytest.raises(LearningError, match=rf"No positive segment in the {split} films of fold 1"):
        train(tmp_path)
    assert not (tmp_path / "data/runs").exists()


def test_a_fold_whose_validation_film_has_no_copy_is_refused(tmp_path):
    toy = make_toy(n_segments=4)
    toy.features["audio"]["f2"] = np.empty((0, 12), dtype=np.float32)
    ready(tmp_path, toy, "audio")
    with pytest.raises(LearningError, match=r"validation films of fold 1(.|\n)*no film"):
        train(tmp_path, "toy-audio")


def test_an_unknown_fold_is_refused_with_those_there_are(tmp_path):
    ready(tmp_path, make_toy(n_segments=4))
    with pytest.raises(LearningError, match="no fold 9, only 1, 2, 3"):
        train(tmp_path, fold=9)


def test_a_diverging_loss_names_experiment_fold_seed_and_epoch(tmp_path):
    toy = make_toy(n_segments=4)
    for film, values in toy.features["video"].items():
        toy.features["video"][film] = values / np.abs(values).max() * np.float32(3e38)
    ready(tmp_path, toy)
    with pytest.raises(
        LearningError, match=r"loss became (nan|inf)(.|\n)*toy-video, fold 1, seed 0, epoch 1"
    ):
        train(tmp_path, standardise=False)
    assert not run_folder(tmp_path).exists()


def test_nan_in_a_shard_names_film_and_window(tmp_path):
    toy = make_toy(n_segments=4)
    toy.features["video"]["f4"][7, 3] = np.nan
    ready(tmp_path, toy)
    with pytest.raises(FeatureError, match=r"not finite: window 7 of f4(.|\n)*dvc repro -f video"):
        train(tmp_path)


def test_nan_in_a_text_names_the_segment(tmp_path):
    toy = make_toy(n_segments=4)
    toy.texts["f3/annotator2/1"][1, 2] = np.inf
    ready(tmp_path, toy, "text")
    with pytest.raises(FeatureError, match="not finite: the text of f3/annotator2/1"):
        train(tmp_path, "toy-text")


def test_a_segment_without_text_features_is_named(tmp_path):
    toy = make_toy(n_segments=4)
    del toy.texts["f3/annotator2/1"]
    ready(tmp_path, toy, "text")
    with pytest.raises(FeatureError, match=r"1 segments, f3/annotator2/1 first(.|\n)*text@toy"):
        train(tmp_path, "toy-text")


def test_shards_that_changed_since_the_dataset_are_refused(tmp_path):
    toy = make_toy(n_segments=4)
    ready(tmp_path, toy)
    toy.features["video"]["f1"] += 1
    toy.write_shards("f1", tmp_path)
    with pytest.raises(FeatureError, match=r"changed since(.|\n)*f1.parquet(.|\n)*dataset@toy"):
        train(tmp_path)


def test_an_absent_shard_names_the_pull_to_run(tmp_path):
    """Outside a DVC project nothing can be fetched."""
    ready(tmp_path, make_toy(n_segments=4))
    (tmp_path / "data/features/video/f1.parquet").unlink()
    with pytest.raises(FeatureError, match=r"dvc pull data/features/video/f1.parquet"):
        train(tmp_path)
