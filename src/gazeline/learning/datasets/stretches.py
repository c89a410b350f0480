"""Stretches of film as samples of tasks over time, and what each is to be answered with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gazeline.errors import LearningError
from gazeline.learning.datasets.corpus import Corpus, Row
from gazeline.learning.datasets.shot_rows import check_label
from gazeline.learning.datasets.tasks import UNUSED, make_task
from gazeline.params.corpora import ConceptGroups
from gazeline.params.kinds import INTERVALS, measures_of
from gazeline.params.learning import TaskChoice, is_segment_task
from gazeline.params.temporal import ScenesParams

NO_INTERVAL = "stretch without an interval, not trained on"
SERIES_ANNOTATOR = "mean"
# Shorter stretches are what is left of a film by rounding.
LEAST_S = 0.5


@dataclass(frozen=True)
class OverTime:
    """The stretches of a task over time, the rows of `targets.parquet`, and the class names."""

    stretches: list[Row]
    targets: list[Row]
    classes: tuple[str, ...]
    step_s: float


@dataclass(frozen=True)
class Labelled:
    """The intervals of one film by one annotator: (start_s, end_s, class, or -1 for none)."""

    film_id: str
    annotator: str
    intervals: list[tuple[float, float, int]]


def detection(
    corpus: Corpus, choice: TaskChoice, groups: ConceptGroups, scenes: ScenesParams, where: str
) -> OverTime:
    """Cut films into stretches and list the intervals that lie in each, cut at its edges.

    Intervals are the segments of a label, or those that a task for segments has a positive class
    for. Of the latter, negative segments are listed with class -1: their bounds are known.

    Raises:
        LearningError: the label is unknown to the corpus.
    """
    what = choice.task.removeprefix(INTERVALS)
    if is_segment_task(what):
        task = make_task(what, groups, choice.modalities)
        classes = task.classes[1:]
        labelled = _by_task(corpus, choice, groups, what)
    else:
        check_label(corpus, what, where)
        classes = (what,)
        labelled = [
            Labelled(film, annotator, [(e["start_s"], e["end_s"], 0) for e in events])
            for (film, annotator), events in sorted(corpus.of_label(what).items())
        ]
    stretches, targets = [], []
    for each in labelled:
        for stretch in _cut(each.film_id, each.annotator, 0.0, _length_s(corpus, each), scenes):
            inside = list(_inside(stretch, each.intervals))
            stretches.append(stretch | {"empty": not any(t["target"] >= 0 for t in inside)})
            targets += inside
    return OverTime(stretches, targets, classes, scenes.step_s)


def regression(corpus: Corpus, choice: TaskChoice, scenes: ScenesParams, where: str) -> OverTime:
    """Cut what has values of every measure into stretches of whole seconds.

    Raises:
        LearningError: the corpus has no values of a measure.
    """
    measures = measures_of(choice.task)
    values: dict[str, dict[int, dict[str, float]]] = {}
    for row in corpus.series:
        if row["measure"] in measures:
            of_second = values.setdefault(row["film_id"], {}).setdefault(row["second"], {})
            of_second[row["measure"]] = row["value"]
    known = sorted({row["measure"] for row in corpus.series})
    unknown = [measure for measure in measures if measure not in known]
    if unknown:
        raise LearningError(
            f"{corpus.name} has no series of {', '.join(unknown)}",
            where=where,
            todo=f"take of {', '.join(known) or 'none'}",
        )
    stretches, targets = [], []
    for film, seconds in sorted(values.items()):
        whole = {s: of for s, of in sorted(seconds.items()) if len(of) == len(measures)}
        if not whole:
            continue
        end_s = float(max(whole) + 1)
        for stretch in _cut(film, SERIES_ANNOTATOR, float(min(whole)), end_s, scenes):
            inside = [s for s in whole if stretch["start_s"] <= s < stretch["end_s"]]
            if inside:
                stretches.append(stretch | {"empty": False})
                targets += [_value_row(stretch, s, [whole[s][m] for m in measures]) for s in inside]
    return OverTime(stretches, targets, measures, 1.0)


def _by_task(
    corpus: Corpus, choice: TaskChoice, groups: ConceptGroups, name: str
) -> list[Labelled]:
    task = make_task(name, groups, choice.modalities)
    found: dict[tuple[str, str], Labelled] = {}
    for row in sorted(corpus.segments, key=lambda r: (r["film_id"], r["annotator"], r["start_s"])):
        pair = (row["film_id"], row["annotator"])
        target = task.target(row["label"], row["concepts"], "specific")
        if target != UNUSED:
            of_pair = found.setdefault(pair, Labelled(*pair, []))
            of_pair.intervals.append((row["start_s"], row["end_s"], target - 1))
    return list(found.values())


def _length_s(corpus: Corpus, labelled: Labelled) -> float:
    last_s = max((end for _, end, _ in labelled.intervals), default=0.0)
    return max(corpus.durations_s.get(labelled.film_id, 0.0), last_s)


def _cut(
    film: str, annotator: str, start_s: float, end_s: float, scenes: ScenesParams
) -> Iterator[Row]:
    """Yield stretches of `scenes.length_s`; what is left at the end is a shorter one."""
    for number in range(max(1, math.ceil((end_s - start_s) / scenes.length_s))):
        first = start_s + number * scenes.length_s
        last = min(first + scenes.length_s, end_s)
        if last - first < LEAST_S:
            continue
        yield {
            "segment_id": f"{film}/{annotator}/scene-{number}",
            "film_id": film,
            "annotator": annotator,
            "start_s": first,
            "end_s": last,
        }


def _inside(stretch: Row, intervals: Sequence[tuple[float, float, int]]) -> Iterator[Row]:
    for start_s, end_s, target in dict.fromkeys(intervals):
        first, last = max(start_s, stretch["start_s"]), min(end_s, stretch["end_s"])
        if last > first:
            yield _target_row(stretch, first, last, target, [])


def _value_row(stretch: Row, second: int, values: list[float]) -> Row:
    return _target_row(stretch, float(second), float(second + 1), UNUSED, values)


def _target_row(
    stretch: Row, start_s: float, end_s: float, target: int, values: list[float]
) -> Row:
    return {
        "segment_id": stretch["segment_id"],
        "film_id": stretch["film_id"],
        "start_s": start_s,
        "end_s": end_s,
        "target": target,
        "values": values,
    }
