"""Find our value of a published figure in the metrics. Pure.

A source is an operation and paths into the metrics, e.g. `minus` and two paths. A path's first part
names the file (`summary`, `comparisons`, `agreement`, `description`, `consistency`); a part `*`
stands for every key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SIZES = ("n", "n_observed", "n_positive", "n_segments")

Metrics = Mapping[str, Mapping[str, Any]]
Number = float
Found = list[Any]


@dataclass(frozen=True)
class Ours:
    """Our value, and over how many (runs, pairs of annotations, segments) where that is told."""

    value: float | str
    n: int | None


@dataclass(frozen=True)
class Absent:
    """A path that leads nowhere."""

    path: str


def look_up(source: Sequence[str], metrics: Metrics) -> Ours | Absent:
    """Return our value of a source, or the first path that the metrics do not have."""
    operation, *paths = source
    found = []
    for path in paths:
        values = _values(metrics, path.split("/"))
        if not values:
            return Absent(path)
        found.append(values)
    return Ours(_apply(operation, found), _size(metrics, paths[0].split("/")))


def _apply(operation: str, found: Sequence[Found]) -> float | str:
    name, _, argument = operation.partition(":")
    if name == "value":
        value: float | str = found[0][0]
        return value
    everything = [value for values in found for value in values]
    if name == "at_least":
        return _how_many(value >= float(argument) for value in everything)
    if name == "below":
        return _how_many(value < float(argument) for value in everything)
    return OPERATIONS[name](found)


def _falls(found: Sequence[Found]) -> int:
    before, after = found[::2], found[1::2]
    return _how_many(b[0] > a[0] for b, a in zip(before, after, strict=True))


def _how_many(answers: Iterable[bool]) -> int:
    return sum(1 for answer in answers if answer)


OPERATIONS: Mapping[str, Callable[[Sequence[Found]], float]] = {
    "count": lambda found: len(found[0][0]),
    "falls": _falls,
    "highest": lambda found: max(found[0]),
    "minus": lambda found: found[0][0] - found[1][0],
    "minutes_each": lambda found: 60 * found[0][0] / found[1][0],
    "percent": lambda found: 100 * found[0][0],
    "rest": lambda found: sum(found[1]) - found[0][0],
}


def _values(place: Any, keys: Sequence[str]) -> Found:
    """Return what stands at the end of a path; nothing where it breaks off."""
    if not keys:
        return [place]
    if not isinstance(place, Mapping):
        return []
    if keys[0] == "*":
        branches = [_values(place[key], keys[1:]) for key in sorted(place)]
        return [value for branch in branches for value in branch]
    return _values(place[keys[0]], keys[1:]) if keys[0] in place else []


def _size(metrics: Metrics, keys: Sequence[str]) -> int | None:
    """Return the n nearest above the end of a path."""
    places: list[Any] = [metrics]
    for key in keys[:-1]:
        if not isinstance(places[-1], Mapping) or key not in places[-1]:
            break
        places.append(places[-1][key])
    for place in reversed(places):
        for name in SIZES if isinstance(place, Mapping) else ():
            size = place.get(name)
            if isinstance(size, Mapping):
                size = size.get("pairs") or size.get("folds", 0) * size.get("seeds", 0)
            if isinstance(size, int) and size:
                return size
    return None
