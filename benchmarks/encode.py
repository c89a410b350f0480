"""Windows per second of an extraction on the CPU, against the bare forward pass of the model.

The encoder is X-CLIP base/32 for 16 frames with random weights, made from its configuration; the
film is made by ffmpeg. Extraction and bare forward run in turns at the same batch; medians of the
ratios. `--precision bf16` compares against the same forward in bf16, and the difference of the
features to fp32 is printed.

    python benchmarks/encode.py [--windows 8] [--batch 4] [--runs 3] [--precision fp32]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from unittest import mock

import torch

from gazeline.features.common.device import inference, uses_bf16
from gazeline.features.video.encoder import VideoEncoder, load_video_encoder
from gazeline.features.video.extract import extract_video
from gazeline.params.features import VideoParams
from gazeline.params.runtime import RuntimeParams
from synthetic import cost, difference, make_film, make_x_clip

CPU = torch.device("cpu")
FPS = 24000 / 1001


def bare(encoder: VideoEncoder, inputs: torch.Tensor, n_batches: int) -> None:
    """Run the model alone on inputs that are there."""
    with inference(CPU, encoder.bf16):
        for _ in range(n_batches):
            encoder.model.get_video_features(pixel_values=inputs)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=8)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--height", type=int, default=480)
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="fp32")
    arguments = parser.parse_args()
    n_windows, batch = arguments.windows, arguments.batch
    params = VideoParams(precision=arguments.precision)
    runtime = RuntimeParams(device="cpu", batch_size=batch)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        film = make_film(root / "film.mp4", arguments.height, n_windows * 16 / FPS)
        encoder = load_video_encoder(make_x_clip(root / "x-clip"), CPU, arguments.precision)
        pixels = torch.randint(0, 256, (batch, 16, 224, 224, 3), dtype=torch.uint8)
        inputs = encoder.input.tensor(pixels)
        bare(encoder, inputs, 1)
        ours, alone = [], []
        for _ in range(arguments.runs):
            # Loading the model is no part of the pass; both find it in memory.
            with loaded(encoder):
                ours.append(
                    cost(
                        lambda: extract_video(
                            film, root / "x-clip", params, runtime, 1.0, root / "shard"
                        )
                    )
                )
            alone.append(cost(lambda: bare(encoder, inputs, n_windows // batch)))
        apart = ""
        if uses_bf16(CPU, arguments.precision):
            exact = load_video_encoder(root / "x-clip", CPU, "fp32")
            apart = "; " + difference(encoder.encode(pixels.numpy()), exact.encode(pixels.numpy()))
    pairs = list(zip(ours, alone, strict=True))
    speed = n_windows / statistics.median(mine.wall_s for mine in ours)
    clock = statistics.median(theirs.wall_s / mine.wall_s for mine, theirs in pairs)
    processor = statistics.median(theirs.cpu_s / mine.cpu_s for mine, theirs in pairs)
    print(
        f"{n_windows} windows in batches of {batch}, {arguments.precision}: {speed:.2f} windows/s, "
        f"{clock:.2f}x the bare forward (goal 0.95; {processor:.2f}x by processor time){apart}"
    )
    return 0


def loaded(encoder: VideoEncoder) -> AbstractContextManager[object]:
    """Let `extract_video` take an encoder that is loaded already."""
    return mock.patch("gazeline.features.video.extract.load_video_encoder", return_value=encoder)


if __name__ == "__main__":
    raise SystemExit(main())
