"""Align by length and frame rate alone: the last resort, and never more than a guess."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from gazeline.alignment.clocks import Clocks, within_copy
from gazeline.alignment.rates import standard_rates
from gazeline.timeline.maps import Piece, TimeMap

LOWEST_CONFIDENCE, HIGHEST_CONFIDENCE = 0.1, 0.3
# Annotations may end a little before the film does, but not by much of a short one.
SLACK_S, SLACK_SHARE = 2.0, 0.005
# The frame rates decide between two speeds unless the lengths contradict them by this much.
FRAME_RATE_ADVANTAGE = 0.015


@dataclass(frozen=True)
class DurationMatch:
    """A map of one piece; `deviation` is how much longer (+) the copy is than it should be."""

    time_map: TimeMap
    rate: Fraction
    deviation: float
    confidence: float


def align_by_duration(
    clocks: Clocks, *, largest_deviation: float, largest_rate_deviation: float
) -> DurationMatch:
    """Map the film from its start at the speed that frame rates and lengths speak for.

    `confidence` is 0 where the lengths differ by more than `largest_deviation` (a share), else
    from 0.1 to 0.3 by how well they agree. The copy's length must be known.
    """
    rate = _likely_rate(clocks, largest_rate_deviation)
    deviation = _deviation(clocks, rate)
    piece = Piece(0.0, clocks.duration_s, float(rate), clocks.copy_start_s)
    time_map = within_copy([piece], clocks, None)
    if abs(deviation) > largest_deviation:
        return DurationMatch(time_map, rate, deviation, 0.0)
    agreement = 1 - abs(deviation) / largest_deviation
    spread = HIGHEST_CONFIDENCE - LOWEST_CONFIDENCE
    return DurationMatch(
        time_map, rate, deviation, round(LOWEST_CONFIDENCE + spread * agreement, 4)
    )


def _likely_rate(clocks: Clocks, largest_rate_deviation: float) -> Fraction:
    expected = clocks.expected_rate
    if expected is None or expected not in standard_rates(largest_rate_deviation):
        return Fraction(1)
    advantage = abs(_deviation(clocks, expected)) - abs(_deviation(clocks, Fraction(1)))
    return Fraction(1) if advantage > FRAME_RATE_ADVANTAGE else expected


def _deviation(clocks: Clocks, rate: Fraction) -> float:
    """Return the difference of the copy's length to the one expected, as a share of that."""
    if clocks.copy_end_s is None:
        raise ValueError("the length of the copy is not known")
    wanted = float(rate) * clocks.duration_s
    excess = clocks.copy_end_s - clocks.copy_start_s - wanted
    beyond = max(0.0, abs(excess) - min(SLACK_S, SLACK_SHARE * wanted))
    return (beyond if excess > 0 else -beyond) / wanted
