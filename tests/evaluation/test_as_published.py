"""The paper's settings are told from every other, one change at a time."""

from __future__ import annotations

import pytest

from gazeline.evaluation.as_published import other_settings
from gazeline.evaluation.setting import PRESETS, papers_corpus, papers_experiments, settings_of
from gazeline.params.base import read_yaml

NAMES = (
    "mobygaze-speech-text-transformer",
    "mobygaze-visual-video-differential",
    "mobygaze-hard-video-audio-late-perceiver",
)
TEXT, VIDEO, FUSED = NAMES


@pytest.fixture(scope="module")
def presets(project):
    return papers_experiments(project / PRESETS)


@pytest.fixture
def params(project, presets):
    """Return params as published, with three of the paper's experiments."""
    template = read_yaml(project / "src/gazeline/orchestration/templates/mobygaze.yaml")
    experiments = {name: presets[name].model_dump(mode="json") for name in NAMES}
    return {
        "corpora": {"mobygaze": template["corpora"]["mobygaze"]},
        "experiments": experiments,
        "subtitles": {"join": "released", "preset": "released"},
        "training": {},
        "models": {},
        "features": {"video": {}, "audio": {}, "text": {}},
    }


def found(params, presets):
    return other_settings(settings_of(params), presets, papers_corpus())


def test_the_papers_own_settings_differ_in_nothing(params, presets):
    assert found(params, presets) == {}


def test_a_changed_training_section_does_not_reach_a_preset(params, presets):
    params["training"] = {"seeds": [7], "epochs": 3, "standardise": True, "warmup_share": 0.5}
    assert found(params, presets) == {}


@pytest.mark.parametrize(
    ("keys", "value", "experiments", "said"),
    [
        (("subtitles", "join"), "midpoint", {TEXT}, "join midpoint, not released"),
        (("subtitles", "preset"), "custom", {TEXT}, "cleaning custom, not released"),
        (("models", "transformer"), {"width": 64}, {TEXT, VIDEO}, "transformer.width 64, not 128"),
        (
            ("models", "differential"),
            {"films_per_batch": 3},
            {VIDEO},
            "differential.films_per_batch 3, not 2",
        ),
        (("models", "perceiver"), {"latents": 8}, {FUSED}, "perceiver.latents 8, not 32"),
        (("models", "mlp"), {"dropout": 0.5}, set(), ""),
        (
            ("features", "video", "stride_frames"),
            8,
            {VIDEO, FUSED},
            "features.video.stride_frames 8, not 16",
        ),
        (("features", "audio", "chunk_s"), 1, {FUSED}, "features.audio.chunk_s 1.0, not 2.0"),
        (("corpora", "mobygaze", "folds"), [], set(NAMES), "other folds"),
        (("corpora", "mobygaze", "exclude"), ["tt0467406"], set(NAMES), "other exclude"),
        (
            ("experiments", TEXT, "training", "seeds"),
            [0],
            {TEXT},
            "seeds 0, not 0+1+2+3+4",
        ),
        (("experiments", TEXT, "training", "epochs"), 5, {TEXT}, "epochs 5, not 100"),
        (("experiments", VIDEO, "model"), "transformer", {VIDEO}, "model transformer, not"),
        (
            ("experiments", VIDEO, "train_annotators"),
            ["annotator1", "annotator2"],
            {VIDEO},
            "train_annotators annotator1+annotator2, not annotator2",
        ),
    ],
)
def test_every_other_setting_is_said(params, presets, keys, value, experiments, said):
    place = params
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    other = found(params, presets)
    assert set(other) == experiments
    assert all(said in text for text in other.values())


def test_an_experiment_of_our_own_is_none_of_the_papers(params, presets):
    params["experiments"]["mine"] = params["experiments"][TEXT]
    assert found(params, presets) == {"mine": "no preset describes it"}
