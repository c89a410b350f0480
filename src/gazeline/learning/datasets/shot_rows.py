"""Shots as samples: a shot is positive where an event of the label touches it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from gazeline.errors import LearningError
from gazeline.learning.datasets.corpus import Corpus, Row
from gazeline.learning.datasets.tasks import BINARY, Task
from gazeline.params.kinds import SHOTS

# Frames become seconds by division: times this close are the same.
TOLERANCE_S = 1e-6


def shot_task(name: str) -> Task:
    """Return the task `shots/<label>`, in which rows of `shot_rows` are classified."""
    return Task(name, BINARY, None, frozenset({name.removeprefix(SHOTS)}))


def shot_rows(corpus: Corpus, task: str, where: str) -> list[Row]:
    """Return a row like a segment's for each shot of the films in which the label was looked for.

    Its concepts are the label where an event has any time in common with the shot (the 2011
    task: a shot with any violent frame is violent).

    Raises:
        LearningError: the corpus never looks for the label, or has no shots of those films.
    """
    label = task.removeprefix(SHOTS)
    check_label(corpus, label, where)
    shots = {
        film: list(rows) for film, rows in groupby(corpus.shots, key=lambda row: row["film_id"])
    }
    found = [
        row
        for (film, annotator), events in corpus.of_label(label).items()
        for row in _rows(film, annotator, label, shots.get(film, ()), events)
    ]
    if not found:
        raise LearningError(
            f"{corpus.name} has no shots of the films in which {label} was looked for",
            where=where,
            todo="add files of shot boundaries to the release, or take an intervals/… task",
        )
    return found


def check_label(corpus: Corpus, label: str, where: str) -> None:
    """Check that a label was looked for in the corpus.

    Raises:
        LearningError: it was not; the labels there are are named.
    """
    if label not in corpus.labels:
        known = ", ".join(sorted(corpus.labels)) or "none"
        raise LearningError(
            f"{corpus.name} has no events of {label}",
            where=where,
            todo=f"take a label that it has: {known}",
        )


def _rows(
    film: str, annotator: str, label: str, shots: Sequence[Row], events: Sequence[Row]
) -> list[Row]:
    return [
        {
            "segment_id": f"{film}/{annotator}/shot-{shot['shot']}",
            "film_id": film,
            "annotator": annotator,
            "start_s": shot["start_s"],
            "end_s": shot["end_s"],
            "label": "",
            "concepts": [label] if any(_touches(shot, event) for event in events) else [],
        }
        for shot in shots
    ]


def _touches(shot: Row, event: Row) -> bool:
    first, last = max(shot["start_s"], event["start_s"]), min(shot["end_s"], event["end_s"])
    return bool(last - first > TOLERANCE_S)
