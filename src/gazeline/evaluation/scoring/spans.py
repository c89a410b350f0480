"""Sets of time as sorted, disjoint intervals [start_s, end_s). Pure."""

from __future__ import annotations

from collections.abc import Iterable

Span = tuple[float, float]
Spans = tuple[Span, ...]


def union(spans: Iterable[Span]) -> Spans:
    """Return the same time as intervals that are sorted and neither overlap nor touch."""
    joined: list[Span] = []
    for start_s, end_s in sorted(span for span in spans if span[1] > span[0]):
        if joined and start_s <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end_s))
        else:
            joined.append((start_s, end_s))
    return tuple(joined)


def common(first: Spans, second: Spans) -> Spans:
    """Return the time that two unions have in common."""
    found: list[Span] = []
    i = j = 0
    while i < len(first) and j < len(second):
        start_s, end_s = max(first[i][0], second[j][0]), min(first[i][1], second[j][1])
        if end_s > start_s:
            found.append((start_s, end_s))
        if first[i][1] <= second[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


def length_s(spans: Spans) -> float:
    """Return how long a union is, seconds."""
    return float(sum(end_s - start_s for start_s, end_s in spans))


def intersection_over_union(true: Spans, found: Spans) -> float:
    """Return the shared time over the time of either; 1 where neither has any.

    That nothing is found where nothing is true is right: the task paper leaves it open.
    """
    both = length_s(common(true, found))
    either = length_s(true) + length_s(found) - both
    return both / either if either else 1.0
