"""Alignment by length and frame rate alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gazeline.alignment.clocks import Clocks
from gazeline.alignment.duration import align_by_duration
from gazeline.timeline.maps import Piece

NTSC, PAL = Fraction(24000, 1001), Fraction(25)


def by_duration(clocks: Clocks):
    return align_by_duration(clocks, largest_deviation=0.04, largest_rate_deviation=0.06)


def test_same_rate_and_length_is_the_identity_with_a_low_confidence():
    match = by_duration(Clocks(40.0, NTSC, NTSC, 0.0, 40.04))
    assert match.time_map.pieces == (Piece(0.0, 40.0, 1.0, 0.0),)
    assert match.confidence == 0.3


def test_pal_copy_as_much_shorter_as_it_is_faster_is_a_speed_up():
    match = by_duration(Clocks(7200.0, NTSC, PAL, 0.0, 7200 * 24000 / 25025))
    assert match.rate == NTSC / PAL
    assert match.confidence == pytest.approx(0.3)


def test_pal_copy_of_the_annotated_length_is_not_a_speed_up():
    assert by_duration(Clocks(7200.0, NTSC, PAL, 0.0, 7205.0)).rate == 1


def test_confidence_falls_with_the_difference_of_length_down_to_nothing():
    lengths = [7202.0, 7300.0, 7400.0, 7485.0, 7600.0, 6500.0]
    confidences = [by_duration(Clocks(7200.0, NTSC, NTSC, 0.0, n)).confidence for n in lengths]
    assert confidences == sorted(confidences, reverse=True)
    assert confidences[0] == 0.3
    assert 0.1 <= confidences[3] < 0.12
    assert confidences[4:] == [0.0, 0.0]


def test_shorter_copy_maps_nothing_beyond_its_end():
    match = by_duration(Clocks(7200.0, NTSC, NTSC, 0.0, 7100.0))
    assert match.time_map.pieces == (Piece(0.0, 7100.0, 1.0, 0.0),)


def test_copy_of_sound_alone_is_taken_to_run_at_the_same_speed():
    assert by_duration(Clocks(60.0, NTSC, None, 0.0, 60.0)).rate == 1


def test_clock_of_the_copy_that_starts_late_is_followed():
    match = by_duration(Clocks(60.0, NTSC, NTSC, 1.5, 61.5))
    assert match.time_map.pieces == (Piece(0.0, 60.0, 1.0, 1.5),)


def test_a_short_copy_must_fit_at_the_speed_chosen():
    longer = by_duration(Clocks(40.0, NTSC, PAL, 0.0, 40.4))
    assert longer.rate == 1
    assert 0.25 < longer.confidence < 0.3
    shorter = by_duration(Clocks(40.0, NTSC, PAL, 0.0, 38.36))
    assert (shorter.rate, shorter.confidence) == (NTSC / PAL, 0.3)
    assert by_duration(Clocks(38.0, NTSC, NTSC, 0.0, 40.0)).confidence == 0.0
