"""Find our value of a published figure in the metrics. Pure.

A source is an operation and paths into the metrics, e.g. `minus` and two paths. A path's first part
names the file (`summary`, `comparisons`, `agreement`, `description`, `consistency`) or `chance`; a
part `*` stands for every key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    return Ours(_apply(operation, found), _n(operation, metrics, paths, found))


def _apply(operation: str, found: Sequence[Found]) -> float | str:
    name, _, argument = operation.partition(":")
    if name == "value":
        value: float | str = found[0][0]
        return value
    if name == "share_of":
        return float(found[0][0].get(argument, {}).get("share_of_films", 0.0))
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


OVER_RUNS_OR_SEGMENTS = ("value", "minus", "percent", "rest")
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


def _n(
    operation: str, metrics: Metrics, paths: Sequence[str], found: Sequence[Found]
) -> int | None:
    """Return over how many a value is; None where it is not over any, or not known."""
    name = operation.partition(":")[0]
    if name in ("at_least", "below"):
        return sum(len(values) for values in found)
    if name == "falls":
        return len(found) // 2
    if name == "share_of":
        return _total(metrics, "description/n_films")
    return _size(metrics, paths[0].split("/")) if name in OVER_RUNS_OR_SEGMENTS else None


def _size(metrics: Metrics, keys: Sequence[str]) -> int | None:
    """Return the n of one place: runs of a score, folds of a chance, segments of a share."""
    match keys:
        case ["summary", _, "parameters"]:
            return None
        case ["summary", name, *rest]:
            n = metrics["summary"][name].get("n", {})
            return n.get("folds", 0) * (1 if "random" in rest else n.get("seeds", 0)) or None
        case ["description", "concepts", "by_annotator", annotator, _]:
            return _total(metrics, f"description/levels/by_annotator/{annotator}/*/n")
        case ["description", "concepts", "mean_by_level", level]:
            return _total(metrics, f"description/levels/all/{level}/n")
        case ["description", "levels", *whose, _, _]:
            return _total(metrics, "/".join(["description/levels", *whose, "*/n"]))
        case ["consistency", *_]:
            parent = "/".join(keys[:-1])
            return _total(metrics, f"{parent}/n_positive", f"{parent}/n_negative")
        case [kind, *_, _]:
            name = "n_observed" if kind == "agreement" else "n"
            return _total(metrics, "/".join([*keys[:-1], name]))
    return None


def _total(metrics: Metrics, *paths: str) -> int | None:
    """Return the sum of the numbers at the paths; None where there is none."""
    numbers = [value for path in paths for value in _values(metrics, path.split("/"))]
    return sum(numbers) if numbers and all(isinstance(n, int) for n in numbers) else None
