"""How far a map by text is trusted: by the number of lines, their share, and the residual."""

from __future__ import annotations

import pytest

from gazeline.alignment.align import REFUSED
from gazeline.alignment.confidence import Evidence, text_confidence
from gazeline.alignment.rates import within_limit
from gazeline.alignment.record import Residual


def confidence(lines: int, share: float, median_s: float = 0.02, p95_s: float = 0.1) -> float:
    return text_confidence(Evidence(lines, lines, share, Residual(median_s, p95_s), 1000, 1000))


def test_few_lines_that_are_a_quarter_of_all_are_refused_and_many_are_sure():
    assert confidence(4, 0.25) < REFUSED
    assert confidence(5, 0.25) < REFUSED
    assert confidence(300, 0.25) > 0.8


def test_two_lines_are_refused_even_if_they_are_all():
    assert confidence(2, 1.0) < REFUSED
    assert confidence(8, 1.0) > 0.9


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 1.0])
def test_more_lines_or_a_larger_share_are_never_trusted_less(share):
    numbers = [confidence(lines, share) for lines in range(1, 200)]
    assert numbers == sorted(numbers)
    shares = [confidence(12, share * k / 10) for k in range(1, 11)]
    assert shares == sorted(shares)


def test_residual_counts_where_lines_are_few():
    assert confidence(6, 0.7, median_s=0.1, p95_s=0.23) > 0.5
    assert confidence(6, 0.7, median_s=0.24, p95_s=0.38) < 0.5
    assert confidence(600, 0.7, median_s=0.24, p95_s=0.38) > 0.8


def test_speed_stays_within_the_limit():
    assert [within_limit(r, 0.06) for r in (0.9015, 1.0, 1.2)] == [0.94, 1.0, 1.06]
