"""The kinds of task: what a sample is, what it is answered with, and which models answer.

`classification`: a segment or a shot, with a class. `regression`: a stretch of film, with a value
per measure and second. `detection`: a stretch of film, with the intervals that lie in it.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["classification", "regression", "detection"]

SHOTS = "shots/"
SECONDS = "seconds/"
INTERVALS = "intervals/"

# Models of tasks over time, and the kinds that each answers.
OVER_TIME: dict[str, tuple[Kind, ...]] = {
    "temporal": ("regression", "detection"),
    "ridge": ("regression", "detection"),
    "actionformer": ("detection",),
    "actionformer-classes": ("detection",),
}


def kind_of(task: str) -> Kind:
    """Return the kind of a task by its name: seconds/…, intervals/…, or anything else."""
    if task.startswith(SECONDS):
        return "regression"
    return "detection" if task.startswith(INTERVALS) else "classification"


def answers(model: str, kind: Kind) -> bool:
    """Whether a model answers tasks of a kind."""
    return kind in OVER_TIME.get(model, ("classification",))


def measures_of(task: str) -> tuple[str, ...]:
    """Return the measures of a task `seconds/<measure>+<measure>`."""
    return tuple(task.removeprefix(SECONDS).split("+"))
