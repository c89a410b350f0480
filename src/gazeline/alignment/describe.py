"""Say in plain English how a copy differs from the annotated version."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from gazeline.alignment.clocks import Clocks
from gazeline.alignment.rates import FILM_RATES
from gazeline.timeline.maps import Piece, TimeMap

# Shifts below this are not worth a word.
NOTABLE_S = 0.05
MOST_SCENES_LISTED = 4
TAIL_S = 1.0


def describe_map(time_map: TimeMap, clocks: Clocks) -> str:
    """Return one sentence on speed, start, scenes more or fewer, and end of the copy."""
    if not time_map.pieces:
        return "Nothing of the annotated version was found in the copy."
    pieces = time_map.pieces
    parts = [_speed(pieces[0].rate, clocks), *_start(pieces[0]), *_scenes(pieces)]
    parts += _end(pieces[-1], clocks.duration_s)
    if len(parts) == 1 and pieces[0].rate == 1:
        return "The copy runs on the clock of the annotated version."
    return f"The copy {_joined(parts)}."


def clock_time(seconds: float) -> str:
    """Return minutes and seconds, with hours from one hour on.

    >>> clock_time(20.4), clock_time(3725)
    ('00:20', '1:02:05')
    """
    whole = round(max(0.0, seconds))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes:02d}:{rest:02d}"


def confidence_text(confidence: float, wanted: float) -> str:
    """Return two digits, or as many more as it takes to see that less than `wanted` is less.

    >>> confidence_text(0.3, 0.5), confidence_text(0.4976, 0.5), confidence_text(0.9999, 0.5)
    ('0.30', '0.498', '1.00')
    """
    digits = 2
    while confidence < wanted <= float(f"{confidence:.{digits}f}"):
        digits += 1
    return f"{confidence:.{digits}f}"


def fps_text(fps: Fraction) -> str:
    """Return a frame rate as people write it.

    >>> fps_text(Fraction(24000, 1001)), fps_text(Fraction(25))
    ('23.976', '25')
    """
    return f"{float(fps):.3f}".rstrip("0").rstrip(".")


def _speed(rate: float, clocks: Clocks) -> str:
    if rate == 1:
        return "runs at the speed of the annotated version"
    change = abs(1 / rate - 1) * 100
    percent = f"{change:.1f}" if change >= 1 else f"{change:.2f}"
    word = "faster" if rate < 1 else "slower"
    frames = _frame_rates(rate, clocks)
    return f"runs {percent} % {word}" + (f" ({frames} frames a second)" if frames else "")


def _frame_rates(rate: float, clocks: Clocks) -> str | None:
    """Name the two frame rates whose quotient is the speed, the known ones first."""
    pairs = [(a, b) for a in FILM_RATES for b in FILM_RATES]
    if clocks.annotation_fps is not None:
        pairs = [(clocks.annotation_fps, b) for b in FILM_RATES] + pairs
        if clocks.copy_fps is not None:
            pairs = [(clocks.annotation_fps, clocks.copy_fps), *pairs]
    for annotated, copy in pairs:
        if float(annotated / copy) == rate:
            return f"{fps_text(copy)} instead of {fps_text(annotated)}"
    return None


def _start(first: Piece) -> Iterator[str]:
    at = first.to_copy(0.0)
    if first.annotation_start_s > NOTABLE_S:
        yield f"lacks the first {first.annotation_start_s:.1f} s of it"
    elif at > NOTABLE_S:
        yield f"has {at:.1f} s before its start"
    elif at < -NOTABLE_S:
        yield f"starts {-at:.1f} s into it"


def _scenes(pieces: tuple[Piece, ...]) -> list[str]:
    more, fewer = [], []
    for before, after in pairwise(pieces):
        missing = after.annotation_start_s - before.annotation_end_s
        added = after.to_copy(after.annotation_start_s) - before.to_copy(before.annotation_end_s)
        if added > NOTABLE_S:
            more.append((added, clock_time(before.annotation_end_s)))
        if missing > NOTABLE_S:
            fewer.append((missing, clock_time(before.annotation_end_s)))
    return [
        *_listed(more, "has", "that the annotated version lacks"),
        *_listed(fewer, "lacks", "of the annotated version"),
    ]


def _listed(scenes: list[tuple[float, str]], verb: str, ending: str) -> Iterator[str]:
    if not scenes:
        return
    total = sum(seconds for seconds, _ in scenes)
    if len(scenes) == 1:
        yield f"{verb} a scene of {total:.1f} s at {scenes[0][1]} {ending}"
    elif len(scenes) <= MOST_SCENES_LISTED:
        each = _joined([f"{seconds:.1f} s at {at}" for seconds, at in scenes])
        yield f"{verb} {len(scenes)} scenes {ending} ({each})"
    else:
        yield f"{verb} {len(scenes)} scenes of {total:.1f} s together {ending}"


def _end(last: Piece, duration_s: float) -> Iterator[str]:
    if last.annotation_end_s < duration_s - TAIL_S:
        yield (
            f"ends at {clock_time(last.annotation_end_s)} of the annotated {clock_time(duration_s)}"
        )


def _joined(parts: list[str]) -> str:
    """Return `a`, `a and b`, or `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
