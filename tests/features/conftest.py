"""Tiny encoders, made once, and a film with a picture, a tone and a scene change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gazeline.features.fetching.fetch import fetch_encoder
from gazeline.params.encoders import EncoderParams
from gazeline.params.runtime import RuntimeParams
from media.clips import ffmpeg, tone, write_pictures, write_sound


@pytest.fixture(scope="session")
def encoders(tmp_path_factory) -> dict[str, Path]:
    """Return the folders of a tiny encoder per modality."""
    root = tmp_path_factory.mktemp("encoders")
    for modality in ("video", "audio", "text"):
        params = EncoderParams(modality=modality, source="tiny", seed=3)
        fetch_encoder(f"tiny-{modality}", params, root / f"tiny-{modality}")
    return {modality: root / f"tiny-{modality}" for modality in ("video", "audio", "text")}


@pytest.fixture(scope="session")
def film(tmp_path_factory) -> Path:
    """Return a film of 90 frames at 24000/1001 with a tone of 3.5 s."""
    root = tmp_path_factory.mktemp("film")
    rng = np.random.default_rng(5)
    pictures = np.repeat(rng.integers(0, 256, (6, 48, 64, 3), np.uint8), 15, axis=0)
    picture = write_pictures(root / "picture.mkv", pictures)
    sound = write_sound(root / "sound.wav", tone(3.5, 48_000), 48_000)
    path = root / "film.mkv"
    ffmpeg("-i", picture, "-i", sound, "-map", "0", "-map", "1", "-c", "copy", path)
    return path


@pytest.fixture
def cpu() -> RuntimeParams:
    return RuntimeParams(device="cpu", batch_size=4)
