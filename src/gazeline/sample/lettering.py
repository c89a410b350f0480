"""Title cards, the studio logo and captions, in Pillow's own font."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from unicodedata import normalize

from PIL import Image, ImageDraw, ImageFont

from gazeline.sample.cutout import Cutout
from gazeline.sample.dialogue import wrapped
from gazeline.sample.palettes import PALETTES, Colour, mixed
from gazeline.sample.scenery import HEIGHT, WIDTH

OVERSAMPLING = 2
CAPTION_SIZE = 13
CAPTION_WIDTH = 330
INK: Colour = (250, 246, 232)


@lru_cache(maxsize=8)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return Pillow's embedded font, the same on every machine."""
    loaded = ImageFont.load_default(size)
    if not isinstance(loaded, ImageFont.FreeTypeFont):
        raise TypeError("this Pillow was built without FreeType; install the wheel")
    return loaded


@lru_cache(maxsize=4)
def title_card(palette: str, lettering: tuple[str, ...]) -> Image.Image:
    """Return a film's title over its year, with ornaments, in the film's own colours."""
    colours = PALETTES[palette]
    ground = mixed(colours.shade, colours.sky_top, 0.35)
    card = Image.new("RGB", (WIDTH * OVERSAMPLING, HEIGHT * OVERSAMPLING), ground)
    draw = ImageDraw.Draw(card)
    _halo(draw, card.size, ground, colours.sky_top)
    w, h = card.size
    for inset in (16, 24):
        draw.rectangle((inset, inset, w - inset, h - inset), outline=colours.light, width=2)
    title, year = lettering
    draw.text((w / 2, h * 0.46), title, font=font(74), fill=INK, anchor="mm")
    draw.line((w * 0.32, h * 0.62, w * 0.68, h * 0.62), fill=colours.light, width=3)
    draw.text((w / 2, h * 0.73), year, font=font(36), fill=colours.light, anchor="mm")
    return card.reduce(OVERSAMPLING)


@lru_cache(maxsize=4)
def logo_card(lettering: tuple[str, ...]) -> Image.Image:
    """Return the still part of the studio's logo."""
    ground: Colour = (12, 18, 34)
    card = Image.new("RGB", (WIDTH * OVERSAMPLING, HEIGHT * OVERSAMPLING), ground)
    draw = ImageDraw.Draw(card)
    _halo(draw, card.size, ground, (44, 62, 104))
    w, h = card.size
    draw.text((w / 2, h * 0.72), lettering[0], font=font(60), fill=INK, anchor="mm")
    draw.text((w / 2, h * 0.87), lettering[1], font=font(30), fill=(190, 196, 214), anchor="mm")
    return card.reduce(OVERSAMPLING)


def turning_star(frame: Image.Image, share: float) -> None:
    """Draw the logo's star, turned by `share` of its way."""
    draw = ImageDraw.Draw(frame)
    points = []
    for k in range(10):
        radius = (44 if k % 2 == 0 else 18) * (0.6 + 0.4 * min(1.0, share * 2))
        angle = pi * k / 5 - pi / 2 + share * pi / 2
        points.append((WIDTH / 2 + radius * cos(angle), HEIGHT * 0.35 + radius * sin(angle)))
    draw.polygon(points, fill=(246, 214, 128))


def _halo(draw: ImageDraw.ImageDraw, size: tuple[int, int], edge: Colour, middle: Colour) -> None:
    w, h = size
    steps = 24
    for k in range(steps):
        share = 1 - k / steps
        box = (w / 2 * (1 - share), h / 2 * (1 - share), w / 2 * (1 + share), h / 2 * (1 + share))
        draw.ellipse(box, fill=mixed(middle, edge, share**0.7))


@lru_cache(maxsize=64)
def caption(text: str, boxed: bool) -> Cutout:
    """Return a spoken line as a transparent strip; `boxed` lays a dark bar under it."""
    letters = font(CAPTION_SIZE)
    lines = _broken(_unaccented(text), letters)
    tall = 17 * len(lines) + 8
    strip = Image.new("RGBA", (WIDTH, tall), (0, 0, 0, 0))
    draw = ImageDraw.Draw(strip)
    if boxed:
        widest = max(letters.getlength(line) for line in lines) / 2 + 10
        box = (WIDTH / 2 - widest, 0, WIDTH / 2 + widest, tall - 2)
        draw.rounded_rectangle(box, 5, fill=(16, 18, 24, 190))
    for i, line in enumerate(lines):
        draw.text(
            (WIDTH / 2, 11 + 17 * i),
            line,
            font=letters,
            fill=(*INK, 255),
            anchor="mm",
            stroke_width=0 if boxed else 2,
            stroke_fill=(12, 12, 16, 255),
        )
    return Cutout.of(strip)


def _unaccented(text: str) -> str:
    """Return the text in the letters that the embedded font has."""
    return normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def _broken(text: str, letters: ImageFont.FreeTypeFont) -> list[str]:
    """Break a line near its middle where it is wider than a caption."""
    fits = letters.getlength(text) <= CAPTION_WIDTH
    return [text] if fits else wrapped(text).split("\n")
