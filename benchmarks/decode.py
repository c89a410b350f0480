"""Frames per second through our path, against bare ffmpeg and against a per-frame loop.

A synthetic film is made by ffmpeg (H.264, moving test pictures and noise). Three ways, in turns,
medians of several runs on the same file:

- ours: `extract_video` with an encoder that does nothing, all the way to the written shard;
- ffmpeg: `ffmpeg -f null` with the same decoder threads, scaling, flags and pixel format;
- the loop: what video_features does: re-encode the whole file to the frame rate asked for, then
  read frame by frame and preprocess each one by Pillow and torch, in Python.

    python benchmarks/decode.py [--height 1080] [--seconds 10] [--runs 5]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import torch
from PIL import Image

from gazeline.features.video.extract import extract_video
from gazeline.media.pictures.geometry import plan_geometry
from gazeline.media.probing.binaries import find_binaries
from gazeline.media.probing.probe import probe
from gazeline.params.features import VideoParams
from gazeline.params.runtime import RuntimeParams
from synthetic import Cost, NoEncoder, cost, make_film, no_encoder

FLAGS = "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"


def ours(film: Path, encoder: NoEncoder, root: Path) -> None:
    """Extract with an encoder that does nothing."""
    runtime = RuntimeParams(device="cpu")
    with no_encoder(encoder):
        extract_video(film, root, VideoParams(), runtime, 1.0, root / "shard.parquet")


def bare_ffmpeg(film: Path, encoder: NoEncoder) -> None:
    """Decode and scale with ffmpeg alone."""
    plan = plan_geometry(probe(film).video, encoder.input.picture)
    scale = f"scale={plan.scaled_width}:{plan.scaled_height}:flags={FLAGS}"
    chain = f"{scale},format=rgb24,crop={plan.width}:{plan.height}:{plan.left}:{plan.top}"
    command = [find_binaries().ffmpeg, "-v", "error", "-i", film, "-an", "-vf", chain]
    subprocess.run([*command, "-f", "null", "-"], check=True)


def per_frame_loop(film: Path, encoder: NoEncoder, root: Path) -> None:
    """Re-encode the file, then preprocess frame by frame."""
    again = root / "again.mp4"
    rate = ["-filter:v", "fps=fps=24000/1001"]
    command = [find_binaries().ffmpeg, "-v", "error", "-y", "-i", film, *rate, again]
    subprocess.run(command, check=True)
    mean = torch.tensor(encoder.input.mean).view(3, 1, 1)
    std = torch.tensor(encoder.input.std).view(3, 1, 1)
    edge = encoder.input.picture.shortest_edge or 224
    window: list[torch.Tensor] = []
    with av.open(str(again)) as container:
        for frame in container.decode(video=0):
            picture = Image.fromarray(frame.to_ndarray(format="rgb24"))
            width, height = picture.size
            size = (int(edge * width / height), edge)
            picture = picture.resize(size, Image.Resampling.BICUBIC)
            left = (picture.width - edge) // 2
            picture = picture.crop((left, 0, left + edge, edge))
            tensor = torch.from_numpy(np.array(picture)).permute(2, 0, 1).float() / 255
            window.append((tensor - mean) / std)
            if len(window) == encoder.input.n_frames:
                encoder.forward(torch.stack(window)[None])
                window = []


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--height", type=int, default=1080)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    encoder = NoEncoder()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        film = make_film(root / "film.mp4", arguments.height, arguments.seconds)
        n_frames = probe(film).video.n_frames
        ways: dict[str, Callable[[], None]] = {
            "ours": lambda: ours(film, encoder, root),
            "ffmpeg": lambda: bare_ffmpeg(film, encoder),
        }
        ours(film, encoder, root)
        taken: dict[str, list[Cost]] = {name: [] for name in ways}
        for _ in range(arguments.runs):
            for name, way in ways.items():
                taken[name].append(cost(way))
        taken["loop"] = [cost(lambda: per_frame_loop(film, encoder, root))]
    rate = {
        name: n_frames / statistics.median(c.wall_s for c in costs) for name, costs in taken.items()
    }
    pairs = list(zip(taken["ours"], taken["ffmpeg"], strict=True))
    against = statistics.median(theirs.wall_s / mine.wall_s for mine, theirs in pairs)
    processor = statistics.median(theirs.cpu_s / mine.cpu_s for mine, theirs in pairs)
    print(
        f"{n_frames} frames of {arguments.height} lines: ours {rate['ours']:.0f} frames/s, "
        f"ffmpeg {rate['ffmpeg']:.0f}, loop {rate['loop']:.0f}; ours is {against:.2f}x ffmpeg "
        f"(goal 0.85; {processor:.2f}x by processor time) and "
        f"{rate['ours'] / rate['loop']:.1f}x the loop (goal 3)"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
