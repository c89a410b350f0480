"""What speaks for a map, pair by pair: to be drawn and looked at by a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gazeline.alignment.record import Anchor as Anchor
from gazeline.alignment.record import anchors_from_json
from gazeline.timeline.maps import TimeMap


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
