"""Films made by ffmpeg and an encoder that does nothing, for the benchmarks of features."""

from __future__ import annotations

import json
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import numpy as np
import torch

from gazeline.features.video.encoder import VideoInput
from gazeline.media.pictures.geometry import PictureSpec
from gazeline.media.probing.binaries import find_binaries

CLIP_MEAN, CLIP_STD = (0.481, 0.458, 0.408), (0.269, 0.261, 0.276)
X_CLIP = VideoInput(
    n_frames=16,
    size=(224, 224),
    picture=PictureSpec(shortest_edge=224, crop=(224, 224)),
    scale=1 / 255,
    mean=CLIP_MEAN,
    std=CLIP_STD,
)


@dataclass
class NoEncoder:
    """Takes what X-CLIP takes and gives zeros of its width without looking."""

    input: VideoInput = X_CLIP
    width: int = 512
    bf16: bool = False
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))

    def stage(self, windows: np.ndarray) -> torch.Tensor:
        """Hand windows on."""
        return torch.from_numpy(windows)

    def encode_staged(self, windows: torch.Tensor) -> np.ndarray:
        """Return zeros [batch, width]."""
        return np.zeros((len(windows), self.width), np.float32)

    def forward(self, pixels: torch.Tensor) -> None:
        """Do nothing."""


@dataclass
class NoSoundEncoder:
    """Takes chunks of sound and gives zeros of AST's width without looking."""

    width: int = 768

    def stage(self, chunks: list[np.ndarray]) -> torch.Tensor:
        """Return room for the filter banks of the chunks."""
        return torch.zeros(len(chunks), 1024, 128)

    def encode_staged(self, banks: torch.Tensor) -> np.ndarray:
        """Return zeros [batch, width]."""
        return np.zeros((len(banks), self.width), np.float32)

    def check_chunk(self, name: str, n_samples: int) -> None:
        """Take any length."""


@dataclass(frozen=True)
class Cost:
    """Seconds of the clock, and of all processors, of this process and its children."""

    wall_s: float
    cpu_s: float


def cost(work: Callable[[], object]) -> Cost:
    """Return what some work takes."""
    start, cpu = time.perf_counter(), _cpu_seconds()
    work()
    return Cost(time.perf_counter() - start, _cpu_seconds() - cpu)


def _cpu_seconds() -> float:
    """Return the processor time so far."""
    users = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, users))


@contextmanager
def no_sound_encoder(encoder: NoSoundEncoder) -> Iterator[None]:
    """Let `extract_audio` load an encoder that does nothing, from any folder."""
    where = "gazeline.features.audio"
    with (
        mock.patch(f"{where}.extract.read_audio_input", return_value=(encoder, encoder.width)),
        mock.patch(f"{where}.extract.load_audio_encoder", return_value=encoder),
        mock.patch(f"{where}.extract.provenance", return_value={}),
    ):
        yield


@contextmanager
def no_encoder(encoder: NoEncoder) -> Iterator[None]:
    """Let `extract_video` load an encoder that does nothing, from any folder."""
    where = "gazeline.features.video"
    with (
        mock.patch(f"{where}.extract.check_window"),
        mock.patch(f"{where}.extract.load_video_encoder", return_value=encoder),
        mock.patch(f"{where}.extract.provenance", return_value={}),
    ):
        yield


def make_film(path: Path, height: int, seconds: float, sound: bool = False) -> Path:
    """Write a film of moving pictures with noise, 16:9, 24000/1001 frames a second, H.264."""
    width = height * 16 // 9 // 2 * 2
    source = f"testsrc2=size={width}x{height}:rate=24000/1001:duration={seconds}"
    command = [find_binaries().ffmpeg, "-v", "error", "-y", "-f", "lavfi", "-i", source]
    if sound:
        command += ["-f", "lavfi", "-i", f"anoisesrc=r=48000:a=0.1:d={seconds}", "-ac", "2"]
    command += ["-vf", "noise=alls=8:allf=t", "-c:v", "libx264", "-preset", "veryfast"]
    command += ["-pix_fmt", "yuv420p", "-c:a", "aac", str(path)]
    subprocess.run(command, check=True)
    return path


def make_x_clip(folder: Path) -> Path:
    """Write X-CLIP base/32 for 16 frames with random weights in Hugging Face format."""
    from transformers import XCLIPConfig, XCLIPModel

    config = XCLIPConfig(vision_config={"num_frames": 16})
    torch.manual_seed(0)
    XCLIPModel(config).save_pretrained(folder)
    processor = {
        "size": {"shortest_edge": 224},
        "crop_size": {"height": 224, "width": 224},
        "resample": 3,
        "image_mean": CLIP_MEAN,
        "image_std": CLIP_STD,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(processor), encoding="utf-8")
    return folder


def difference(made: np.ndarray, exact: np.ndarray) -> str:
    """Say how far features [n, width] are from exact ones."""
    norms = np.linalg.norm(made, axis=1) * np.linalg.norm(exact, axis=1)
    cosine = (made * exact).sum(axis=1) / norms
    relative = np.linalg.norm(made - exact, axis=1) / np.linalg.norm(exact, axis=1)
    return f"to fp32: least cosine {cosine.min():.5f}, most relative error {relative.max():.4f}"
