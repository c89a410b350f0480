"""What stands in the place of a comparison that has nothing to compare."""

from __future__ import annotations

from dataclasses import dataclass

from gazeline.statistics.annotations import Bools


@dataclass(frozen=True)
class NotTestable:
    """A comparison that cannot be made, and why."""

    reason: str


def not_testable(positive: Bools, concept: str, among: str) -> NotTestable | None:
    """Say why segments with a concept cannot be compared with others; None where they can.

    Args:
        positive: which of the segments that count have the concept, shape [n].
        among: what a segment needs to count, e.g. "words".
    """
    if not len(positive):
        return NotTestable(f"no segment with {among}")
    if positive.all() or not positive.any():
        which = "without" if positive.all() else "with"
        return NotTestable(f"no segment {which} {concept} among those with {among}")
    return None
