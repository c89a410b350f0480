"""Logistic regression and the kernel machine: what they fit, see and keep."""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors.numpy import load_file
from scipy.special import expit
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler

from gazeline.errors import LearningError
from gazeline.learning.training.estimators import fitting
from gazeline.schema.features import EMPTY_TEXT
from gazeline.schema.runs import PREDICTIONS
from gazeline.tables import read_frame
from learning.synthetic import WIDTH, Toy, dataset, make_toy, train

ESTIMATORS = ("logistic", "kernel")
FOLDER = "data/runs/toy-text/fold-1"
TRAIN_FILMS = ("f3", "f4", "f5")


def run(root, toy: Toy, model: str, task=None, **training) -> dict:
    toy.write(root)
    choice = {"train_annotators": ("annotator1", "annotator2"), "test_annotators": ("annotator2",)}
    dataset(root, "text", **choice, **({"task": task} if task else {}))
    return train(root, "toy-text", model=model, **{"seeds": (0,), **training})


def predictions(root, split="test"):
    table = read_frame(root / FOLDER / "predictions.parquet", PREDICTIONS)
    return table[table["split"] == split].reset_index(drop=True)


def positive_ap(root) -> float:
    table = predictions(root)
    return average_precision_score(table["target"], [score[0] for score in table["score"]])


def pooled(toy: Toy, segments) -> np.ndarray:
    return np.array([toy.texts[s["segment_id"]].mean(axis=0) for s in segments])


def layout(toy: Toy, segments) -> np.ndarray:
    duration_s = np.array([s["end_s"] - s["start_s"] for s in segments])
    tokens = np.array([len(toy.texts[s["segment_id"]]) for s in segments])
    spoken = tokens / np.maximum(duration_s, 1)
    return np.stack([np.log1p(duration_s), np.log1p(tokens), spoken, 0 * spoken], axis=1)


def of_films(toy: Toy, *films: str, annotators=("annotator1", "annotator2")):
    return [s for s in toy.segments if s["film_id"] in films and s["annotator"] in annotators]


def speech(segments) -> np.ndarray:
    return np.array([int("Speech" in s["concepts"]) for s in segments])


@pytest.mark.parametrize("model", ESTIMATORS)
def test_a_planted_signal_is_learnt(tmp_path, model):
    run(tmp_path, make_toy(strength=4.0), model)
    assert positive_ap(tmp_path) > 0.8


