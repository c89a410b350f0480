"""The sentence a person reads."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gazeline.alignment.clocks import Clocks
from gazeline.alignment.describe import confidence_text, describe_map
from gazeline.timeline.maps import Piece, TimeMap

NTSC, PAL = Fraction(24000, 1001), Fraction(25)
SPEED_UP = float(NTSC / PAL)


@pytest.mark.parametrize(
    ("pieces", "sentence"),
    [
        ([(0, 40, 1, 0)], "The copy runs on the clock of the annotated version."),
        (
            [(0, 40, 1, 3.5)],
            "The copy runs at the speed of the annotated version and has 3.5 s before its start.",
        ),
        (
            [(0, 20, SPEED_UP, 0), (20, 40, SPEED_UP, 5)],
            "The copy runs 4.3 % faster (25 instead of 23.976 frames a second) and has a scene of "
            "5.0 s at 00:20 that the annotated version lacks.",
        ),
        (
            [(12.5, 30, 1.0021, -12.526)],
            "The copy runs 0.21 % slower, lacks the first 12.5 s of it and ends at 00:30 of the "
            "annotated 00:40.",
        ),
        (
            [(0, 10, 1, 0), (15, 40, 1, -5)],
            "The copy runs at the speed of the annotated version and lacks a scene of 5.0 s at "
            "00:10 of the annotated version.",
        ),
        ([], "Nothing of the annotated version was found in the copy."),
    ],
)
def test_map_is_told_in_one_sentence(pieces, sentence):
    time_map = TimeMap(tuple(Piece(*p) for p in pieces))
    assert describe_map(time_map, Clocks(40.0, NTSC, PAL)) == sentence


@pytest.mark.parametrize(
    ("confidence", "wanted", "text"),
    [(0.4976, 0.5, "0.498"), (0.49996, 0.5, "0.49996"), (0.5, 0.5, "0.50"), (0.3, 0.5, "0.30")],
)
def test_a_confidence_that_is_too_low_never_reads_as_enough(confidence, wanted, text):
    assert confidence_text(confidence, wanted) == text
