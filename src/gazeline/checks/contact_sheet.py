"""A sheet with the first and last picture of a few segments as found in the copy, and the words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from gazeline.checks.samples import SampleSegment
from gazeline.files import atomic_path
from gazeline.timeline.maps import Interval

Pixels = npt.NDArray[np.uint8]
# The first and the last picture of a segment; None where the copy shows none.
Pair = tuple[Pixels | None, Pixels | None]

PICTURE_HEIGHT = 160
WIDEST = 300
TEXT_WIDTH = 560
LETTERS = 70
MARGIN, GAP = 16, 10
FONT_SIZE, LINE = 14, 19
MOST_LINES = 3
INK, SOFT, PAPER, RULE = (20, 20, 20), (105, 105, 105), (255, 255, 255), (225, 225, 225)
OURS, THEIRS = (0, 114, 178), (213, 94, 0)


def draw_sheet(title: str, rows: Sequence[tuple[SampleSegment, Pair]]) -> Image.Image:
    """Return the sheet: a row a segment, its first and last picture and its words beside them."""
    width = 2 * MARGIN + 2 * (_picture_width(rows) + GAP) + TEXT_WIDTH
    lines = wrap(title, (width - 2 * MARGIN) // 8)
    top = MARGIN + LINE * (len(lines) + 1)
    heights = [_row_height(sample) for sample, _ in rows]
    sheet = Image.new("RGB", (width, top + sum(heights) + MARGIN), PAPER)
    draw = ImageDraw.Draw(sheet)
    for index, line in enumerate(lines):
        draw.text((MARGIN, MARGIN + index * LINE), line, INK, _font(bold=True))
    for (sample, pictures), height in zip(rows, heights, strict=True):
        draw.line((MARGIN, top - GAP // 2, width - MARGIN, top - GAP // 2), RULE)
        _draw_row(sheet, draw, top, sample, pictures, _picture_width(rows))
        top += height
    return sheet


def write_sheet(path: Path, sheet: Image.Image) -> None:
    """Write the sheet as PNG."""
    with atomic_path(path) as temporary:
        sheet.save(temporary, format="PNG")


def clock(seconds: float) -> str:
    """Return a time as people read it off a player.

    >>> clock(3725.04)
    '1:02:05.04'
    """
    hundredths = round(max(0.0, seconds) * 100)
    whole, rest = divmod(hundredths, 100)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}.{rest:02d}"


def _picture_width(rows: Sequence[tuple[SampleSegment, Pair]]) -> int:
    widths = [picture.shape[1] for _, pair in rows for picture in pair if picture is not None]
    return min(WIDEST, max(widths, default=PICTURE_HEIGHT))


def _draw_row(
    sheet: Image.Image,
    draw: ImageDraw.ImageDraw,
    top: int,
    sample: SampleSegment,
    pictures: Pair,
    width: int,
) -> None:
    for index, (pixels, name) in enumerate(zip(pictures, ("first", "last"), strict=True)):
        left = MARGIN + index * (width + GAP)
        if pixels is None:
            draw.rectangle((left, top, left + width, top + PICTURE_HEIGHT), RULE)
            draw.text((left + GAP, top + GAP), f"no {name} picture", SOFT, _font())
            continue
        picture = Image.fromarray(pixels)
        picture.thumbnail((width, PICTURE_HEIGHT))
        sheet.paste(picture, (left, top))
    left = MARGIN + 2 * (width + GAP)
    for index, (text, colour, bold) in enumerate(_words(sample)):
        draw.text((left, top + index * LINE), text, colour, _font(bold=bold))


def _words(sample: SampleSegment) -> list[tuple[str, tuple[int, int, int], bool]]:
    """Return the lines beside the pictures: text, colour, bold."""
    rows = [
        (f"{sample.segment_id}  {sample.label}", INK, True),
        (f"annotated at  {_span(sample.annotation)}", SOFT, False),
        (f"in the copy at  {_span(sample.copy)}", SOFT, False),
    ]
    rows += [(line, OURS, False) for line in _shown("annotated: ", sample.lines)]
    if sample.copy_lines is not None:
        rows += [(line, THEIRS, False) for line in _shown("the copy: ", sample.copy_lines)]
    return rows


def _shown(name: str, lines: Sequence[str]) -> list[str]:
    """Return what is said, in a few lines."""
    wrapped = wrap(name + (" / ".join(lines) or "nothing is said"), LETTERS)
    if len(wrapped) > MOST_LINES:
        return [*wrapped[: MOST_LINES - 1], f"{wrapped[MOST_LINES - 1][: LETTERS - 2]} …"]
    return wrapped


def _span(interval: Interval) -> str:
    start, end = interval
    return f"{clock(start)} – {clock(end)}"


def _row_height(sample: SampleSegment) -> int:
    return max(PICTURE_HEIGHT, LINE * len(_words(sample))) + 2 * GAP


def _font(*, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return the font of the figures; it knows Latin, Greek, Cyrillic, Arabic and Hebrew."""
    from matplotlib import get_data_path

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(get_data_path()) / "fonts" / "ttf" / name), FONT_SIZE)
