"""What speaks for a map, pair by pair: to be drawn and looked at by a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gazeline.timeline.maps import TimeMap


@dataclass(frozen=True)
class Anchor:
    """A moment of the annotation clock and the moment of the copy that it was matched with."""

    annotation_s: float
    copy_s: float


@dataclass(frozen=True)
class MapEvidence:
    """A map, sure or not, with all that it was made of.

    `time_map` has no pieces where nothing was found; `anchors` are in annotation order and empty
    where there are none (by duration alone, or by hand); `sentence` says in plain words what
    speaks for the map.
    """

    time_map: TimeMap
    method: str
    anchors: tuple[Anchor, ...]
    confidence: float
    sentence: str

    def residuals_s(self) -> tuple[float | None, ...]:
        """Return for each anchor how much later (+) than the map says it is in the copy.

        None where the map lacks the anchor's moment.
        """
        return tuple(_residual_s(self.time_map, anchor) for anchor in self.anchors)


def anchors_to_json(anchors: Sequence[Anchor]) -> list[list[float]]:
    """Return pairs (annotation_s, copy_s), to the millisecond."""
    return [[round(a.annotation_s, 3), round(a.copy_s, 3)] for a in anchors]


def anchors_from_json(pairs: Sequence[Sequence[float]]) -> tuple[Anchor, ...]:
    """Read what `anchors_to_json` wrote."""
    return tuple(Anchor(float(annotation_s), float(copy_s)) for annotation_s, copy_s in pairs)


def evidence_from_json(corpus: Mapping[str, Any]) -> MapEvidence:
    """Read the evidence of one corpus from its entry in `data/aligned/<film>.json`.

    Raises:
        KeyError, TypeError, ValueError: the entry is not what the stage writes.
    """
    return MapEvidence(
        time_map=TimeMap.from_json(corpus["pieces"]),
        method=str(corpus["method"]),
        anchors=anchors_from_json(corpus["anchors"]),
        confidence=float(corpus["confidence"]),
        sentence=str(corpus["sentence"]),
    )


def _residual_s(time_map: TimeMap, anchor: Anchor) -> float | None:
    expected = time_map.to_copy(anchor.annotation_s)
    return None if expected is None else anchor.copy_s - expected