@pytest.mark.parametrize("model", ESTIMATORS)
def test_three_levels_give_a_probability_each(tmp_path, model):
    run(tmp_path, make_toy(), model, task="levels")
    scores = np.stack(predictions(tmp_path)["score"])
    assert scores.shape[1] == 3
    np.testing.assert_allclose(scores.sum(axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize("model", ESTIMATORS)
def test_the_same_seed_gives_the_same_bytes(tmp_path, model):
    toy = make_toy()
    run(tmp_path, toy, model, context=2)
    before = {path.name: path.read_bytes() for path in (tmp_path / FOLDER).iterdir()}
    run(tmp_path, toy, model, context=2)
    assert {path.name: path.read_bytes() for path in (tmp_path / FOLDER).iterdir()} == before


def neighbour_toy() -> Toy:
    """A segment is positive where the one before it, unsure by label, says so in its text."""
    toy = make_toy(strength=0.0, n_segments=24)
    for place, given in enumerate(toy.segments):
        index = place // 2 % 24
        given["concepts"] = ["Speech"] if index % 4 == 1 else []
        given["label"] = "NS" if index % 4 == 0 else "HN"
        if index % 4 == 0:
            toy.texts[given["segment_id"]][:, 0] += 6.0
    return toy


@pytest.mark.parametrize("model", ESTIMATORS)
def test_what_only_a_neighbour_says_is_learnt_with_context_alone(tmp_path, model):
    run(tmp_path, neighbour_toy(), model)
    without = positive_ap(tmp_path)
    run(tmp_path, neighbour_toy(), model, context=1)
    assert positive_ap(tmp_path) > without + 0.25


@pytest.mark.parametrize("model", ESTIMATORS)
def test_no_label_of_a_test_film_is_seen_whoever_gave_it(tmp_path, model):
    """The other annotator's labels, which train, are turned round in the test films."""
    toy = make_toy()
    run(tmp_path, toy, model, context=2)
    before, scores = (tmp_path / FOLDER / "model-0.safetensors").read_bytes(), predictions(tmp_path)
    for given in of_films(toy, "f0", "f1", annotators=("annotator1",)):
        given["concepts"] = [] if "Speech" in given["concepts"] else ["Speech"]
        given["label"] = "S"
    run(tmp_path, toy, model, context=2)
    assert (tmp_path / FOLDER / "model-0.safetensors").read_bytes() == before
    assert np.array_equal(np.stack(predictions(tmp_path)["score"]), np.stack(scores["score"]))
    for given in of_films(toy, *TRAIN_FILMS, annotators=("annotator1",)):
        given["concepts"] = [] if "Speech" in given["concepts"] else ["Speech"]
    run(tmp_path, toy, model, context=2)
    assert (tmp_path / FOLDER / "model-0.safetensors").read_bytes() != before


@pytest.mark.parametrize("model", ESTIMATORS)
def test_own_labels_and_texts_of_test_films_leave_what_is_fitted_alone(tmp_path, model):
    toy = make_toy()
    run(tmp_path, toy, model, context=1)
    before = (tmp_path / FOLDER / "model-0.safetensors").read_bytes()
    for given in of_films(toy, "f0", "f1"):
        given["concepts"] = [] if "Speech" in given["concepts"] else ["Speech"]
        toy.texts[given["segment_id"]] = toy.texts[given["segment_id"]] * -50 + 7
    run(tmp_path, toy, model, context=1)
    assert (tmp_path / FOLDER / "model-0.safetensors").read_bytes() == before


def test_logistic_is_scikit_learns_on_scaled_means_and_layout(tmp_path):
    toy = make_toy()
    run(tmp_path, toy, "logistic", balance="none")
    fitted, tested = of_films(toy, *TRAIN_FILMS), predictions(tmp_path)
    by_id = {s["segment_id"]: s for s in toy.segments}
    asked = [by_id[name] for name in tested["segment_id"]]
    x, z = (np.hstack([pooled(toy, s), layout(toy, s)]) for s in (fitted, asked))
    scale = StandardScaler().fit(x)
    model = LogisticRegression(C=0.01).fit(scale.transform(x), speech(fitted))
    expected = model.predict_proba(scale.transform(z))[:, 1]
    np.testing.assert_allclose(np.stack(tested["score"])[:, 0], expected, atol=2e-4)


def test_kernel_is_kernel_ridge_on_the_sum_of_rbf_kernels(tmp_path):
    """The order of the scores is that of scikit-learn's own; the calibration only rescales."""
    toy = make_toy(strength=1.0)
    run(tmp_path, toy, "kernel", balance="none")
    weights = load_file(tmp_path / FOLDER / "model-0.safetensors")
    fitted, tested = of_films(toy, *TRAIN_FILMS), predictions(tmp_path)
    by_id = {s["segment_id"]: s for s in toy.segments}
    asked = [by_id[name] for name in tested["segment_id"]]
    blocks = [
        (2.0, pooled(toy, fitted), pooled(toy, asked)),
        (0.5, layout(toy, fitted), layout(toy, asked)),
        (0.3, *(nearest(toy, s, weights["landmarks"]) for s in (fitted, asked))),
    ]
    kernels = []
    for gamma, x, z in blocks:
        scale = StandardScaler().fit(x)
        x, z = scale.transform(x), scale.transform(z)
        kernels.append([rbf_kernel(a, x, gamma=gamma / (2 * x.shape[1])) for a in (x, z)])
    ridge = KernelRidge(alpha=4.0, kernel="precomputed")
    ridge.fit(sum(k[0] for k in kernels), 2 * (speech(fitted) - speech(fitted).mean()))
    raw = ridge.predict(sum(k[1] for k in kernels))
    expected = expit(weights["slope"] * raw + weights["bias"][0])
    np.testing.assert_allclose(np.stack(tested["score"])[:, 0], expected, atol=1e-4)


def nearest(toy: Toy, segments, landmarks) -> np.ndarray:
    """The texts are shorter than a window, so that each is one window."""
    means = pooled(toy, segments)
    return means / np.linalg.norm(means, axis=1, keepdims=True) @ landmarks.T


def test_a_long_dialogue_comes_as_near_to_a_landmark_as_its_nearest_window():
    from gazeline.learning.training.estimators.windows import nearness, token_windows
    from gazeline.learning.training.features import TokenStore

    tokens = np.zeros((20, 2), dtype=np.float32)
    tokens[:, 0] = 1
    tokens[12:16] = (0, 1)
    store = TokenStore(tokens, np.array([0, 0]), np.array([20, 4]))
    windows = token_windows({"text": store}, 4)
    assert np.diff(windows.starts).tolist() == [9, 1]
    found = nearness(windows, np.array([[0, 1], [1, 0]], dtype=np.float32))
    np.testing.assert_allclose(found, [[1, 1], [0, 1]])


def test_a_segment_without_text_counts_no_tokens(tmp_path):
    toy = make_toy(n_segments=6)
    for given in of_films(toy, "f0"):
        toy.texts[given["segment_id"]] = np.empty((0, WIDTH), dtype=np.float32)
    assert len(toy.texts[EMPTY_TEXT]) == 4
    run(tmp_path, toy, "kernel", context=1)
    table = predictions(tmp_path)
    silent = np.stack(table[table["film_id"] == "f0"]["score"])
    assert np.isfinite(silent).all()


def test_a_run_says_that_it_took_one_fit(tmp_path):
    summary = run(tmp_path, make_toy(n_segments=6), "kernel")
    assert json.loads((tmp_path / FOLDER / "run.json").read_text()) == summary
    assert summary["seeds"]["0"]["epochs"] == 1
    # A coefficient for each of 36 training segments, then slope and bias.
    assert summary["parameters"] == 36 + 2


def test_more_segments_than_a_kernel_takes_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(fitting, "MOST_SEGMENTS", 20)
    with pytest.raises(LearningError, match=r"36 training segments are too many for a kernel"):
        run(tmp_path, make_toy(n_segments=6), "kernel")
    assert not (tmp_path / "data/runs").exists()
