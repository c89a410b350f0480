"""The kinds of task: what a sample is, and what it is to be answered with.

`classification`: a segment or a shot, with a class. `regression`: a stretch of film, with a value
per measure and second. `detection`: a stretch of film, with the intervals that lie in it.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["classification", "regression", "detection"]

SHOTS = "shots/"
SECONDS = "seconds/"
INTERVALS = "intervals/"


def kind_of(task: str) -> Kind:
    """Return the kind of a task by its name: seconds/…, intervals/…, or anything else."""
    if task.startswith(SECONDS):
        return "regression"
    return "detection" if task.startswith(INTERVALS) else "classification"
