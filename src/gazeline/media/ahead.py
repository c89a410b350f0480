"""Prepare what an encoder takes next in a thread, while it works on what it has."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

T = TypeVar("T")
END = object()


def ahead(items: Generator[T, None, None], n_ready: int, stop: Event | None = None) -> Iterator[T]:
    """Yield the items of a generator that runs in a thread, at most `n_ready` items ahead.

    Decoders, numpy and torch let other threads run. An error of the generator is raised here.
    However the loop over the items ends, the generator has been closed afterwards.

    Args:
        stop: set when the loop ends early, so that a generator which looks at it need not finish
            the item it is at.
    """
    pool = ThreadPoolExecutor(1)
    try:
        ready = deque(pool.submit(next, items, END) for _ in range(n_ready))
        while (item := ready.popleft().result()) is not END:
            ready.append(pool.submit(next, items, END))
            yield item  # type: ignore[misc]
    finally:
        if stop is not None:
            stop.set()
        pool.shutdown(cancel_futures=True)
        items.close()
