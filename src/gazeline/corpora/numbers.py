"""Numbers as release files print them: frames, and seconds with a point or a comma."""

from __future__ import annotations

import math

from gazeline.corpora.problems import MAX_FRAME


def frame_number(text: str) -> int | None:
    """Return a frame number, or None where the text is none."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(MAX_FRAME)):
        return None
    return int(text)


def decimal(text: str) -> float | None:
    """Return a finite number, with a decimal point or comma, or None where the text is none."""
    try:
        value = float(text.replace(",", ".")) if "_" not in text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None
