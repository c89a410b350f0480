"""Video shards: true times, preprocessing as Hugging Face's, errors before anything is written."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import load_file, save_file

from gazeline.errors import EncoderError, MediaError, TableError
from gazeline.features.common.shards import Times, write_windows
from gazeline.features.video.encoder import load_video_encoder, read_video_input
from gazeline.features.video.extract import extract_video
from gazeline.media.pictures.frames import read_frames
from gazeline.media.pictures.geometry import PictureSpec
from gazeline.media.probing.probe import probe
from gazeline.params.features import VideoParams
from gazeline.schema.features import unpack, windows
from gazeline.tables import read_frame, read_metadata, read_table
from media.clips import probed_times, write_greys

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def encoder(encoders):
    return load_video_encoder(encoders["video"], CPU)


def shard(path: Path):
    return read_frame(path, windows("video", 64))


def embeddings_of(path: Path) -> np.ndarray:
    return unpack(read_table(path, windows("video", 64)).column("embedding"))


def test_windows_have_the_times_of_their_frames(film, encoders, cpu, tmp_path):
    out = tmp_path / "film.parquet"
    report = extract_video(film, encoders["video"], VideoParams(), cpu, 1.0, out)
    times = probed_times(film)
    table = shard(out)
    assert report.n_windows == len(table) == 90 // 16
    assert table.start_s.to_numpy() == pytest.approx(times[0:80:16], abs=1e-6)
    assert table.end_s.to_numpy() == pytest.approx(times[16:96:16], abs=1e-6)
    assert table.complete.all()
    metadata = read_metadata(out)
    assert metadata["fps"] == "24000/1001"
    assert float(metadata["fps_measured"]) == pytest.approx(24000 / 1001, abs=0.01)
    assert (metadata["frames_decoded"], metadata["width"]) == ("90", "64")
    assert metadata["encoder"] == "tiny-video"


def test_plain_pandas_and_a_line_of_numpy_read_a_shard(film, encoders, cpu, tmp_path):
    out = tmp_path / "film.parquet"
    extract_video(film, encoders["video"], VideoParams(), cpu, 1.0, out)
    frame = pd.read_parquet(out)
    embeddings = np.frombuffer(b"".join(frame.embedding), "<f4").reshape(len(frame), -1)
    assert np.array_equal(embeddings, embeddings_of(out))


def test_a_long_shard_has_row_groups_that_can_be_read_alone(tmp_path):
    embeddings = np.random.default_rng(0).normal(size=(5_000, 4)).astype(np.float32)
    times = [Times(n, float(n), n + 1.0, True) for n in range(5_000)]
    write_windows("video", times, embeddings, {}, tmp_path / "x.parquet")
    file = pq.ParquetFile(tmp_path / "x.parquet")
    assert file.num_row_groups == 3
    part = unpack(file.read_row_group(1).column("embedding"))
    assert np.array_equal(part, embeddings[2_048:4_096])
    whole = read_table(tmp_path / "x.parquet", windows("video", 4)).column("embedding")
    assert np.array_equal(unpack(whole), embeddings)
    assert np.array_equal(unpack(whole[3_000:4_500]), embeddings[3_000:4_500])


def test_the_last_window_can_be_kept_and_is_marked(film, encoders, cpu, tmp_path):
    out = tmp_path / "film.parquet"
    extract_video(film, encoders["video"], VideoParams(partial="repeat"), cpu, 1.0, out)
    assert shard(out).complete.tolist() == [True] * 5 + [False]


def test_the_same_film_gives_the_same_bytes(film, encoders, cpu, tmp_path):
    outs = [tmp_path / f"{n}.parquet" for n in range(2)]
    for out in outs:
        extract_video(film, encoders["video"], VideoParams(), cpu, 1.0, out)
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_the_batch_size_changes_nothing_that_matters(film, encoders, cpu, tmp_path):
    tables = []
    for size in (1, 4, 64):
        runtime = cpu.model_copy(update={"batch_size": size})
        extract_video(film, encoders["video"], VideoParams(), runtime, 1.0, tmp_path / "x.parquet")
        tables.append(embeddings_of(tmp_path / "x.parquet"))
    assert np.abs(tables[0] - tables[1]).max() < 1e-5
    assert np.abs(tables[0] - tables[2]).max() < 1e-5


def test_a_share_gives_the_first_windows_of_the_whole(film, encoders, cpu, tmp_path):
    for share in (1.0, 0.5):
        out = tmp_path / f"{share}.parquet"
        extract_video(film, encoders["video"], VideoParams(), cpu, share, out)
    part, whole = shard(tmp_path / "0.5.parquet"), shard(tmp_path / "1.0.parquet")
    assert len(part) == 2
    assert part.start_s.tolist() == whole.start_s[:2].tolist()


def test_a_film_shorter_than_a_window_gives_an_empty_shard_and_says_so(encoders, cpu, tmp_path):
    film = write_greys(tmp_path / "short.mkv", 15, "25")
    report = extract_video(film, encoders["video"], VideoParams(), cpu, 1.0, tmp_path / "x.parquet")
    assert len(shard(tmp_path / "x.parquet")) == 0
    assert "SHORTER THAN ONE WINDOW" in report.sentence()


def test_different_scenes_get_different_embeddings(film, encoders, cpu, tmp_path):
    extract_video(film, encoders["video"], VideoParams(), cpu, 1.0, tmp_path / "x.parquet")
    embeddings = embeddings_of(tmp_path / "x.parquet")
    distances = np.linalg.norm(embeddings[:, None] - embeddings[None], axis=-1)
    assert distances[~np.eye(5, dtype=bool)].min() > 0.1


def hugging_face(folder: Path, pictures: list[np.ndarray]) -> np.ndarray:
    """Return the pixel values of one window by the image processor in `folder`."""
    from transformers.models.videomae.image_processing_pil_videomae import (
        VideoMAEImageProcessorPil,
    )

    processor = VideoMAEImageProcessorPil.from_pretrained(folder)
    return processor(pictures, return_tensors="np")["pixel_values"]


def test_normalisation_is_that_of_the_hugging_face_processor(encoder, encoders):
    pictures = np.random.default_rng(0).integers(0, 256, (16, 32, 32, 3), np.uint8)
    ours = encoder.input.tensor(torch.from_numpy(pictures)[None]).numpy()
    assert ours == pytest.approx(hugging_face(encoders["video"], list(pictures)), abs=1e-5)


def smooth_pictures() -> np.ndarray:
    """Return 16 colourful pictures of 90 x 160, as smooth as photographs, each a bit moved."""
    y, x = np.mgrid[0:90, 0:160]
    waves = [np.sin(x / a + y / b + c) for a, b, c in ((9, 17, 0), (13, 7, 1), (21, 11, 2))]
    picture = np.stack(waves, axis=-1) * 110 + 128
    return np.stack([np.roll(picture, 3 * n, axis=1) for n in range(16)]).astype(np.uint8)


@pytest.mark.parametrize("resample", [2, 3])
def test_scaled_pictures_are_those_of_the_processor_within_a_grey_level(
    encoders, tmp_path, resample
):
    from media.clips import write_pictures

    folder = tmp_path / "encoder"
    shutil.copytree(encoders["video"], folder)
    settings = json.loads((folder / "preprocessor_config.json").read_text(encoding="utf-8"))
    settings["resample"] = resample
    (folder / "preprocessor_config.json").write_text(json.dumps(settings), encoding="utf-8")
    video_input, _ = read_video_input(folder)
    film = write_pictures(tmp_path / "film.mkv", smooth_pictures(), "25")
    ours = np.stack([f.pixels for f in read_frames(probe(film), video_input.picture)])
    theirs = hugging_face(folder, list(smooth_pictures()))[0].transpose(0, 2, 3, 1)
    levels = (theirs * np.array(video_input.std) + np.array(video_input.mean)) * 255
    # swscale and Pillow round and weigh edges differently: one level on average, no more.
    assert np.abs(ours - levels).mean() < 1
    assert np.abs(ours - levels).max() < 10


def test_embeddings_are_those_of_the_processor_and_model_of_transformers(
    encoder, encoders, film, tmp_path
):
    from transformers import AutoModel

    model = AutoModel.from_pretrained(encoders["video"])
    full = read_frames(probe(film), PictureSpec(height=48, width=64), stop_s=0.66)
    pictures = [f.pixels for f in full]
    theirs = model.get_video_features(
        torch.from_numpy(hugging_face(encoders["video"], pictures))
    ).pooler_output
    ours = encoder.encode(
        np.stack([f.pixels for f in read_frames(probe(film), encoder.input.picture, stop_s=0.66)])[
            None
        ]
    )
    similarity = np.corrcoef(ours[0], theirs.detach().numpy()[0])[0, 1]
    assert len(pictures) == 16
    assert similarity > 0.999


def test_another_number_of_frames_than_the_model_takes_is_an_error(film, encoders, cpu, tmp_path):
    params = VideoParams(window_frames=8, stride_frames=8)
    with pytest.raises(EncoderError, match="takes windows of 16 frames, not 8") as caught:
        extract_video(film, encoders["video"], params, cpu, 1.0, tmp_path / "x.parquet")
    assert caught.value.todo.startswith("set it to 16")


@pytest.mark.parametrize("shape", [(2, 8, 32, 32, 3), (1, 16, 24, 32, 3), (1, 16, 32, 32, 4)])
def test_windows_of_another_shape_never_reach_the_model(encoder, shape):
    with pytest.raises(EncoderError, match=r"not \(16, 32, 32, 3\) uint8"):
        encoder.encode(np.zeros(shape, np.uint8))


def changed(encoders, tmp_path, name: str, change) -> Path:
    folder = tmp_path / "changed"
    shutil.copytree(encoders["video"], folder)
    settings = json.loads((folder / name).read_text(encoding="utf-8"))
    change(settings)
    (folder / name).write_text(json.dumps(settings), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        ("config.json", lambda s: s.update(model_type="clip"), "is of type clip, not xclip"),
        (
            "preprocessor_config.json",
            lambda s: s.update(crop_size={"height": 24, "width": 24}),
            r"takes pictures of \(32, 32\), its processor makes \(24, 24\)",
        ),
        (
            "preprocessor_config.json",
            lambda s: s.update(size={"longest_edge": 9}),
            "cannot be followed",
        ),
    ],
)
def test_an_unsuitable_encoder_is_refused(encoders, tmp_path, name, change, what):
    with pytest.raises(EncoderError, match=what):
        read_video_input(changed(encoders, tmp_path, name, change))


def test_weights_that_leave_a_part_at_random_are_refused(encoders, tmp_path):
    folder = tmp_path / "partial"
    shutil.copytree(encoders["video"], folder)
    tensors = load_file(folder / "model.safetensors")
    tensors.pop("visual_projection.weight")
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(EncoderError, match="lacks 1 weights, e.g. visual_projection.weight"):
        load_video_encoder(folder, CPU)


def test_damaged_weights_are_one_clear_error(encoders, tmp_path):
    folder = tmp_path / "damaged"
    shutil.copytree(encoders["video"], folder)
    (folder / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(EncoderError, match="Encoder damaged cannot be loaded"):
        load_video_encoder(folder, CPU)


def test_bad_input_leaves_nothing_behind(encoders, cpu, tmp_path, film):
    text = tmp_path / "notes.mkv"
    text.write_text("no film", encoding="utf-8")
    out = tmp_path / "out" / "x.parquet"
    with pytest.raises(MediaError, match=r"notes\.mkv is not a film"):
        extract_video(text, encoders["video"], VideoParams(), cpu, 1.0, out)
    with pytest.raises(EncoderError, match="Encoder gone is not there"):
        extract_video(film, tmp_path / "gone", VideoParams(), cpu, 1.0, out)
    assert not out.parent.exists()


def test_a_full_disk_leaves_no_shard(film, encoders, cpu, tmp_path, monkeypatch):
    def full(table, path, **options):
        Path(path).write_bytes(b"PAR1 half a shard")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("gazeline.tables.pq.write_table", full)
    out = tmp_path / "out" / "film.parquet"
    with pytest.raises(TableError, match=r"The disk is full: film\.parquet was not written"):
        extract_video(film, encoders["video"], VideoParams(), cpu, 1.0, out)
    assert list(out.parent.iterdir()) == []


def test_a_copy_that_stops_decoding_half_way_is_an_error_unless_allowed(encoders, cpu, tmp_path):
    whole = write_greys(tmp_path / "whole.mkv", 200, "25")
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    out = tmp_path / "x.parquet"
    with pytest.raises(MediaError, match=r"cut\.mkv stops decoding after 3\.9 of 8\.0 s"):
        extract_video(cut, encoders["video"], VideoParams(), cpu, 1.0, out)
    assert not out.exists()
    report = extract_video(cut, encoders["video"], VideoParams(min_decoded=0.4), cpu, 1.0, out)
    assert report.n_windows == len(shard(out)) == report.counts.frames // 16
