"""Frame rates as exact fractions."""

from __future__ import annotations

from fractions import Fraction

NTSC = (Fraction(24000, 1001), Fraction(30000, 1001), Fraction(60000, 1001))
WHOLE = tuple(Fraction(n) for n in (12, 15, 24, 25, 30, 48, 50, 60, 100, 120))
NEAR = Fraction(1, 2000)


def exact_rate(value: str | float | int | Fraction) -> Fraction:
    """Return the standard rate a printed frame rate stands for.

    23.976, 23.9759 and 23.98 mean 24000/1001: over two hours the printed value is up to 29
    frames off. A value near no standard rate is kept as it is printed.

    Raises:
        ValueError: the value is not a positive number.

    >>> exact_rate("23.976"), exact_rate(23.9759), exact_rate("24000/1001")
    (Fraction(24000, 1001), Fraction(24000, 1001), Fraction(24000, 1001))
    >>> exact_rate(24), exact_rate("29.97"), exact_rate("17.5")
    (Fraction(24, 1), Fraction(30000, 1001), Fraction(35, 2))
    """
    rate = value if isinstance(value, Fraction) else Fraction(str(value).strip())
    if rate <= 0:
        raise ValueError(f"frame rate {value!r} is not positive")
    if rate in WHOLE:
        return rate
    for standard in NTSC:
        if abs(rate - standard) / standard < NEAR / 2:
            return standard
    for standard in WHOLE:
        if abs(rate - standard) / standard < NEAR / 50:
            return standard
    return rate


def frame_start_s(frame: int, fps: Fraction) -> float:
    """Return the time at which `frame` begins, in seconds.

    >>> frame_start_s(24000, Fraction(24000, 1001))
    1001.0
    """
    return float(Fraction(frame) / fps)


def inclusive_interval_s(start_frame: int, end_frame: int, fps: Fraction) -> tuple[float, float]:
    """Return the half-open interval of an inclusive frame range: end is (end_frame+1)/fps.

    >>> inclusive_interval_s(0, 23, Fraction(24))
    (0.0, 1.0)
    """
    return frame_start_s(start_frame, fps), frame_start_s(end_frame + 1, fps)
