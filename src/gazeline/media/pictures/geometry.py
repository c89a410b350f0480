"""Plan how a decoded picture becomes the square an encoder takes. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gazeline.media.probing.streams import VideoStream

Interpolation = Literal["NEAREST", "BILINEAR", "BICUBIC", "LANCZOS"]


@dataclass(frozen=True)
class PictureSpec:
    """What an encoder's image processor does to size: scale, then crop the centre.

    The shorter side becomes `shortest_edge`; or, where that is None, the picture becomes exactly
    `height` x `width`. `crop` is (height, width), None for no crop.

    Raises:
        ValueError: neither or both sizes are given, or the crop is larger than the picture.
    """

    shortest_edge: int | None = None
    height: int | None = None
    width: int | None = None
    crop: tuple[int, int] | None = None
    interpolation: Interpolation = "BICUBIC"

    def __post_init__(self) -> None:
        exact = self.height is not None and self.width is not None
        if exact == (self.shortest_edge is not None):
            raise ValueError("give either shortest_edge or height and width")
        limit = (self.shortest_edge or self.height, self.shortest_edge or self.width)
        if self.crop and any(c > (side or 0) for c, side in zip(self.crop, limit, strict=True)):
            raise ValueError(f"crop {self.crop} is larger than the scaled picture {limit}")


@dataclass(frozen=True)
class Geometry:
    """Scale the stored picture to `scaled_width` x `scaled_height`, turn it, then crop it.

    `quarter_turns` are clockwise; `top`, `left`, `height` and `width` are of the upright picture.
    """

    scaled_width: int
    scaled_height: int
    quarter_turns: int
    top: int
    left: int
    height: int
    width: int


def plan_geometry(video: VideoStream, picture: PictureSpec) -> Geometry:
    """Return the geometry for a stream: square pixels, upright, as the processor would do it.

    The longer side and the crop are rounded down, as Hugging Face's image processors do.

    Args:
        video: the stream; its pixel shape and rotation are honoured.
    """
    shown_width, shown_height = video.display_size
    width, height = _scaled(shown_width, shown_height, picture)
    crop_height, crop_width = picture.crop or (height, width)
    turned = video.rotation % 180 != 0
    return Geometry(
        scaled_width=height if turned else width,
        scaled_height=width if turned else height,
        quarter_turns=video.rotation // 90 % 4,
        top=(height - crop_height) // 2,
        left=(width - crop_width) // 2,
        height=crop_height,
        width=crop_width,
    )


def _scaled(width: int, height: int, picture: PictureSpec) -> tuple[int, int]:
    if picture.shortest_edge is None:
        return picture.width or width, picture.height or height
    edge = picture.shortest_edge
    if width <= height:
        return edge, int(edge * height / width)
    return int(edge * width / height), edge
