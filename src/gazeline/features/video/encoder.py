"""X-CLIP: from windows of frames to one embedding each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from gazeline.errors import EncoderError
from gazeline.features.common.device import (
    BatchLimit,
    encode_fitting,
    inference,
    staged,
    uses_bf16,
)
from gazeline.features.common.loading import (
    check_type,
    load_model,
    processor_settings,
    read_settings,
)
from gazeline.features.common.shards import Embeddings
from gazeline.media.pictures.frames import Pixels
from gazeline.media.pictures.geometry import Interpolation, PictureSpec
from gazeline.params.features import Precision

RESAMPLE: Mapping[int, Interpolation] = {0: "NEAREST", 1: "LANCZOS", 2: "BILINEAR", 3: "BICUBIC"}
"""Pillow's numbers, as image processors give them."""


@dataclass(frozen=True)
class VideoInput:
    """What the encoder takes: windows of `n_frames` pictures of `size`, scaled and normalised."""

    n_frames: int
    size: tuple[int, int]
    picture: PictureSpec
    scale: float
    mean: tuple[float, float, float]
    std: tuple[float, float, float]

    def tensor(self, pixels: torch.Tensor) -> torch.Tensor:
        """Return uint8 [batch, frames, height, width, 3] as float [batch, frames, 3, h, w].

        Raises:
            EncoderError: the window or picture is of another size than the model takes; the model
                itself would mix frames of several windows without a word.
        """
        wanted = (self.n_frames, *self.size, 3)
        if tuple(pixels.shape[1:]) != wanted or pixels.dtype != torch.uint8:
            raise EncoderError(
                f"A window is {tuple(pixels.shape[1:])} {pixels.dtype}, not {wanted} uint8",
                todo=f"set features.video.window_frames to {self.n_frames}",
            )
        channels_first = pixels.permute(0, 1, 4, 2, 3).to(torch.float32) * self.scale
        mean = torch.tensor(self.mean, device=pixels.device).view(3, 1, 1)
        std = torch.tensor(self.std, device=pixels.device).view(3, 1, 1)
        return (channels_first - mean) / std


@dataclass(frozen=True)
class VideoEncoder:
    """An X-CLIP model on its device, with its input and the width of its output."""

    model: Any
    device: torch.device
    input: VideoInput
    width: int
    bf16: bool = False
    limit: BatchLimit = field(default_factory=BatchLimit)

    def encode(self, windows: Pixels) -> Embeddings:
        """Return the embeddings of uint8 windows [batch, frames, height, width, 3].

        They are the pooled output of the multi-frame integration transformer, shape
        [batch, width], the features the paper takes from X-CLIP.
        """
        return self.encode_staged(self.stage(windows))

    def stage(self, windows: Pixels) -> torch.Tensor:
        """Return windows ready to be fetched by the device."""
        return staged(torch.from_numpy(windows), self.device)

    def encode_staged(self, windows: torch.Tensor) -> Embeddings:
        """Return the embeddings of windows from `stage`; they are normalised on the device."""

        def run(pixels: torch.Tensor) -> torch.Tensor:
            inputs = self.input.tensor(pixels.to(self.device, non_blocking=True))
            output: torch.Tensor = self.model.get_video_features(pixel_values=inputs).pooler_output
            return output.to(torch.float32).cpu()

        with inference(self.device, self.bf16):
            embeddings: Embeddings = encode_fitting(run, windows, self.limit).numpy()
        return embeddings


def load_video_encoder(
    encoder_dir: Path, device: torch.device, precision: Precision = "auto"
) -> VideoEncoder:
    """Load an X-CLIP checkpoint; frame count, picture size and width come from its files.

    Raises:
        EncoderError: the folder holds no X-CLIP model, or its files contradict each other.
    """
    video_input, width = read_video_input(encoder_dir)
    bf16 = uses_bf16(device, precision)

    from transformers.models.x_clip.modeling_x_clip import XCLIPModel

    model = load_model(XCLIPModel, encoder_dir).to(device)
    return VideoEncoder(model, device, video_input, width, bf16)


def read_video_input(encoder_dir: Path) -> tuple[VideoInput, int]:
    """Return what a checkpoint takes and the width of what it gives, without loading it."""
    config = read_settings(encoder_dir, "config.json")
    check_type(encoder_dir, config, "xclip", "video")
    vision = config.get("vision_config") or {}
    size = _pair(vision.get("image_size", 224))
    settings = processor_settings(encoder_dir, "image_processor")
    picture = _picture(encoder_dir, settings)
    shown = picture.crop or (picture.height, picture.width)
    if shown != size:
        raise EncoderError(
            f"Encoder {encoder_dir.name} takes pictures of {size}, its processor makes {shown}",
            where=str(encoder_dir),
            todo="take config.json and preprocessor_config.json from the same checkpoint",
        )
    normalised = settings.get("do_normalize", True)
    video_input = VideoInput(
        n_frames=int(vision.get("num_frames", 8)),
        size=size,
        picture=picture,
        scale=float(settings.get("rescale_factor", 1 / 255))
        if settings.get("do_rescale", True)
        else 1.0,
        mean=_triple(settings.get("image_mean", [0.485, 0.456, 0.406]) if normalised else [0] * 3),
        std=_triple(settings.get("image_std", [0.229, 0.224, 0.225]) if normalised else [1] * 3),
    )
    return video_input, int(vision.get("mit_hidden_size", 512))


def _picture(encoder_dir: Path, settings: Mapping[str, Any]) -> PictureSpec:
    size = settings.get("size", {"shortest_edge": 224})
    size = {"shortest_edge": size} if isinstance(size, int) else size
    crop = settings.get("crop_size", size.get("shortest_edge"))
    crop = {"height": crop, "width": crop} if isinstance(crop, int) else crop
    try:
        return PictureSpec(
            shortest_edge=size.get("shortest_edge"),
            height=size.get("height"),
            width=size.get("width"),
            crop=(crop["height"], crop["width"]) if settings.get("do_center_crop", True) else None,
            interpolation=RESAMPLE[int(settings.get("resample", 2))],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise EncoderError(
            f"The processor of encoder {encoder_dir.name} cannot be followed: {error}",
            where=str(encoder_dir / "preprocessor_config.json"),
            todo="take the preprocessor_config.json of the published checkpoint",
        ) from error


def _pair(value: Any) -> tuple[int, int]:
    """Return height and width; checkpoints give one number for a square."""
    height, width = (value, value) if isinstance(value, int) else value
    return int(height), int(width)


def _triple(values: Any) -> tuple[float, float, float]:
    red, green, blue = (float(value) for value in values)
    return red, green, blue
