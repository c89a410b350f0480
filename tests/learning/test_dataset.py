"""Datasets: which segments become samples, with which windows, classes and folds."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from gazeline.alignment.record import Alignment, CopyClock, write_alignments
from gazeline.errors import AlignmentError, FeatureError, LearningError, TableError
from gazeline.learning.common.manifest import read_manifest
from gazeline.learning.datasets.dataset import build_dataset
from gazeline.schema.features import windows
from gazeline.schema.runs import SAMPLES
from gazeline.tables import from_rows, read_frame, write_table
from gazeline.timeline.maps import Piece, TimeMap
from learning.synthetic import CORPUS, FPS, Toy, dataset, make_toy, request, window_rows


@pytest.fixture
def toy() -> Toy:
    return make_toy(n_segments=4)


def samples(root, experiment="toy-video"):
    path = root / f"data/datasets/{experiment}/samples.parquet"
    return read_frame(path, SAMPLES).set_index("segment_id")


def segment(toy, segment_id):
    return next(s for s in toy.segments if s["segment_id"] == segment_id)


def test_windows_are_the_clip_indices_of_the_release_with_the_identity_map(toy, tmp_path):
    toy.write(tmp_path)
    dataset(tmp_path)
    table = samples(tmp_path)
    assert len(table) == len(toy.segments)
    for given in toy.segments:
        row = table.loc[given["segment_id"]]
        assert row["video_start"] == given["start_frame"] // 16
        assert row["video_stop"] == given["end_frame"] // 16 + 1


def test_windows_follow_the_time_map_to_the_copy(toy, tmp_path):
    """A copy with 160 frames of logos before shows every segment 10 windows later."""
    late_s = float(160 / FPS)
    toy.maps["f0"] = TimeMap((Piece(0.0, 1e4, 1.0, late_s),))
    toy.features["video"]["f0"] = np.zeros((300, 12), dtype=np.float32)
    toy.write(tmp_path)
    dataset(tmp_path)
    table = samples(tmp_path)
    for given in (s for s in toy.segments if s["film_id"] == "f0"):
        assert table.loc[given["segment_id"], "video_start"] == given["start_frame"] // 16 + 10
        assert table.loc[given["segment_id"], "video_stop"] == given["end_frame"] // 16 + 11


def test_windows_of_a_copy_sped_up_to_25_fps_are_the_same(toy, tmp_path):
    """The copy shows frame k at k/25 s, so window k // 16 stays the one that shows it."""
    toy.write(tmp_path)
    spec = windows("video", 12)
    for film in toy.films:
        rows = window_rows("video", toy.features["video"][film])
        for row in rows:
            row["start_s"], row["end_s"] = (
                row["window"] * 16 / 25,
                (row["window"] + 1) * 16 / 25,
            )
        path = tmp_path / f"data/features/video/{film}.parquet"
        write_table(from_rows(rows, spec), spec, path, {"fps": "25", "width": "12"})
        time_map = TimeMap((Piece(0.0, 1e4, float(FPS / 25), 0.0),))
        alignment = Alignment(time_map, "text", 9, None, 1.0, 0.9, "sure", "")
        copy = CopyClock(600.0, "25")
        write_alignments(tmp_path / f"data/aligned/{film}.json", film, copy, {CORPUS: alignment})
    dataset(tmp_path)
    table = samples(tmp_path)
    for given in toy.segments:
        row = table.loc[given["segment_id"]]
        assert row["video_start"] == given["start_frame"] // 16
        assert row["video_stop"] == given["end_frame"] // 16 + 1


def test_a_segment_split_by_an_inserted_scene_has_the_windows_of_its_longest_part(toy, tmp_path):
    given = segment(toy, "f0/annotator1/1")
    middle = given["start_s"] + 0.75 * (given["end_s"] - given["start_s"])
    toy.maps["f0"] = TimeMap((Piece(0, middle, 1, 0), Piece(middle, 1e4, 1, 100.0)))
    toy.write(tmp_path)
    dataset(tmp_path)
    row = samples(tmp_path).loc["f0/annotator1/1"]
    assert row["video_start"] == given["start_frame"] // 16
    assert row["video_stop"] == pytest.approx(float(middle * FPS) / 16, abs=1)


