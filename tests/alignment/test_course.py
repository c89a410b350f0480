"""The likeliest course, against an exhaustive search."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gazeline.alignment.course import DRIFT, JUMP, NOWHERE, find_course

CHUNK = 2


def worth(scores, places, drift):
    """Return the score of one way to place the chunks, or None where the copy runs backwards."""
    total, end, before = 0.0, 0, None
    for chunk, place in enumerate(places):
        if place == NOWHERE:
            before = None
            continue
        off = None if before is None else place - before - CHUNK
        if off == 0 or (drift and off in (-1, 1)):
            total -= DRIFT * abs(off)
        elif place < end:
            return None
        else:
            total -= JUMP
        total += scores[chunk, place]
        end, before = place + CHUNK, place
    return total


@pytest.mark.parametrize("drift", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_no_other_course_scores_more(seed, drift):
    scores = (20 * np.random.default_rng(seed).random((4, 7))).astype(np.float32)
    found = find_course(scores, CHUNK, drift=drift)
    ways = product(range(NOWHERE, 7), repeat=4)
    best = max(w for places in ways if (w := worth(scores, places, drift)) is not None)
    assert found.score == pytest.approx(best, abs=1e-3)
    assert worth(scores, tuple(found.position), drift) == pytest.approx(best, abs=1e-3)


def test_nothing_is_placed_where_nothing_is_worth_a_jump():
    found = find_course(np.full((3, 5), 2.0, dtype=np.float32), CHUNK, drift=False)
    assert found.score == 0.0
    assert list(found.position) == [NOWHERE] * 3


def test_missing_chunk_is_left_out_and_the_rest_taken_up_where_it_goes_on():
    scores = np.full((3, 7), -50, dtype=np.float32)
    scores[0, 1] = scores[2, 3] = 40
    assert list(find_course(scores, CHUNK, drift=False).position) == [1, NOWHERE, 3]
