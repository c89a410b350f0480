"""Audio shards: chunks on the copy clock, filter banks as Hugging Face's, one pass for all."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path

import librosa
import numpy as np
import pytest
import torch

from gazeline.errors import EncoderError, MediaError, TableError
from gazeline.features.audio.acoustic import AcousticSeries
from gazeline.features.audio.encoder import load_audio_encoder, read_audio_input
from gazeline.features.audio.extract import AudioShards, extract_audio
from gazeline.features.audio.fbank import FilterBank, n_fbank_frames
from gazeline.media.probing.probe import probe
from gazeline.media.sounds.sound import RATE, read_sound
from gazeline.params.features import AudioParams
from gazeline.schema.features import ACOUSTIC, unpack, windows
from gazeline.tables import read_frame, read_metadata, read_table
from media.clips import ffmpeg, tone, write_greys, write_sound


@pytest.fixture
def out(tmp_path) -> AudioShards:
    return AudioShards(tmp_path / "audio" / "x.parquet", tmp_path / "acoustic" / "x.parquet")


def embeddings_of(path: Path) -> np.ndarray:
    return unpack(read_table(path, windows("audio", 64)).column("embedding"))


def noise(seconds: float, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-0.5, 0.5, round(seconds * RATE)).astype(np.float32)


def test_chunks_tile_the_copy_clock_and_a_short_last_one_is_marked(film, encoders, cpu, out):
    report = extract_audio(film, encoders["audio"], AudioParams(), cpu, 1.0, out)
    table = read_frame(out.embeddings, windows("audio", 64))
    assert report.n_chunks == len(table) == 2
    assert table.start_s.tolist() == [0.0, 2.0]
    assert table.end_s.tolist() == pytest.approx([2.0, 3.5], abs=1e-3)
    assert table.complete.tolist() == [True, False]
    metadata = read_metadata(out.embeddings)
    assert (metadata["has_sound"], metadata["rate"]) == ("yes", "16000")
    assert metadata["fbank"].startswith("numpy")


@pytest.mark.parametrize("bins", [64, 128])
def test_filter_banks_are_those_of_the_hugging_face_extractor(bins):
    from transformers.models.audio_spectrogram_transformer import (
        feature_extraction_audio_spectrogram_transformer as extraction,
    )

    sound = noise(1.7) + tone(1.7, RATE, 1_000, 0.3)[0].astype(np.float32)
    extractor = extraction.ASTFeatureExtractor(num_mel_bins=bins, do_normalize=False)
    theirs = extractor(sound, sampling_rate=RATE, return_tensors="np")["input_values"][0]
    n_frames = n_fbank_frames(len(sound))
    assert FilterBank(bins)(sound[None])[0] == pytest.approx(theirs[:n_frames], abs=1e-4)
    assert not theirs[n_frames:].any()


def test_features_and_embeddings_are_those_of_transformers(encoders):
    from transformers import AutoFeatureExtractor, AutoModel

    chunks = [noise(2.0), noise(1.1, 1), np.zeros(32_000, np.float32)]
    extractor = AutoFeatureExtractor.from_pretrained(encoders["audio"])
    theirs = extractor(chunks, sampling_rate=RATE, return_tensors="pt")["input_values"]
    encoder = load_audio_encoder(encoders["audio"], torch.device("cpu"))
    assert encoder.input.features(chunks) == pytest.approx(theirs.numpy(), abs=1e-4)
    expected = AutoModel.from_pretrained(encoders["audio"])(theirs).pooler_output.detach().numpy()
    assert encoder.encode(chunks) == pytest.approx(expected, abs=1e-3)


def test_each_chunk_is_encoded_from_its_own_two_seconds(film, encoders, cpu, out):
    extract_audio(film, encoders["audio"], AudioParams(), cpu, 1.0, out)
    sound = read_sound(probe(film))
    encoder = load_audio_encoder(encoders["audio"], torch.device("cpu"))
    expected = encoder.encode([sound[:32_000], sound[32_000:]])
    assert embeddings_of(out.embeddings) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "sound",
    [
        np.zeros((2, 32_000), np.float32),
        np.zeros(32_000, np.int16),
        np.zeros(32_000, np.float64),
        np.full(32_000, 1.5, np.float32),
    ],
)
def test_stereo_integers_and_overdriven_sound_never_reach_the_model(encoders, sound):
    audio_input, _ = read_audio_input(encoders["audio"])
    with pytest.raises(EncoderError, match=r"not mono float32|beyond full scale"):
        audio_input.features([sound])


@pytest.mark.parametrize("block", [1, 500, 2_048, 2_049, 5_000, 40_000])
def test_acoustic_series_in_blocks_are_those_of_librosa_on_the_whole(block):
    params = AudioParams(frame_length=1_024, hop_length=300)
    sound = noise(1.0) * np.linspace(0, 1, RATE, dtype=np.float32)
    sound = sound[:4_000] if block == 1 else sound
    series = AcousticSeries(params)
    for start in range(0, len(sound), block):
        series.feed(sound[start : start + block])
    table = series.table().to_pandas()
    frames = {"frame_length": 1_024, "hop_length": 300, "center": False}
    zcr = librosa.feature.zero_crossing_rate(sound, **frames)[0]
    rms = librosa.feature.rms(y=sound, **frames)[0]
    bandwidth = librosa.feature.spectral_bandwidth(
        y=sound, sr=RATE, n_fft=1_024, hop_length=300, center=False
    )[0]
    assert table.zcr.to_numpy() == pytest.approx(zcr, rel=1e-6)
    assert table.rms.to_numpy() == pytest.approx(rms, rel=1e-5)
    assert table.bandwidth_hz.to_numpy() == pytest.approx(bandwidth, rel=1e-5)


def test_the_acoustic_series_of_a_tone_is_what_can_be_reckoned(film, encoders, cpu, out):
    extract_audio(film, encoders["audio"], AudioParams(), cpu, 1.0, out)
    table = read_frame(out.acoustic, ACOUSTIC)
    assert len(table) == 1 + (56_000 - 2_048) // 512
    assert table.time_s[0] == pytest.approx(1_024 / RATE)
    assert np.diff(table.time_s) == pytest.approx(np.full(len(table) - 1, 512 / RATE))
    # 440 Hz at level 0.5: two crossings a period, root mean square 0.5 / sqrt 2.
    middle = table[2:-2]
    assert middle.zcr.mean() == pytest.approx(2 * 440 / RATE, rel=0.02)
    assert middle.rms.mean() == pytest.approx(0.5 / 2**0.5, rel=0.001)
    assert not table.isna().any().any()


def test_silence_has_no_undefined_values(encoders, cpu, out, tmp_path):
    film = write_sound(tmp_path / "silence.wav", np.zeros((1, 3 * RATE)), RATE)
    extract_audio(film, encoders["audio"], AudioParams(), cpu, 1.0, out)
    acoustic = read_frame(out.acoustic, ACOUSTIC)
    assert len(acoustic)
    assert not acoustic.isna().any().any()
    assert (acoustic[["zcr", "bandwidth_hz", "rms"]] == 0).all().all()
    assert np.isfinite(embeddings_of(out.embeddings)).all()


def test_a_film_without_sound_gives_empty_shards_that_say_so(encoders, cpu, out, tmp_path):
    film = write_greys(tmp_path / "silent.mkv", 30, "25")
    report = extract_audio(film, encoders["audio"], AudioParams(), cpu, 1.0, out)
    assert report.sentence() == "NO SOUND: both shards are empty"
    assert len(read_frame(out.embeddings, windows("audio", 64))) == 0
    assert len(read_frame(out.acoustic, ACOUSTIC)) == 0
    for path in (out.embeddings, out.acoustic):
        assert read_metadata(path)["has_sound"] == "no"


def test_the_same_film_gives_the_same_bytes_and_the_batch_does_not_touch_the_series(
    film, encoders, cpu, tmp_path
):
    made = []
    for index, batch in enumerate((4, 4, 1)):
        shards = AudioShards(tmp_path / f"{index}.parquet", tmp_path / f"{index}.acoustic")
        runtime = cpu.model_copy(update={"batch_size": batch})
        extract_audio(film, encoders["audio"], AudioParams(), runtime, 1.0, shards)
        made.append((shards.embeddings.read_bytes(), shards.acoustic.read_bytes()))
    assert made[0] == made[1]
    assert made[0][1] == made[2][1]


def test_sound_that_stops_half_way_is_an_error_unless_allowed(encoders, cpu, out, tmp_path):
    sound = write_sound(tmp_path / "whole.mkv", noise(8)[None], RATE, "-c:a", "flac")
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(sound.read_bytes()[: sound.stat().st_size // 2])
    with pytest.raises(
        MediaError, match=r"cut\.mkv stops decoding after [34]\.\d of 8\.0 s"
    ) as caught:
        extract_audio(cut, encoders["audio"], AudioParams(), cpu, 1.0, out)
    assert "features.audio.min_decoded" in caught.value.todo
    assert not out.embeddings.exists()
    report = extract_audio(cut, encoders["audio"], AudioParams(min_decoded=0.3), cpu, 1.0, out)
    assert report.n_chunks == 2
    assert extract_audio(sound, encoders["audio"], AudioParams(), cpu, 0.5, out).n_chunks == 2


def test_sound_shorter_than_the_picture_is_whole(encoders, cpu, out, tmp_path):
    picture = write_greys(tmp_path / "picture.mkv", 200, "25")
    sound = write_sound(tmp_path / "sound.wav", tone(2.5, RATE), RATE)
    film = tmp_path / "film.mkv"
    ffmpeg("-i", picture, "-i", sound, "-map", "0", "-map", "1", "-c:a", "flac", film)
    assert extract_audio(film, encoders["audio"], AudioParams(), cpu, 1.0, out).n_chunks == 2


def test_a_share_gives_the_first_chunks(encoders, cpu, out, tmp_path):
    film = write_sound(tmp_path / "tone.wav", tone(8, RATE), RATE)
    assert extract_audio(film, encoders["audio"], AudioParams(), cpu, 0.5, out).n_chunks == 2


def test_a_rest_under_25_ms_is_left_out(encoders, cpu, out, tmp_path):
    film = write_sound(tmp_path / "tone.wav", tone(2.02, RATE), RATE)
    assert extract_audio(film, encoders["audio"], AudioParams(), cpu, 1.0, out).n_chunks == 1


def test_chunks_longer_than_the_encoder_takes_are_an_error(film, encoders, cpu, out):
    with pytest.raises(EncoderError, match="A chunk of 3 s is longer than encoder tiny-audio"):
        extract_audio(film, encoders["audio"], AudioParams(chunk_s=3), cpu, 1.0, out)
    assert not out.embeddings.parent.exists()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"sampling_rate": 48_000}, "takes sound at 48000 Hz, not 16000"),
        ({"max_length": 1_024}, "takes max_length 208, its processor makes 1024"),
    ],
)
def test_an_unsuitable_encoder_is_refused(encoders, tmp_path, change, what):
    folder = tmp_path / "changed"
    shutil.copytree(encoders["audio"], folder)
    path = folder / "preprocessor_config.json"
    settings = json.loads(path.read_text(encoding="utf-8")) | change
    path.write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(EncoderError, match=what):
        read_audio_input(folder)


def test_a_classifier_checkpoint_as_published_is_read_without_its_head(encoders, tmp_path):
    from transformers import ASTConfig, ASTForAudioClassification

    config = ASTConfig.from_pretrained(encoders["audio"], num_labels=5)
    ASTForAudioClassification(config).save_pretrained(tmp_path / "published")
    shutil.copy(encoders["audio"] / "preprocessor_config.json", tmp_path / "published")
    encoder = load_audio_encoder(tmp_path / "published", torch.device("cpu"))
    assert encoder.encode([noise(2.0)]).shape == (1, 64)


def test_a_full_disk_leaves_neither_shard(film, encoders, cpu, out, monkeypatch):
    real = __import__("gazeline.tables", fromlist=["pq"]).pq.write_table

    def full_at_the_second(table, path, **options):
        if "acoustic" in str(path):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(table, path, **options)

    monkeypatch.setattr("gazeline.tables.pq.write_table", full_at_the_second)
    with pytest.raises(TableError, match="The disk is full"):
        extract_audio(film, encoders["audio"], AudioParams(), cpu, 1.0, out)
    left = [p for p in Path(out.embeddings).parents[1].rglob("*") if p.is_file()]
    assert left == []