def test_every_dropped_segment_is_counted_by_its_reason(toy, tmp_path):
    segment(toy, "f0/annotator1/0")["label"] = "NS"
    segment(toy, "f0/annotator1/1")["label"] = "NS"
    missing = segment(toy, "f1/annotator1/0")
    toy.maps["f1"] = TimeMap((Piece(missing["end_s"], 1e4, 1, 0),))
    toy.features["video"]["f2"] = toy.features["video"]["f2"][:-20]
    toy.write(tmp_path)
    copies = ("f0", "f1", "f2", "f3")
    choice = {"train_annotators": ("annotator1",), "test_annotators": ("annotator1",)}
    counts = build_dataset(request("video", copies, **choice), tmp_path).counts
    table = samples(tmp_path)
    assert counts["in"] == 48
    assert counts["kept"] == len(table)
    beyond = counts["dropped"].pop("no video window")
    assert beyond >= 1
    assert counts["dropped"] == {
        "film without a copy": 16,
        "annotator not used": 16,
        "NS": 2,
        "not on the copy": 1,
    }
    assert counts["kept"] + beyond + 35 == 48
    assert set(table["film_id"]) == set(copies)


def test_a_film_without_sound_leaves_the_folds_with_its_reason(toy, tmp_path):
    toy.features["audio"]["f3"] = np.empty((0, 12), dtype=np.float32)
    toy.write(tmp_path)
    manifest = dataset(tmp_path, "audio")
    assert manifest.counts["dropped_by_film"] == {"f3": {"film without sound": 8}}
    assert "f3" not in manifest.films
    assert "f3" not in manifest.folds[2]["test"]
    assert "f3" not in manifest.shards["audio"]


def test_text_needs_no_copy_no_map_and_no_shard_of_a_film(toy, tmp_path):
    toy.write(tmp_path)
    for film in toy.films:
        (tmp_path / f"data/aligned/{film}.json").unlink()
        (tmp_path / f"data/features/video/{film}.parquet").unlink()
    manifest = build_dataset(request("text", copies=()), tmp_path)
    assert manifest.films == toy.films
    assert list(manifest.shards["text"]) == [CORPUS]


def test_the_manifest_names_the_content_of_every_shard_and_reads_back(toy, tmp_path):
    toy.write(tmp_path)
    manifest = dataset(tmp_path)
    path = tmp_path / "data/datasets/toy-video/manifest.json"
    assert read_manifest(path) == manifest
    for film, shard in manifest.shards["video"].items():
        content = (tmp_path / f"data/features/video/{film}.parquet").read_bytes()
        assert shard.md5 == hashlib.md5(content).hexdigest()
        assert (shard.width, shard.weights_sha256) == (12, "ab" * 32)
    assert json.loads(path.read_text())["class_counts"]["1"]["test"] == {
        "negative": 8,
        "positive": 8,
    }


def test_the_same_project_gives_the_same_bytes(toy, tmp_path):
    toy.write(tmp_path)
    dataset(tmp_path)
    folder = tmp_path / "data/datasets/toy-video"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    dataset(tmp_path)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert sorted(before) == ["manifest.json", "samples.parquet", "targets.parquet"]


def test_annotators_train_and_test_apart(toy, tmp_path):
    toy.write(tmp_path)
    dataset(tmp_path, train_annotators=("annotator1",), test_annotators=("annotator2",))
    table = samples(tmp_path)
    one = table["annotator"] == "annotator1"
    assert (table.loc[one, "target_test"] == -1).all()
    assert (table.loc[~one, "target_train"] == -1).all()
    assert set(table.loc[one, "target_train"]) == {0, 1}


