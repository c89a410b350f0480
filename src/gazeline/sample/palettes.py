"""Colours of the sample films: a palette per film, none of them near the planted red."""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]

# The planted visual cue: nothing else in the films is this red.
SCARLET: Colour = (222, 18, 30)
CRIMSON: Colour = (170, 6, 26)


@dataclass(frozen=True)
class Palette:
    """Colours of a time of day."""

    sky_top: Colour
    sky_low: Colour
    distance: Colour
    land: Colour
    wall: Colour
    shade: Colour
    light: Colour
    water: Colour


PALETTES = {
    "noon": Palette(
        (92, 168, 218),
        (206, 232, 240),
        (132, 170, 176),
        (124, 164, 92),
        (222, 212, 188),
        (72, 88, 104),
        (255, 248, 214),
        (58, 132, 164),
    ),
    "overcast": Palette(
        (142, 156, 168),
        (208, 214, 214),
        (140, 152, 154),
        (112, 128, 104),
        (176, 180, 176),
        (62, 72, 80),
        (240, 240, 228),
        (96, 120, 132),
    ),
    "spring": Palette(
        (122, 192, 214),
        (232, 240, 216),
        (150, 188, 158),
        (140, 182, 84),
        (228, 222, 198),
        (80, 104, 88),
        (255, 252, 220),
        (86, 158, 170),
    ),
    "night": Palette(
        (14, 20, 48),
        (48, 62, 104),
        (34, 44, 78),
        (24, 40, 48),
        (58, 66, 96),
        (12, 16, 30),
        (250, 222, 140),
        (22, 42, 78),
    ),
    "dawn": Palette(
        (116, 142, 190),
        (240, 222, 196),
        (148, 152, 176),
        (104, 138, 104),
        (206, 196, 180),
        (70, 76, 98),
        (255, 240, 200),
        (110, 146, 172),
    ),
    "dusk": Palette(
        (52, 58, 108),
        (206, 172, 150),
        (86, 84, 122),
        (62, 78, 84),
        (122, 116, 132),
        (34, 36, 56),
        (252, 224, 158),
        (62, 78, 118),
    ),
}


def mixed(a: Colour, b: Colour, share_of_b: float) -> Colour:
    """Return a colour between two.

    >>> mixed((0, 0, 0), (200, 100, 50), 0.5)
    (100, 50, 25)
    """
    red, green, blue = (round(x + (y - x) * share_of_b) for x, y in zip(a, b, strict=True))
    return red, green, blue
