"""Shots, stretches of seconds and stretches with intervals as samples."""

from __future__ import annotations

import pytest

from gazeline.errors import LearningError
from gazeline.learning.common.manifest import read_manifest
from gazeline.learning.datasets.dataset import build_dataset
from gazeline.learning.datasets.request import Request
from gazeline.params.learning import TaskChoice
from gazeline.params.temporal import ScenesParams
from gazeline.schema.runs import SAMPLES
from gazeline.schema.temporal import TARGETS
from gazeline.tables import read_frame
from gazeline.timeline.maps import Piece, TimeMap
from learning.synthetic import CORPUS, GROUPS, Toy, make_toy

EVENTS = {"f0": [(2.0, 4.0), (3.5, 6.0)], "f1": [(11.0, 12.0)]}


@pytest.fixture
def toy() -> Toy:
    """Six films of 20 s: five shots each, violence in two, fear looked for in four of them."""
    toy = make_toy(n_segments=4)
    for film in toy.films:
        toy.durations_s[film] = 20.0
        toy.shots += [shot(film, n) for n in range(5)]
        toy.annotated.append({"film_id": film, "annotator": "consensus", "label": "violence"})
        for second in range(18):
            for measure in ("valence", "arousal"):
                toy.series.append(
                    {"film_id": film, "measure": measure, "second": second, "value": second / 100}
                )
        for number, (start_s, end_s) in enumerate(EVENTS.get(film, ())):
            toy.events.append(event(film, number, start_s, end_s))
    return toy


def shot(film, n):
    return {
        "film_id": film,
        "shot": n,
        "start_s": 4.0 * n,
        "end_s": 4.0 * n + 4,
        "start_frame": 100 * n,
        "end_frame": 100 * n + 99,
    }


def event(film, number, start_s, end_s):
    return {
        "event_id": f"{film}/consensus/violence-{number}",
        "film_id": film,
        "annotator": "consensus",
        "start_s": start_s,
        "end_s": end_s,
        "start_frame": int(start_s * 25),
        "end_frame": int(end_s * 25) - 1,
        "label": "violence",
        "tags": [],
        "source_row": number,
    }


def build(root, task, annotators=("consensus",), scenes=None, modalities=("video",)):
    choice = TaskChoice(
        task=task,
        modalities=modalities,
        positives="specific",
        train_annotators=annotators,
        test_annotators=annotators,
    )
    scenes = scenes or ScenesParams(length_s=10)
    request = Request("toy", CORPUS, GROUPS, choice, Toy.films, scenes)
    manifest = build_dataset(request, root)
    assert read_manifest(root / "data/datasets/toy/manifest.json") == manifest
    folder = root / "data/datasets/toy"
    samples = read_frame(folder / "samples.parquet", SAMPLES).set_index("segment_id")
    return manifest, samples, read_frame(folder / "targets.parquet", TARGETS)


def test_a_shot_with_any_violent_time_is_violent(toy, tmp_path):
    toy.write(tmp_path)
    manifest, samples, targets = build(tmp_path, "shots/violence")
    violent = samples[samples["target_test"] == 1].index.tolist()
    assert violent == ["f0/consensus/shot-0", "f0/consensus/shot-1", "f1/consensus/shot-2"]
    assert len(samples) == 30
    assert len(targets) == 0
    assert (manifest.kind, manifest.classes) == ("classification", ("negative", "positive"))
    assert samples.loc["f0/consensus/shot-1", ["start_s", "end_s"]].tolist() == [4.0, 8.0]
    assert samples.loc["f0/consensus/shot-1", "video_start"] == 6  # window 5 ends 4 ms in


