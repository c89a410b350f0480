"""Scores by event, as CLEAR 2007 counts acoustic events: right where centres meet. Pure.

A detection is right where its centre lies in a true event, or the centre of a true event lies in
it; a true event is found likewise. The task paper names the measure and does not define it: this
is CLEAR's rule from memory of its evaluation plan (UNVERIFIED), and stands under its own name.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gazeline.evaluation.scoring.spans import Span


def meets(first: Span, second: Span) -> bool:
    """Whether the centre of one interval lies in the other."""
    centres = (sum(first) / 2, sum(second) / 2)
    return first[0] <= centres[1] < first[1] or second[0] <= centres[0] < second[1]


def event_scores(true: Sequence[Span], found: Sequence[Span]) -> dict[str, float]:
    """Return precision, recall and F over the events of one film or several taken together."""
    counts = event_counts(true, found)
    return ratios(**counts)


def event_counts(true: Sequence[Span], found: Sequence[Span]) -> dict[str, int]:
    """Return how many detections are right and how many true events are found, of how many."""
    return {
        "n_right": sum(any(meets(f, t) for t in true) for f in found),
        "n_called": len(found),
        "n_found": sum(any(meets(f, t) for f in found) for t in true),
        "n_true": len(true),
    }


def ratios(n_right: int, n_called: int, n_found: int, n_true: int) -> dict[str, float]:
    """Return precision, recall and F of counts; NaN where undefined."""
    precision = n_right / n_called if n_called else math.nan
    recall = n_found / n_true if n_true else math.nan
    both = precision + recall
    if not math.isfinite(both):
        f = math.nan if not n_true else 0.0
    else:
        f = 2 * precision * recall / both if both else 0.0
    return {"event_precision": precision, "event_recall": recall, "event_f": f}