def test_agnostic_positives_train_but_specific_ones_test(toy, tmp_path):
    toy.write(tmp_path)
    dataset(tmp_path, positives="agnostic")
    table = samples(tmp_path)
    for given in toy.segments:
        row = table.loc[given["segment_id"]]
        assert row["target_train"] == bool(given["concepts"])
        assert row["target_test"] == ("Body" in given["concepts"])


def test_a_missing_shard_names_the_stage_to_run(toy, tmp_path):
    toy.write(tmp_path)
    (tmp_path / "data/features/video/f3.parquet").unlink()
    with pytest.raises(FeatureError, match=r"no video features of f3(.|\n)*dvc repro video@f3"):
        dataset(tmp_path)
    assert not (tmp_path / "data/datasets/toy-video").exists()


def test_a_shard_that_is_not_parquet_is_named(toy, tmp_path):
    toy.write(tmp_path)
    (tmp_path / "data/features/video/f3.parquet").write_bytes(b"half a file")
    with pytest.raises(FeatureError, match=r"video features of f3 cannot be read"):
        dataset(tmp_path)


def test_a_film_that_is_not_aligned_names_the_stage_to_run(toy, tmp_path):
    toy.write(tmp_path)
    path = tmp_path / "data/aligned/f2.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "corpora": {}}))
    with pytest.raises(AlignmentError, match=r"dvc repro align@f2"):
        dataset(tmp_path)
    path.unlink()
    with pytest.raises(TableError, match=r"f2.json does not exist"):
        dataset(tmp_path)


def test_shards_of_different_encoders_are_refused(toy, tmp_path):
    toy.write(tmp_path)
    spec = windows("video", 8)
    write_table(from_rows([], spec), spec, tmp_path / "data/features/video/f5.parquet")
    with pytest.raises(FeatureError, match=r"2 different encoders(.|\n)*video/f5.parquet"):
        dataset(tmp_path)


def test_an_unknown_annotator_is_refused_with_those_there_are(toy, tmp_path):
    toy.write(tmp_path)
    with pytest.raises(LearningError, match=r"no annotator bob(.|\n)*annotator1, annotator2"):
        dataset(tmp_path, train_annotators=("bob",))


def test_an_experiment_without_any_segment_says_why(toy, tmp_path):
    for given in toy.segments:
        given["label"] = "NS"
    toy.write(tmp_path)
    with pytest.raises(LearningError, match=r"No segment is left(.|\n)*'NS': 48"):
        dataset(tmp_path)


def test_several_modalities_have_the_windows_of_each_and_the_positives_of_all_and_of_each(
    toy, tmp_path
):
    toy.write(tmp_path)
    manifest = dataset(tmp_path, "video+text+audio")
    assert manifest.modalities == ("video", "text", "audio")
    assert set(manifest.shards) == {"video", "text", "audio"}
    together = samples(tmp_path, "toy-video+text+audio")
    columns = ["video_start", "video_stop"]
    dataset(tmp_path, "video")
    assert together[columns].equals(samples(tmp_path)[columns])
    for given in toy.segments:
        row, concepts = together.loc[given["segment_id"]], set(given["concepts"])
        positive = given["label"] != "EN"
        assert row["target_train"] == row["target_test"] == int(positive and bool(concepts))
        assert row["target_video"] == int(positive and "Body" in concepts)
        assert row["target_text"] == int(positive and "Speech" in concepts)
        assert row["target_audio"] == int(positive and "Soundtrack" in concepts)


def test_a_segment_without_one_of_the_modalities_is_dropped_with_the_reason(toy, tmp_path):
    toy.features["audio"]["f1"] = np.empty((0, 12), dtype=np.float32)
    toy.write(tmp_path)
    manifest = dataset(tmp_path, "video+audio")
    assert manifest.counts["dropped"] == {"film without sound": 8}
    assert "f1" not in manifest.films


def test_a_modality_that_is_not_used_has_no_targets(toy, tmp_path):
    toy.write(tmp_path)
    dataset(tmp_path, "video")
    assert set(samples(tmp_path)["target_text"]) == {-1}
