"""Windows per second on a GPU, the share of time it waits for frames, and the CPU's features.

python benchmarks/gpu.py [--seconds 120] [--height 1080] [--batch 32]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import numpy as np
import torch

from gazeline.features.video import extract
from gazeline.features.video.encoder import load_video_encoder
from gazeline.params.features import VideoParams
from gazeline.params.runtime import RuntimeParams
from synthetic import difference, make_film, make_x_clip

TOLERANCE = {"bf16": 0.05, "fp32": 1e-3}
"""Relative error of a feature, against fp32 on the CPU."""


class Waiting:
    """Measure how long the encoder waits for its next batch."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, *arguments: object) -> Iterator[object]:
        """Stand in for `ahead`, and look at the clock."""
        coming = AHEAD(*arguments)
        while True:
            start = time.perf_counter()
            item = next(coming, None)
            self.seconds += time.perf_counter() - start
            if item is None:
                return
            yield item


AHEAD = extract.ahead
DEVICE = "cuda"


def main() -> int:
    """Measure and print; exit with 1 where features are out of tolerance."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--height", type=int, default=1080)
    parser.add_argument("--batch", type=int, default=32)
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("there is no GPU here")
        return 0
    good = True
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        film = make_film(root / "film.mp4", arguments.height, arguments.seconds)
        x_clip = make_x_clip(root / "x-clip")
        reference = load_video_encoder(x_clip, torch.device("cpu"), "fp32")
        shape = (4, 16, *reference.input.size, 3)
        windows = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
        exact = reference.encode(windows)
        for precision, tolerance in TOLERANCE.items():
            encoder = load_video_encoder(x_clip, torch.device(DEVICE), precision)
            made = encoder.encode(windows)
            runtime = RuntimeParams(device=DEVICE, batch_size=arguments.batch)
            params, waiting = VideoParams(precision=precision), Waiting()
            with (
                mock.patch.object(extract, "load_video_encoder", return_value=encoder),
                mock.patch.object(extract, "ahead", waiting),
            ):
                start = time.perf_counter()
                report = extract.extract_video(
                    film, x_clip, params, runtime, 1.0, root / "shard.parquet"
                )
                seconds = time.perf_counter() - start
            errors = np.linalg.norm(made - exact, axis=1) / np.linalg.norm(exact, axis=1)
            good &= bool(errors.max() <= tolerance)
            print(
                f"{precision}: {report.n_windows / seconds:.1f} windows/s, waits for frames "
                f"{waiting.seconds / seconds:.0%} of the time; {difference(made, exact)} "
                f"(tolerance {tolerance})"
            )
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
