"""Painters of the places that films show, from far to near."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import ImageDraw

from gazeline.sample.palettes import Colour, Palette, mixed

# Layers are painted this much larger than the frame and reduced, which smooths every edge.
OVERSAMPLING = 2
FRAME_HEIGHT = 216


@dataclass(frozen=True)
class Site:
    """A layer being painted, `width` pixels wide before it is reduced."""

    draw: ImageDraw.ImageDraw
    width: int
    palette: Palette
    rng: np.random.Generator

    def every(self, step: int, first: float) -> list[float]:
        """Return the x of things that stand `step` pixels apart."""
        return [float(x) for x in np.arange(first, self.width, step)]


def _y(share: float) -> int:
    return round(share * FRAME_HEIGHT * OVERSAMPLING)


def _ridge(at: Site, colour: Colour, top: float, swing: float) -> None:
    """Fill everything below a rolling line."""
    x = np.arange(0, at.width + 8, 8)
    waves = np.zeros(len(x))
    for k in (1, 2, 3, 5):
        waves += (
            at.rng.uniform(0.3, 1)
            * np.sin(x / at.width * 2 * np.pi * k + at.rng.uniform(0, 6.3))
            / k
        )
    line = [(float(a), _y(top) + float(b) * _y(swing)) for a, b in zip(x, waves, strict=True)]
    at.draw.polygon([*line, (at.width + 8, _y(1)), (0, _y(1))], fill=colour)


def _clouds(at: Site) -> None:
    colour = mixed(at.palette.sky_low, at.palette.light, 0.5)
    for _ in range(7):
        x, y, size = (
            at.rng.uniform(0, at.width),
            _y(at.rng.uniform(0.05, 0.35)),
            at.rng.uniform(20, 44),
        )
        for k in range(4):
            left, high = x + (k - 1.5) * size * 0.8, y - (k % 2) * size * 0.25
            at.draw.ellipse((left, high, left + size * 1.3, high + size * 0.55), fill=colour)


def _orb(at: Site) -> None:
    x, y, r = at.rng.uniform(0.3, 0.7) * at.width, _y(0.2), _y(0.06)
    at.draw.ellipse((x - r, y - r, x + r, y + r), fill=at.palette.light)


def _open_sky(at: Site) -> None:
    _orb(at)
    _clouds(at)


def _far_hills(at: Site) -> None:
    _open_sky(at)
    _ridge(at, mixed(at.palette.distance, at.palette.sky_low, 0.4), 0.52, 0.06)
    _ridge(at, at.palette.distance, 0.6, 0.05)


def _mid_hills(at: Site) -> None:
    _ridge(at, mixed(at.palette.land, at.palette.distance, 0.4), 0.7, 0.03)
    for x in at.rng.uniform(0, at.width, 9):
        _tree(at, x, _y(0.72), _y(at.rng.uniform(0.12, 0.2)))


def _near_meadow(at: Site) -> None:
    _ridge(at, at.palette.land, 0.84, 0.015)
    blade = mixed(at.palette.land, at.palette.shade, 0.3)
    for x in at.rng.uniform(0, at.width, 160):
        y = _y(at.rng.uniform(0.86, 1.0))
        at.draw.line((x, y, x + at.rng.uniform(-6, 6), y - 16), fill=blade, width=2)


def _tree(at: Site, x: float, y: float, size: float) -> None:
    trunk, leaves = at.palette.shade, mixed(at.palette.land, at.palette.shade, 0.4)
    at.draw.rectangle((x - size * 0.06, y - size * 0.5, x + size * 0.06, y), fill=trunk)
    for dx, dy, r in ((-0.22, 0.7, 0.28), (0.2, 0.75, 0.3), (0.0, 0.95, 0.3)):
        at.draw.ellipse(
            (x + (dx - r) * size, y - (dy + r) * size, x + (dx + r) * size, y - (dy - r) * size),
            fill=leaves,
        )


def _houses(at: Site, wall: Colour, ground: float, heights: tuple[float, float]) -> None:
    """Draw a row of houses with windows, some of them lit."""
    x = 0.0
    while x < at.width:
        w, top = at.rng.uniform(70, 130), _y(ground - at.rng.uniform(*heights))
        tint = mixed(wall, at.palette.light, at.rng.uniform(0, 0.25))
        at.draw.rectangle((x, top, x + w, _y(ground)), fill=tint)
        roof = mixed(at.palette.shade, wall, 0.2)
        at.draw.polygon([(x - 4, top), (x + w / 2, top - 26), (x + w + 4, top)], fill=roof)
        for wx in np.arange(x + 12, x + w - 18, 26):
            for wy in range(top + 14, _y(ground) - 30, 36):
                lit = at.rng.random() < 0.35
                pane = at.palette.light if lit else mixed(tint, at.palette.shade, 0.6)
                at.draw.rectangle((wx, wy, wx + 13, wy + 20), fill=pane)
        x += w + at.rng.uniform(0, 8)


def _far_town(at: Site) -> None:
    _open_sky(at)
    _houses(at, at.palette.distance, 0.7, (0.15, 0.35))


def _mid_street(at: Site) -> None:
    _houses(at, at.palette.wall, 0.8, (0.3, 0.55))


def _near_pavement(at: Site) -> None:
    stone = mixed(at.palette.wall, at.palette.shade, 0.45)
    at.draw.rectangle((0, _y(0.8), at.width, _y(1)), fill=stone)
    at.draw.rectangle((0, _y(0.8), at.width, _y(0.825)), fill=mixed(stone, at.palette.light, 0.25))
    for x in range(0, at.width, 90):
        at.draw.line(
            (x, _y(0.825), x - 60, _y(1)), fill=mixed(stone, at.palette.shade, 0.4), width=3
        )
    for post in at.every(420, at.rng.uniform(40, 160)):
        _lamp(at, post)


def _lamp(at: Site, x: float) -> None:
    at.draw.rectangle((x - 4, _y(0.2), x + 4, _y(0.84)), fill=at.palette.shade)
    at.draw.ellipse((x - 17, _y(0.13), x + 17, _y(0.13) + 34), fill=at.palette.light)


def _far_sea(at: Site) -> None:
    _open_sky(at)
    _ridge(at, mixed(at.palette.distance, at.palette.sky_low, 0.4), 0.5, 0.02)
    at.draw.rectangle((0, _y(0.54), at.width, _y(1)), fill=at.palette.water)
    glint = mixed(at.palette.water, at.palette.light, 0.5)
    for _ in range(90):
        x, y = at.rng.uniform(0, at.width), _y(at.rng.uniform(0.55, 0.85))
        at.draw.line((x, y, x + at.rng.uniform(8, 40), y), fill=glint, width=2)


def _mid_sea(at: Site) -> None:
    for x in at.every(330, at.rng.uniform(0, 200)):
        y, w = _y(0.66), 60
        hull = mixed(at.palette.shade, at.palette.water, 0.2)
        at.draw.polygon(
            [(x, y), (x + w * 2, y), (x + w * 1.7, y + 22), (x + 14, y + 22)], fill=hull
        )
        at.draw.polygon(
            [(x + w, y - 4), (x + w, y - 96), (x + w * 1.8, y - 8)], fill=at.palette.light
        )


def _near_deck(at: Site) -> None:
    plank = mixed(at.palette.wall, at.palette.shade, 0.3)
    at.draw.rectangle((0, _y(0.84), at.width, _y(1)), fill=plank)
    for y in np.linspace(0.84, 1, 6):
        at.draw.line((0, _y(y), at.width, _y(y)), fill=mixed(plank, at.palette.shade, 0.4), width=2)
    rail = mixed(at.palette.light, at.palette.wall, 0.3)
    at.draw.rectangle((0, _y(0.7), at.width, _y(0.72)), fill=rail)
    for x in range(0, at.width, 70):
        at.draw.rectangle((x, _y(0.7), x + 6, _y(0.86)), fill=rail)


def _near_sand(at: Site) -> None:
    sand = mixed((216, 200, 160), at.palette.shade, 0.25)
    _ridge(at, mixed(sand, at.palette.light, 0.4), 0.79, 0.01)
    _ridge(at, sand, 0.81, 0.012)
    for _ in range(140):
        x, y = at.rng.uniform(0, at.width), _y(at.rng.uniform(0.84, 1))
        at.draw.ellipse((x, y, x + 6, y + 3), fill=mixed(sand, at.palette.shade, 0.3))


def _nothing(at: Site) -> None:
    """Paint nothing: the layers behind and before are enough."""


def _far_room(at: Site) -> None:
    stripe = mixed(at.palette.wall, at.palette.light, 0.25)
    for x in range(0, at.width, 48):
        at.draw.rectangle((x, 0, x + 14, _y(0.78)), fill=mixed(stripe, at.palette.shade, 0.2))
    for pane in at.every(400, at.rng.uniform(40, 140)):
        _window(at, pane)


def _window(at: Site, x: float) -> None:
    frame, w = mixed(at.palette.wall, at.palette.shade, 0.7), 130
    at.draw.rectangle((x - 10, _y(0.12), x + w + 10, _y(0.58)), fill=frame)
    at.draw.rectangle((x, _y(0.15), x + w, _y(0.56)), fill=at.palette.sky_low)
    at.draw.rectangle((x, _y(0.43), x + w, _y(0.56)), fill=at.palette.distance)
    at.draw.line((x + w / 2, _y(0.15), x + w / 2, _y(0.56)), fill=frame, width=7)
    at.draw.line((x, _y(0.33), x + w, _y(0.33)), fill=frame, width=7)


def _mid_room(at: Site) -> None:
    floor = mixed(at.palette.shade, at.palette.wall, 0.35)
    at.draw.rectangle((0, _y(0.78), at.width, _y(1)), fill=floor)
    at.draw.rectangle((0, _y(0.76), at.width, _y(0.785)), fill=mixed(floor, at.palette.light, 0.2))
    for x in at.every(460, at.rng.uniform(60, 240)):
        _shelf(at, x)


def _shelf(at: Site, x: float) -> None:
    wood, w = mixed(at.palette.shade, (120, 96, 70), 0.5), 120
    at.draw.rectangle((x, _y(0.3), x + w, _y(0.8)), fill=wood)
    for row in range(4):
        low = _y(0.3) + 12 + (row + 1) * 48
        for book in np.arange(x + 8, x + w - 12, 11):
            tint = [at.palette.water, at.palette.land, at.palette.light, at.palette.distance]
            colour = tint[int(at.rng.integers(4))]
            at.draw.rectangle((book, low - at.rng.uniform(24, 38), book + 8, low), fill=colour)


def _near_table(at: Site) -> None:
    wood = mixed((128, 104, 76), at.palette.shade, 0.4)
    for x in at.every(760, at.rng.uniform(100, 400)):
        at.draw.rectangle((x, _y(0.86), x + 250, _y(0.9)), fill=wood)
        at.draw.rectangle((x + 14, _y(0.9), x + 28, _y(1)), fill=wood)
        at.draw.rectangle((x + 222, _y(0.9), x + 236, _y(1)), fill=wood)
        at.draw.ellipse((x + 100, _y(0.79), x + 140, _y(0.87)), fill=at.palette.water)


def _far_station(at: Site) -> None:
    _far_town(at)
    iron = mixed(at.palette.shade, at.palette.distance, 0.3)
    at.draw.rectangle((0, _y(0.08), at.width, _y(0.14)), fill=iron)
    for x in range(20, at.width, 150):
        at.draw.arc((x - 75, _y(0.1), x + 75, _y(0.4)), 180, 360, fill=iron, width=6)
        at.draw.rectangle((x - 78, _y(0.1), x - 70, _y(0.8)), fill=iron)


def _mid_station(at: Site) -> None:
    body, first = mixed(at.palette.water, at.palette.wall, 0.35), at.rng.uniform(-200, 0)
    for x in at.every(470, first):
        at.draw.rounded_rectangle((x, _y(0.4), x + 440, _y(0.79)), 22, fill=body)
        at.draw.rectangle((x, _y(0.66), x + 440, _y(0.69)), fill=at.palette.light)
        for wx in range(6):
            left = x + 26 + wx * 68
            at.draw.rectangle((left, _y(0.46), left + 46, _y(0.62)), fill=at.palette.sky_low)


Paint = Callable[[Site], None]

# Painters of the far, middle and near layer.
PLACES: dict[str, tuple[Paint, Paint, Paint]] = {
    "hills": (_far_hills, _mid_hills, _near_meadow),
    "street": (_far_town, _mid_street, _near_pavement),
    "sea": (_far_sea, _mid_sea, _near_deck),
    "beach": (_far_sea, _nothing, _near_sand),
    "room": (_far_room, _mid_room, _near_table),
    "station": (_far_station, _mid_station, _near_pavement),
}
