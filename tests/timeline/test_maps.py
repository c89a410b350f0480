"""Time maps are exact, piecewise and never map a missing part to something near."""

from fractions import Fraction

import numpy as np
import pytest

from gazeline.timeline.maps import Piece, TimeMap
from gazeline.timeline.rates import exact_rate, inclusive_interval_s
from gazeline.timeline.windows import windows_touching


def test_a_removed_part_maps_to_nothing():
    two = TimeMap((Piece(0, 10, 1.0, 5.0), Piece(20, 30, 1.0, -5.0)))
    assert two.to_copy(3) == 8
    assert two.to_copy(15) is None
    assert two.intervals_to_copy(8, 22) == [(13, 15), (15, 17)]
    assert two.coverage(0, 30) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "pieces",
    [
        (Piece(0, 10, 1, 0), Piece(9, 20, 1, 0)),
        (Piece(0, 10, 1, 0), Piece(10, 20, 1, -8)),
    ],
)
def test_pieces_that_go_back_are_refused(pieces):
    with pytest.raises(ValueError, match="overlap|go back"):
        TimeMap(pieces)


def test_a_map_survives_its_json():
    one = TimeMap((Piece(0, 10, 24000 / 25025, 0.25),))
    assert TimeMap.from_json(one.to_json()) == one


def test_a_piece_without_a_number_is_named():
    with pytest.raises(ValueError, match="piece 0 lacks rate"):
        TimeMap.from_json([{"annotation_start_s": 0, "annotation_end_s": 1, "offset_s": 0}])


@pytest.mark.parametrize(
    ("printed", "rate"),
    [
        (23.976, Fraction(24000, 1001)),
        (23.9759, Fraction(24000, 1001)),
        ("23.98", Fraction(24000, 1001)),
        (24, Fraction(24)),
        (24.0, Fraction(24)),
        ("25", Fraction(25)),
        (29.97, Fraction(30000, 1001)),
        (59.94, Fraction(60000, 1001)),
        ("18", Fraction(18)),
    ],
)
def test_printed_rates_mean_their_standard(printed, rate):
    assert exact_rate(printed) == rate


def test_windows_equal_the_clip_indices_of_the_release():
    fps = Fraction(24000, 1001)
    starts = np.array([float(Fraction(16 * k) / fps) for k in range(2000)])
    ends = np.array([float(Fraction(16 * (k + 1)) / fps) for k in range(2000)])
    rng = np.random.default_rng(0)
    rounded_starts, rounded_ends = np.round(starts, 3), np.round(ends, 3)
    for _ in range(500):
        first = int(rng.integers(0, 30_000))
        last = first + int(rng.integers(0, 1000))
        interval = inclusive_interval_s(first, last, fps)
        wanted = (first // 16, last // 16 + 1)
        assert windows_touching(starts, ends, interval, 0.5 / float(fps)) == wanted
        assert windows_touching(rounded_starts, rounded_ends, interval, 0.5 / float(fps)) == wanted
