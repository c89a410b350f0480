"""The labels can be learnt from what is seen, said and heard, and shuffled labels cannot."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gazeline.media.probing.binaries import wheel_binaries
from gazeline.sample.copies import truth

THUMB = (16, 9)
RATE = 16_000
ENDINGS = {"ferry": "mp4", "glass": "mp4"}
SHUFFLES = 8


def precision(features, targets, films):
    """Return the average precision over all films, each scored by a model of the others."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000))
    scores = cross_val_predict(
        model, features, targets, groups=films, cv=LeaveOneGroupOut(), method="decision_function"
    )
    return average_precision_score(targets, scores)


def assert_learnable(features, targets, films, margin):
    """Check that the true labels are learnt by `margin` over chance, and shuffled ones are not."""
    features, targets, films = map(np.asarray, (features, targets, films))
    chance = targets.mean()
    learnt = precision(features, targets, films)
    assert learnt > chance + margin
    rng = np.random.default_rng(0)
    shuffled = [rng.permutation(targets) for _ in range(SHUFFLES)]
    by_luck = [precision(features, labels, films) for labels in shuffled]
    assert np.mean(by_luck) < chance + 0.12
    assert max(by_luck) < learnt


def decoded(made, film_id, *arguments):
    slug = film_id.removeprefix("sample-")
    path = made.films / f"{film_id}.{ENDINGS.get(slug, 'mkv')}"
    command = [wheel_binaries().ffmpeg, "-v", "error", "-i", str(path), *arguments, "-"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def copy_parts(maps, row):
    """Return a row's interval on its copy's clock, by the true map."""
    fps = 24000 / 1001
    interval = (row["start_frame"] / fps, (row["end_frame"] + 1) / fps)
    return maps[row["imdb_key"]].intervals_to_copy(*interval)


def inside(values, per_second, parts):
    """Return the values of a series that lie in the parts."""
    return np.concatenate([values[round(a * per_second) : round(b * per_second)] for a, b in parts])


@pytest.mark.slow
def test_visual_labels_are_learnt_from_tiny_frames(made):
    maps = truth(made.params)
    size = f"scale={THUMB[0]}:{THUMB[1]}:flags=area"
    frames = {
        film: np.frombuffer(
            decoded(made, film, "-vf", size, "-pix_fmt", "rgb24", "-f", "rawvideo"), np.uint8
        ).reshape(-1, THUMB[0] * THUMB[1] * 3)
        for film in maps
    }
    features, targets, films = [], [], []
    for row in made.release.usable:
        film = row["imdb_key"]
        per_second = 25 if film == "sample-ferry" else 24000 / 1001
        features.append(inside(frames[film], per_second, copy_parts(maps, row)).mean(axis=0))
        targets.append(row["targets"]["visual"])
        films.append(film)
    assert_learnable(features, targets, films, margin=0.3)


@pytest.mark.slow
def test_audio_labels_are_learnt_from_loudness_and_pitch(made):
    maps = truth(made.params)
    features, targets, films = [], [], []
    sound = {
        film: np.frombuffer(
            decoded(made, film, "-ac", "1", "-ar", str(RATE), "-f", "s16le"), np.int16
        )
        for film in maps
        if film != "sample-kite"
    }
    for row in made.release.usable:
        if row["imdb_key"] not in sound:
            continue
        samples = inside(sound[row["imdb_key"]] / 32768, RATE, copy_parts(maps, row))
        spectrum = np.abs(np.fft.rfft(samples)) ** 2
        frequencies = np.fft.rfftfreq(len(samples), 1 / RATE)
        centroid = (spectrum * frequencies).sum() / spectrum.sum()
        features.append([np.sqrt((samples**2).mean()), centroid])
        targets.append(row["targets"]["audio"])
        films.append(row["imdb_key"])
    assert_learnable(features, targets, films, margin=0.3)


@pytest.mark.slow
def test_speech_labels_are_learnt_from_words(release):
    rows = release.usable
    words = CountVectorizer().fit_transform([row["subtitle"] for row in rows]).toarray()
    targets = [row["targets"]["speech"] for row in rows]
    assert_learnable(words, targets, [row["imdb_key"] for row in rows], margin=0.3)


def test_visual_labels_are_not_learnt_from_words(release):
    rows = release.usable
    words = CountVectorizer().fit_transform([row["subtitle"] for row in rows]).toarray()
    targets = np.array([row["targets"]["visual"] for row in rows])
    films = np.array([row["imdb_key"] for row in rows])
    assert precision(words, targets, films) < targets.mean() + 0.15