def test_intervals_are_cut_at_the_edges_of_stretches(toy, tmp_path):
    toy.events.append(event("f2", 0, 8.0, 13.0))
    toy.write(tmp_path)
    manifest, samples, targets = build(tmp_path, "intervals/violence")
    of_film = targets[targets["film_id"] == "f2"]
    bounds = of_film[["segment_id", "start_s", "end_s", "target"]].to_numpy().tolist()
    assert bounds == [
        ["f2/consensus/scene-0", 8.0, 10.0, 0],
        ["f2/consensus/scene-1", 10.0, 13.0, 0],
    ]
    assert (manifest.kind, manifest.classes) == ("detection", ("violence",))
    assert samples.loc["f2/consensus/scene-1", ["start_s", "end_s"]].tolist() == [10.0, 20.0]


def test_stretches_without_an_interval_are_tested_on_and_trained_on_where_kept(toy, tmp_path):
    toy.write(tmp_path)
    _, dropped, _ = build(tmp_path, "intervals/violence")
    assert dropped["target_test"].tolist() == [0] * 12
    trained = dropped[dropped["target_train"] == 0].index.tolist()
    assert trained == ["f0/consensus/scene-0", "f1/consensus/scene-1"]
    scenes = ScenesParams(length_s=10, empty="keep")
    manifest, kept, _ = build(tmp_path, "intervals/violence", scenes=scenes)
    assert kept["target_train"].tolist() == [0] * 12
    assert manifest.class_counts["1"]["test"] == {"stretches": 4, "violence": 3}


def test_intervals_of_levels_name_the_positive_classes_and_keep_negative_bounds(toy, tmp_path):
    toy.write(tmp_path)
    manifest, _, targets = build(tmp_path, "intervals/levels", ("annotator1",))
    assert manifest.classes == ("HN", "S")
    assert set(targets["target"]) <= {-1, 0, 1}
    assert (targets["target"] == -1).any()


def test_seconds_without_every_measure_are_no_targets(toy, tmp_path):
    toy.series = [r for r in toy.series if (r["measure"], r["second"]) != ("arousal", 3)]
    toy.write(tmp_path)
    manifest, samples, targets = build(tmp_path, "seconds/valence+arousal", ("mean",))
    assert (manifest.kind, manifest.step_s) == ("regression", 1.0)
    assert manifest.classes == ("valence", "arousal")
    of_film = targets[targets["film_id"] == "f0"]
    assert of_film["start_s"].tolist() == [float(s) for s in range(18) if s != 3]
    assert of_film["values"].iloc[-1].tolist() == [0.17, 0.17]
    last = samples.loc["f0/mean/scene-1"]
    assert (last["start_s"], last["end_s"]) == (10.0, 18.0)


def test_what_the_copy_lacks_is_dropped_with_the_reason(toy, tmp_path):
    toy.maps["f0"] = TimeMap((Piece(0.0, 10.0, 1.0, 0.0),))
    toy.write(tmp_path)
    manifest, samples, targets = build(tmp_path, "intervals/violence")
    assert "f0/consensus/scene-1" not in samples.index
    assert manifest.counts["dropped_by_film"] == {"f0": {"not on the copy": 1}}
    assert set(targets["segment_id"]) <= set(samples.index)


@pytest.mark.parametrize(
    ("task", "annotators", "said"),
    [
        ("intervals/gore", ("consensus",), "no events of gore"),
        ("shots/gore", ("consensus",), "no events of gore"),
        ("seconds/valence+fear", ("mean",), "no series of fear"),
        ("intervals/violence", ("nicam",), "no annotator nicam"),
        ("seconds/valence", ("consensus",), "no annotator consensus"),
    ],
)
def test_an_unknown_label_measure_or_annotator_is_named(toy, tmp_path, task, annotators, said):
    toy.write(tmp_path)
    with pytest.raises(LearningError, match=said):
        build(tmp_path, task, annotators)


def test_a_corpus_without_shots_says_so(toy, tmp_path):
    toy.shots = []
    toy.write(tmp_path)
    with pytest.raises(LearningError, match="no shots of the films"):
        build(tmp_path, "shots/violence")


def test_the_same_input_gives_the_same_bytes(toy, tmp_path):
    toy.write(tmp_path)
    build(tmp_path, "intervals/violence")
    folder = tmp_path / "data/datasets/toy"
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    build(tmp_path, "intervals/violence")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first
