"""Painted places: three layers each, wider than the frame, so that a pan shows depth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from gazeline.sample.cutout import Cutout
from gazeline.sample.palettes import PALETTES, Colour, Palette, mixed
from gazeline.sample.places import FRAME_HEIGHT, OVERSAMPLING, PLACES, Paint, Site

WIDTH, HEIGHT = 384, FRAME_HEIGHT
FAR_WIDTH, MID_WIDTH, NEAR_WIDTH = 512, 680, 900


@dataclass(frozen=True)
class Backdrop:
    """Layers from far to near; `mid` and `near` are transparent where nothing is painted."""

    far: Image.Image
    mid: Cutout
    near: Cutout


@lru_cache(maxsize=24)
def backdrop(setting: str, palette: str, variant: int) -> Backdrop:
    """Paint a place in a palette; `variant` arranges its parts anew."""
    colours = PALETTES[palette]
    rng = np.random.default_rng([variant, len(setting), ord(setting[0])])
    far, mid, near = PLACES[setting]
    indoors = setting == "room"
    ground = _wall(colours) if indoors else _sky(colours)
    return Backdrop(
        _painted(far, ground, colours, rng).convert("RGB"),
        Cutout.of(_painted(mid, _clear(MID_WIDTH), colours, rng)),
        Cutout.of(_painted(near, _clear(NEAR_WIDTH), colours, rng)),
    )


def _painted(
    paint: Paint, canvas: Image.Image, palette: Palette, rng: np.random.Generator
) -> Image.Image:
    paint(Site(ImageDraw.Draw(canvas), canvas.width, palette, rng))
    return canvas.reduce(OVERSAMPLING)


def _clear(width: int) -> Image.Image:
    return Image.new("RGBA", (width * OVERSAMPLING, HEIGHT * OVERSAMPLING), (0, 0, 0, 0))


def _gradient(top: Colour, low: Colour) -> Image.Image:
    share = np.linspace(0, 1, HEIGHT * OVERSAMPLING)[:, None, None] ** 0.8
    column = np.array(top) * (1 - share) + np.array(low) * share
    rows = np.broadcast_to(column, (HEIGHT * OVERSAMPLING, FAR_WIDTH * OVERSAMPLING, 3))
    return Image.fromarray(np.ascontiguousarray(rows.astype(np.uint8)))


def _sky(palette: Palette) -> Image.Image:
    return _gradient(palette.sky_top, palette.sky_low)


def _wall(palette: Palette) -> Image.Image:
    return _gradient(
        mixed(palette.wall, palette.shade, 0.25), mixed(palette.wall, palette.land, 0.2)
    )
