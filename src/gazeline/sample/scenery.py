"""Painted places: three layers each, wider than the frame, so that a pan shows depth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from gazeline.sample.palettes import PALETTES, Colour, Palette, mixed

WIDTH, HEIGHT = 384, 216
# Layers are painted this much larger and reduced, which smooths every edge.
OVERSAMPLING = 2
FAR_WIDTH, MID_WIDTH, NEAR_WIDTH = 512, 680, 900


@dataclass(frozen=True)
class Backdrop:
    """Layers from far to near; `mid` and `near` are transparent where nothing is painted."""

    far: Image.Image
    mid: Image.Image
    near: Image.Image


Paint = Callable[[ImageDraw.ImageDraw, int, Palette, np.random.Generator], None]


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
        _painted(mid, _clear(MID_WIDTH), colours, rng),
        _painted(near, _clear(NEAR_WIDTH), colours, rng),
    )


def _painted(
    paint: Paint, canvas: Image.Image, palette: Palette, rng: np.random.Generator
) -> Image.Image:
    paint(ImageDraw.Draw(canvas), canvas.width, palette, rng)
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
    return _gradient(mixed(palette.wall, palette.shade, 0.25), mixed(palette.wall, palette.land, 0.2))


def _y(share: float) -> int:
    return round(share * HEIGHT * OVERSAMPLING)


def _ridge(
    draw: ImageDraw.ImageDraw,
    width: int,
    colour: Colour,
    rng: np.random.Generator,
    top: float,
    swing: float,
) -> None:
    """Fill everything below a rolling line."""
    x = np.arange(0, width + 8, 8)
    waves = sum(
        rng.uniform(0.3, 1) * np.sin(x / width * 2 * np.pi * k + rng.uniform(0, 6.3)) / k
        for k in (1, 2, 3, 5)
    )
    line = [(float(a), _y(top) + float(b) * _y(swing)) for a, b in zip(x, waves, strict=True)]
    draw.polygon([*line, (width + 8, _y(1)), (0, _y(1))], fill=colour)


def _clouds(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    colour = mixed(palette.sky_low, palette.light, 0.5)
    for _ in range(7):
        x, y, size = rng.uniform(0, width), _y(rng.uniform(0.05, 0.35)), rng.uniform(20, 44)
        for k in range(4):
            left, high = x + (k - 1.5) * size * 0.8, y - (k % 2) * size * 0.25
            draw.ellipse((left, high, left + size * 1.3, high + size * 0.55), fill=colour)


def _orb(draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator) -> None:
    x, y, r = rng.uniform(0.3, 0.7) * width, _y(0.2), _y(0.06)
    draw.ellipse((x - r, y - r, x + r, y + r), fill=palette.light)


def _open_sky(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    _orb(draw, width, palette, rng)
    _clouds(draw, width, palette, rng)


def _far_hills(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    _open_sky(draw, width, palette, rng)
    _ridge(draw, width, mixed(palette.distance, palette.sky_low, 0.4), rng, 0.52, 0.06)
    _ridge(draw, width, palette.distance, rng, 0.6, 0.05)


def _mid_hills(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    _ridge(draw, width, mixed(palette.land, palette.distance, 0.4), rng, 0.7, 0.03)
    for x in rng.uniform(0, width, 9):
        _tree(draw, x, _y(0.72), _y(rng.uniform(0.12, 0.2)), palette)


def _near_meadow(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    _ridge(draw, width, palette.land, rng, 0.84, 0.015)
    blade = mixed(palette.land, palette.shade, 0.3)
    for x in rng.uniform(0, width, 160):
        y = _y(rng.uniform(0.86, 1.0))
        draw.line((x, y, x + rng.uniform(-6, 6), y - 16), fill=blade, width=2)


def _tree(draw: ImageDraw.ImageDraw, x: float, y: float, size: float, palette: Palette) -> None:
    trunk, leaves = palette.shade, mixed(palette.land, palette.shade, 0.4)
    draw.rectangle((x - size * 0.06, y - size * 0.5, x + size * 0.06, y), fill=trunk)
    for dx, dy, r in ((-0.22, 0.7, 0.28), (0.2, 0.75, 0.3), (0.0, 0.95, 0.3)):
        draw.ellipse(
            (x + (dx - r) * size, y - (dy + r) * size, x + (dx + r) * size, y - (dy - r) * size),
            fill=leaves,
        )


def _houses(
    draw: ImageDraw.ImageDraw,
    width: int,
    palette: Palette,
    rng: np.random.Generator,
    wall: Colour,
    ground: float,
    heights: tuple[float, float],
) -> None:
    """Draw a row of houses with windows, some of them lit."""
    x = 0.0
    while x < width:
        w, top = rng.uniform(70, 130), _y(ground - rng.uniform(*heights))
        tint = mixed(wall, palette.light, rng.uniform(0, 0.25))
        draw.rectangle((x, top, x + w, _y(ground)), fill=tint)
        roof = mixed(palette.shade, wall, 0.2)
        draw.polygon([(x - 4, top), (x + w / 2, top - 26), (x + w + 4, top)], fill=roof)
        for wx in np.arange(x + 12, x + w - 18, 26):
            for wy in range(top + 14, _y(ground) - 30, 36):
                lit = rng.random() < 0.35
                pane = palette.light if lit else mixed(tint, palette.shade, 0.6)
                draw.rectangle((wx, wy, wx + 13, wy + 20), fill=pane)
        x += w + rng.uniform(0, 8)


def _far_town(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    _open_sky(draw, width, palette, rng)
    _houses(draw, width, palette, rng, palette.distance, 0.7, (0.15, 0.35))


def _mid_street(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    _houses(draw, width, palette, rng, palette.wall, 0.8, (0.3, 0.55))


def _near_pavement(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    stone = mixed(palette.wall, palette.shade, 0.45)
    draw.rectangle((0, _y(0.8), width, _y(1)), fill=stone)
    draw.rectangle((0, _y(0.8), width, _y(0.825)), fill=mixed(stone, palette.light, 0.25))
    for x in range(0, width, 90):
        draw.line((x, _y(0.825), x - 60, _y(1)), fill=mixed(stone, palette.shade, 0.4), width=3)
    for x in np.arange(rng.uniform(40, 160), width, 420):
        _lamp(draw, float(x), palette)


def _lamp(draw: ImageDraw.ImageDraw, x: float, palette: Palette) -> None:
    draw.rectangle((x - 4, _y(0.2), x + 4, _y(0.84)), fill=palette.shade)
    draw.ellipse((x - 17, _y(0.13), x + 17, _y(0.13) + 34), fill=palette.light)


def _far_sea(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    _open_sky(draw, width, palette, rng)
    _ridge(draw, width, mixed(palette.distance, palette.sky_low, 0.4), rng, 0.5, 0.02)
    draw.rectangle((0, _y(0.54), width, _y(1)), fill=palette.water)
    glint = mixed(palette.water, palette.light, 0.5)
    for _ in range(90):
        x, y = rng.uniform(0, width), _y(rng.uniform(0.55, 0.85))
        draw.line((x, y, x + rng.uniform(8, 40), y), fill=glint, width=2)


def _mid_sea(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    for x in np.arange(rng.uniform(0, 200), width, 330):
        y, w = _y(0.66), 60
        hull = mixed(palette.shade, palette.water, 0.2)
        draw.polygon([(x, y), (x + w * 2, y), (x + w * 1.7, y + 22), (x + 14, y + 22)], fill=hull)
        draw.polygon([(x + w, y - 4), (x + w, y - 96), (x + w * 1.8, y - 8)], fill=palette.light)


def _near_deck(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    plank = mixed(palette.wall, palette.shade, 0.3)
    draw.rectangle((0, _y(0.84), width, _y(1)), fill=plank)
    for y in np.linspace(0.84, 1, 6):
        draw.line((0, _y(y), width, _y(y)), fill=mixed(plank, palette.shade, 0.4), width=2)
    rail = mixed(palette.light, palette.wall, 0.3)
    draw.rectangle((0, _y(0.7), width, _y(0.72)), fill=rail)
    for x in range(0, width, 70):
        draw.rectangle((x, _y(0.7), x + 6, _y(0.86)), fill=rail)


def _near_sand(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    sand = mixed((216, 200, 160), palette.shade, 0.25)
    _ridge(draw, width, mixed(sand, palette.light, 0.4), rng, 0.79, 0.01)
    _ridge(draw, width, sand, rng, 0.81, 0.012)
    for _ in range(140):
        x, y = rng.uniform(0, width), _y(rng.uniform(0.84, 1))
        draw.ellipse((x, y, x + 6, y + 3), fill=mixed(sand, palette.shade, 0.3))


def _nothing(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    """Paint nothing: the layers behind and before are enough."""


def _far_room(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    stripe = mixed(palette.wall, palette.light, 0.25)
    for x in range(0, width, 48):
        draw.rectangle((x, 0, x + 14, _y(0.78)), fill=mixed(stripe, palette.shade, 0.2))
    for x in np.arange(rng.uniform(40, 140), width, 400):
        _window(draw, float(x), palette)


def _window(draw: ImageDraw.ImageDraw, x: float, palette: Palette) -> None:
    frame, w = mixed(palette.wall, palette.shade, 0.7), 130
    draw.rectangle((x - 10, _y(0.12), x + w + 10, _y(0.58)), fill=frame)
    draw.rectangle((x, _y(0.15), x + w, _y(0.56)), fill=palette.sky_low)
    draw.rectangle((x, _y(0.43), x + w, _y(0.56)), fill=palette.distance)
    draw.line((x + w / 2, _y(0.15), x + w / 2, _y(0.56)), fill=frame, width=7)
    draw.line((x, _y(0.33), x + w, _y(0.33)), fill=frame, width=7)


def _mid_room(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    floor = mixed(palette.shade, palette.wall, 0.35)
    draw.rectangle((0, _y(0.78), width, _y(1)), fill=floor)
    draw.rectangle((0, _y(0.76), width, _y(0.785)), fill=mixed(floor, palette.light, 0.2))
    for x in np.arange(rng.uniform(60, 240), width, 460):
        _shelf(draw, float(x), palette, rng)


def _shelf(
    draw: ImageDraw.ImageDraw, x: float, palette: Palette, rng: np.random.Generator
) -> None:
    wood, w = mixed(palette.shade, (120, 96, 70), 0.5), 120
    draw.rectangle((x, _y(0.3), x + w, _y(0.8)), fill=wood)
    for row in range(4):
        low = _y(0.3) + 12 + (row + 1) * 48
        for book in np.arange(x + 8, x + w - 12, 11):
            tint = [palette.water, palette.land, palette.light, palette.distance]
            colour = tint[int(rng.integers(4))]
            draw.rectangle((book, low - rng.uniform(24, 38), book + 8, low), fill=colour)


def _near_table(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    wood = mixed((128, 104, 76), palette.shade, 0.4)
    for x in np.arange(rng.uniform(100, 400), width, 760):
        draw.rectangle((x, _y(0.86), x + 250, _y(0.9)), fill=wood)
        draw.rectangle((x + 14, _y(0.9), x + 28, _y(1)), fill=wood)
        draw.rectangle((x + 222, _y(0.9), x + 236, _y(1)), fill=wood)
        draw.ellipse((x + 100, _y(0.79), x + 140, _y(0.87)), fill=palette.water)


def _far_station(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    _far_town(draw, width, palette, rng)
    iron = mixed(palette.shade, palette.distance, 0.3)
    draw.rectangle((0, _y(0.08), width, _y(0.14)), fill=iron)
    for x in range(20, width, 150):
        draw.arc((x - 75, _y(0.1), x + 75, _y(0.4)), 180, 360, fill=iron, width=6)
        draw.rectangle((x - 78, _y(0.1), x - 70, _y(0.8)), fill=iron)


def _mid_station(
    draw: ImageDraw.ImageDraw, width: int, palette: Palette, rng: np.random.Generator
) -> None:
    body, first = mixed(palette.water, palette.wall, 0.35), rng.uniform(-200, 0)
    for x in np.arange(first, width, 470):
        draw.rounded_rectangle((x, _y(0.4), x + 440, _y(0.79)), 22, fill=body)
        draw.rectangle((x, _y(0.66), x + 440, _y(0.69)), fill=palette.light)
        for wx in range(6):
            left = x + 26 + wx * 68
            draw.rectangle((left, _y(0.46), left + 46, _y(0.62)), fill=palette.sky_low)


PLACES: dict[str, tuple[Paint, Paint, Paint]] = {
    "hills": (_far_hills, _mid_hills, _near_meadow),
    "street": (_far_town, _mid_street, _near_pavement),
    "sea": (_far_sea, _mid_sea, _near_deck),
    "beach": (_far_sea, _nothing, _near_sand),
    "room": (_far_room, _mid_room, _near_table),
    "station": (_far_station, _mid_station, _near_pavement),
}
