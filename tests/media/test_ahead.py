"""What comes next is made in a thread: in order, not too far ahead, and cleanly stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from gazeline.media.ahead import ahead


def numbers(made: list[int], closed: threading.Event, fail_at: int | None = None) -> Iterator[int]:
    try:
        for number in range(20):
            if number == fail_at:
                raise ValueError(f"no number {number}")
            made.append(number)
            yield number
    finally:
        closed.set()


def iter_into(taken: list[int], coming: Iterator[int]) -> None:
    """Append what comes, one by one, so that it is there also after an error."""
    for number in coming:
        taken.append(number)


def test_items_come_in_order_and_never_more_than_asked_for_ahead():
    made: list[int] = []
    taken = []
    for number in ahead(numbers(made, threading.Event()), 3):
        taken.append(number)
        time.sleep(0.002)
        assert len(made) <= len(taken) + 3
    assert taken == list(range(20))


def test_an_error_comes_after_the_items_before_it():
    taken = []
    closed = threading.Event()
    coming = ahead(numbers([], closed, fail_at=5), 2)
    with pytest.raises(ValueError, match="no number 5"):
        iter_into(taken, coming)
    assert taken == [0, 1, 2, 3, 4]
    assert closed.is_set()


def test_a_loop_that_is_left_closes_the_generator_and_ends_its_thread():
    before = threading.active_count()
    made: list[int] = []
    closed, stop = threading.Event(), threading.Event()
    coming = ahead(numbers(made, closed), 2, stop)
    assert next(coming) == 0
    coming.close()
    assert closed.is_set()
    assert stop.is_set()
    assert len(made) <= 4
    assert threading.active_count() == before
