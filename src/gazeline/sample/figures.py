"""People: drawn once per costume as a cycle of poses, then pasted frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import Literal

from PIL import Image, ImageDraw

from gazeline.sample.cutout import Cutout
from gazeline.sample.palettes import Colour, mixed

POSES = 16
OVERSAMPLING = 2
# A figure's canvas is this much wider than the figure is tall: room for a cape.
CANVAS_WIDTH = 1.3

Action = Literal["walk", "dance", "stand"]


@dataclass(frozen=True)
class Costume:
    """What somebody wears; `cloth` is the colour that fills most of the figure."""

    garment: Literal["dress", "coat"]
    cloth: Colour
    trim: Colour
    hair: Colour
    skin: Colour
    cape: bool = False


@lru_cache(maxsize=64)
def poses(costume: Costume, height: int, action: Action) -> tuple[Cutout, ...]:
    """Return the cycle of poses, `height` pixels tall and CANVAS_WIDTH times as wide."""
    turns = [2 * pi * k / POSES for k in range(POSES)]
    return tuple(Cutout.of(_pose(costume, height, action, turn)) for turn in turns)


def _pose(costume: Costume, height: int, action: Action, turn: float) -> Image.Image:
    tall = height * OVERSAMPLING
    canvas = Image.new("RGBA", (round(tall * CANVAS_WIDTH), tall), (*costume.cloth, 0))
    pen = Pen(ImageDraw.Draw(canvas), tall)
    swing = {"walk": 1.0, "dance": 0.8, "stand": 0.15}[action] * sin(turn)
    if costume.cape:
        _cape(pen, costume, turn)
    _legs(pen, costume, swing)
    _arm(pen, costume, action, turn, side=-1)
    if costume.garment == "dress":
        _dress(pen, costume, turn, swing)
    else:
        _coat(pen, costume, swing)
    _arm(pen, costume, action, turn, side=1)
    _head(pen, costume, swing)
    return canvas.reduce(OVERSAMPLING)


class Pen:
    """Draws in units of the figure's height: x from its middle line, y down from its top."""

    def __init__(self, draw: ImageDraw.ImageDraw, tall: int) -> None:
        self._draw, self._tall = draw, tall
        self._middle = tall * CANVAS_WIDTH / 2

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return self._middle + x * self._tall, y * self._tall

    def shape(self, points: list[tuple[float, float]], fill: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon([self._point(*p) for p in points], fill=fill)

    def stroke(self, points: list[tuple[float, float]], width: float, fill: Colour) -> None:
        """Draw a thick line with round joints and ends."""
        radius = width / 2
        line = [self._point(*p) for p in points]
        self._draw.line(line, fill=fill, width=max(1, round(width * self._tall)))
        for x, y in points:
            self.oval(x, y, radius, radius, fill)

    def oval(self, x: float, y: float, rx: float, ry: float, fill: Colour) -> None:
        """Fill an ellipse around a point."""
        self._draw.ellipse((*self._point(x - rx, y - ry), *self._point(x + rx, y + ry)), fill=fill)


def _cape(pen: Pen, costume: Costume, turn: float) -> None:
    """Let a wide cape flutter on both sides."""
    for side in (-1, 1):
        hem = [
            (
                side * (0.16 + 0.42 * k / 8 + 0.03 * sin(turn + side)),
                0.9 - 0.5 * (k / 8) ** 1.5 + 0.035 * sin(turn * 2 + k),
            )
            for k in range(9)
        ]
        pen.shape([(0, 0.17), *hem, (side * 0.1, 0.19)], mixed(costume.cloth, costume.trim, 0.35))


def _dress(pen: Pen, costume: Costume, turn: float, swing: float) -> None:
    hem = [
        (-0.34 + 0.68 * k / 10 + 0.05 * swing, 0.9 + 0.022 * sin(turn + 1.3 * k)) for k in range(11)
    ]
    bodice = [(-0.1, 0.17), (-0.085, 0.3), (-0.07, 0.4)]
    pen.shape([*bodice, *hem, *[(-x, y) for x, y in reversed(bodice)]], costume.cloth)
    for k in (2, 4, 6, 8):
        x, y = hem[k]
        pen.stroke([(x * 0.2, 0.44), (x, y - 0.015)], 0.012, costume.trim)
    pen.stroke([(-0.07, 0.4), (0.07, 0.4)], 0.022, costume.trim)


def _coat(pen: Pen, costume: Costume, swing: float) -> None:
    sway = 0.015 * swing
    left = [(-0.12, 0.17), (-0.13, 0.4), (-0.16 + sway, 0.66)]
    right = [(0.16 + sway, 0.66), (0.13, 0.4), (0.12, 0.17)]
    pen.shape([*left, *right], costume.cloth)
    pen.stroke([(0, 0.2), (sway, 0.65)], 0.01, costume.trim)
    pen.stroke([(-0.125, 0.42), (0.125, 0.42)], 0.02, costume.trim)
    for y in (0.26, 0.33, 0.5):
        pen.oval(0.025, y, 0.01, 0.01, costume.trim)


def _legs(pen: Pen, costume: Costume, swing: float) -> None:
    bare = costume.garment == "dress"
    colour = costume.skin if bare else mixed(costume.trim, (20, 20, 28), 0.4)
    for side in (-1, 1):
        foot = side * (0.06 + 0.1 * swing)
        lift = 0.02 * max(0.0, side * swing)
        pen.stroke([(side * 0.05, 0.55), (foot * 0.8, 0.76), (foot, 0.955 - lift)], 0.06, colour)
        pen.oval(foot + 0.02, 0.97 - lift, 0.05, 0.024, mixed(costume.trim, (20, 20, 28), 0.6))


def _arm(pen: Pen, costume: Costume, action: Action, turn: float, side: int) -> None:
    sleeve = costume.skin if costume.garment == "dress" else costume.cloth
    if action == "dance":
        lift = 0.5 + 0.5 * sin(turn + side)
        hand = (side * (0.3 + 0.04 * cos(turn)), 0.4 - 0.36 * lift)
        elbow = (side * 0.24, 0.34 - 0.12 * lift)
    else:
        reach = side * 0.14 * sin(turn) * (1.0 if action == "walk" else 0.2)
        hand, elbow = (side * 0.15 + reach, 0.5), (side * 0.16 + reach * 0.4, 0.34)
    pen.stroke([(side * 0.1, 0.2), elbow, hand], 0.045, sleeve)
    pen.oval(*hand, 0.026, 0.026, costume.skin)


def _head(pen: Pen, costume: Costume, swing: float) -> None:
    x = 0.008 * swing
    if costume.garment == "dress":
        pen.oval(x, 0.1, 0.088, 0.1, costume.hair)
        pen.shape([(x - 0.085, 0.1), (x + 0.085, 0.1), (0.1, 0.25), (-0.1, 0.25)], costume.hair)
    pen.stroke([(0, 0.13), (0, 0.19)], 0.05, mixed(costume.skin, costume.hair, 0.15))
    pen.oval(x, 0.095, 0.064, 0.077, costume.skin)
    pen.shape(
        [(x - 0.068, 0.085), (x - 0.05, 0.02), (x + 0.05, 0.02), (x + 0.068, 0.085), (x, 0.05)],
        costume.hair,
    )
    for side in (-1, 1):
        pen.oval(x + side * 0.025, 0.1, 0.008, 0.01, (30, 26, 30))
    pen.stroke([(x - 0.018, 0.138), (x, 0.143), (x + 0.018, 0.138)], 0.008, (120, 70, 66))
