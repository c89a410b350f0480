"""Sound is mono at 16 kHz, on the copy clock, unclipped, and the same in blocks as at once."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import resample_poly

from gazeline.errors import MediaError
from gazeline.media.probing.probe import probe
from gazeline.media.sounds.sound import RATE, SoundCounts, read_sound, sound_blocks
from media.clips import ffmpeg, ffprobe, tone, write_greys, write_sound

ITU_SUM = 2 + 2**0.5 + 2 * 2**-0.5
ITU = [1, 1, 2**0.5, 0, 2**-0.5, 2**-0.5]


def click(at_s: float, seconds: float, rate: int) -> np.ndarray:
    """Return silence with a 5-ms burst from `at_s` on."""
    samples = np.zeros((1, round(seconds * rate)))
    start = round(at_s * rate)
    samples[0, start : start + rate // 200] = 0.8
    return samples


def onset_s(samples: np.ndarray) -> float:
    return int(np.argmax(np.abs(samples) > 0.4)) / RATE


def test_samples_at_the_target_rate_pass_unchanged(tmp_path):
    samples = np.random.default_rng(0).uniform(-1, 1, (1, 40_000)).astype(np.float32)
    path = write_sound(tmp_path / "sound.wav", samples, RATE)
    assert np.array_equal(read_sound(probe(path)), samples[0])


@pytest.mark.parametrize(
    ("codec", "step"),
    [("pcm_u8", 2**-7), ("pcm_s16le", 2**-15), ("pcm_s24le", 2**-22), ("pcm_s32le", 2**-22)],
)
def test_every_sample_format_has_full_scale_one(tmp_path, codec, step):
    samples = tone(0.5, RATE, level=0.9).astype(np.float32)
    path = write_sound(tmp_path / "sound.wav", samples, RATE, "-c:a", codec)
    assert read_sound(probe(path)) == pytest.approx(samples[0], abs=step)


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000, 96_000])
def test_resampling_keeps_time_and_level_of_a_tone(tmp_path, rate):
    path = write_sound(tmp_path / "sound.wav", tone(2, rate), rate)
    samples = read_sound(probe(path))
    assert len(samples) == pytest.approx(2 * RATE, abs=2)
    middle = slice(2_000, -2_000)
    assert samples[: 2 * RATE][middle] == pytest.approx(tone(2, RATE)[0][middle], abs=1e-3)


def test_resampling_agrees_with_scipy(tmp_path):
    noise = np.random.default_rng(1).normal(0, 0.1, 96_000)
    smooth = np.convolve(noise, np.hanning(31) / 15, "same")[None].astype(np.float32)
    ours = read_sound(probe(write_sound(tmp_path / "sound.wav", smooth, 48_000)))
    theirs = resample_poly(smooth[0].astype(float), 1, 3)
    difference = ours[500:-500] - theirs[: len(ours)][500:-500]
    assert np.sqrt((difference**2).mean()) < 0.01 * np.sqrt((theirs**2).mean())


@pytest.mark.parametrize("rate", [16_000, 44_100])
@pytest.mark.parametrize("block", [777, 16_000, 1 << 20])
def test_blocks_of_any_size_hold_the_same_bits_as_one_go(tmp_path, rate, block):
    noise = np.random.default_rng(2).uniform(-1, 1, (2, 3 * rate))
    path = write_sound(tmp_path / "sound.wav", noise, rate, layout="stereo")
    blocks = list(sound_blocks(probe(path), block_samples=block))
    assert {len(b) for b in blocks[:-1]} <= {block}
    assert np.array_equal(np.concatenate(blocks), read_sound(probe(path)))


@pytest.mark.parametrize("channel", range(6))
def test_surround_is_mixed_by_the_weights_of_itu_bs775(tmp_path, channel):
    channels = np.zeros((6, 16_000))
    channels[channel] = tone(1, RATE, level=0.9)[0]
    path = write_sound(tmp_path / "sound.wav", channels, RATE, layout="5.1")
    expected = channels[channel] * ITU[channel] / ITU_SUM
    assert read_sound(probe(path)) == pytest.approx(expected, abs=1e-6)


def test_surround_at_full_scale_in_every_channel_does_not_clip(tmp_path):
    square = np.sign(tone(1, RATE)).repeat(6, axis=0)
    path = write_sound(tmp_path / "sound.wav", square, RATE, layout="5.1")
    samples = read_sound(probe(path))
    assert samples == pytest.approx(square[0], abs=1e-6)
    assert np.abs(samples).max() <= 1


def test_stereo_is_the_mean_of_both_sides(tmp_path):
    sides = np.stack([tone(1, RATE, 300)[0], tone(1, RATE, 700)[0]])
    path = write_sound(tmp_path / "sound.wav", sides, RATE, layout="stereo")
    assert read_sound(probe(path)) == pytest.approx(sides.mean(axis=0), abs=1e-6)


def film_with_sound(tmp_path, samples, rate, *options, offset_s=0.0, suffix="mkv"):
    """Write a film of 4 s whose sound starts `offset_s` after (or before) its picture."""
    picture = write_greys(
        tmp_path / "picture.mp4", 100, "25", codec=("-c:v", "libx264", "-pix_fmt", "yuv420p")
    )
    sound = write_sound(tmp_path / "sound.wav", samples, rate)
    path = tmp_path / f"film.{suffix}"
    inputs = ("-i", picture, "-itsoffset", str(offset_s), "-i", sound)
    codecs = options or ("-c:v", "copy", "-c:a", "flac")
    ffmpeg(*inputs, "-map", "0", "-map", "1", *codecs, path)
    return path


@pytest.mark.parametrize("suffix", ["mkv", "mp4"])
def test_sound_that_starts_late_is_padded_to_the_copy_clock(tmp_path, suffix):
    path = film_with_sound(tmp_path, click(1, 3, 44_100), 44_100, offset_s=0.5, suffix=suffix)
    counts = SoundCounts()
    samples = np.concatenate(list(sound_blocks(probe(path), counts=counts)))
    assert onset_s(samples) == pytest.approx(1.5, abs=0.001)
    assert counts.padded_s == pytest.approx(0.5, abs=0.002)


def test_sound_before_time_zero_is_cut(tmp_path):
    codecs = ("-c:v", "copy", "-c:a", "aac", "-b:a", "192k")
    path = film_with_sound(tmp_path, click(1, 3, 48_000), 48_000, *codecs, suffix="mp4")
    # The encoder's priming samples lie before time 0.
    assert onset_s(read_sound(probe(path))) == pytest.approx(1, abs=0.002)


def test_a_gap_in_the_time_stamps_is_silence_and_what_follows_stays_in_time(tmp_path):
    whole = film_with_sound(tmp_path, click(3, 4, 48_000), 48_000)
    path = tmp_path / "gap.mkv"
    drop = "noise=amount=0:drop='between(pts*tb,1,2)'"
    ffmpeg("-i", whole, "-map", "0", "-c", "copy", "-bsf:a", drop, path)
    counts = SoundCounts()
    samples = np.concatenate(list(sound_blocks(probe(path), counts=counts)))
    assert counts.padded_s == pytest.approx(1, abs=0.2)
    assert onset_s(samples) == pytest.approx(3, abs=0.002)


def test_a_broken_packet_costs_its_own_sound_and_what_follows_stays_in_time(tmp_path):
    codecs = ("-c:v", "copy", "-c:a", "aac", "-b:a", "96k")
    path = film_with_sound(tmp_path, click(3, 4, 48_000), 48_000, *codecs, suffix="mp4")
    whole = read_sound(probe(path))
    data = bytearray(path.read_bytes())
    for packet in ffprobe(path, "a:0", "packet=pos,size")[50:55]:
        start, size = int(packet["pos"]), int(packet["size"])
        data[start : start + size] = b"\xff" * size
    path.write_bytes(data)
    counts = SoundCounts()
    samples = np.concatenate(list(sound_blocks(probe(path), counts=counts)))
    assert 1 <= counts.broken_packets <= 5
    assert len(samples) == pytest.approx(len(whole), abs=RATE // 40)
    assert onset_s(samples) == pytest.approx(onset_s(whole), abs=0.03)


def test_transport_stream_sound_and_picture_share_zero(tmp_path):
    codecs = ("-c:v", "copy", "-c:a", "mp2", "-b:a", "192k")
    path = film_with_sound(tmp_path, click(1, 3, 48_000), 48_000, *codecs, suffix="ts")
    assert probe(path).origin_s > 0
    assert onset_s(read_sound(probe(path))) == pytest.approx(1, abs=0.04)


def test_sound_stops_at_the_share_asked_for(tmp_path):
    path = write_sound(tmp_path / "sound.wav", tone(3, 44_100), 44_100)
    part = read_sound(probe(path), stop_s=1.25)
    assert len(part) == 20_000
    assert np.array_equal(part, read_sound(probe(path))[:20_000])


def test_a_film_without_sound_gives_nothing(tmp_path):
    path = write_greys(tmp_path / "film.mkv", 5, "25")
    assert read_sound(probe(path)) is None
    assert list(sound_blocks(probe(path))) == []


def test_sound_that_cannot_be_decoded_is_an_error_and_not_silence(shared):
    info = probe(shared / "media" / "axm_sample_missing_stsd.mp4")
    with pytest.raises(MediaError, match=r"The sound of axm_sample_missing_stsd\.mp4 cannot be"):
        read_sound(info)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_samples_that_are_no_numbers_are_refused_with_their_time(tmp_path, bad):
    samples = tone(2, 16_000)
    samples[0, 16_000:17_000] = bad
    path = write_sound(tmp_path / "sound.mkv", samples, 16_000)
    with pytest.raises(MediaError, match="no numbers") as caught:
        read_sound(probe(path))
    assert "stream 0 (pcm_f32le), in the frame at 0.9" in caught.value.where
