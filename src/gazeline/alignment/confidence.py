"""How far to trust a map, in [0, 1], from what speaks for it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gazeline.alignment.record import Residual

# A right film shares most of its lines, a wrong one about one in a hundred by chance.
HALF_TRUSTED_SHARE = 0.12
SHARE_STEEPNESS = 0.35
PHRASES_SCALE = 4.0
RESIDUAL_SCALE_S = 1.0
# Only a person is certain.
MOST_CONFIDENCE = 0.99


@dataclass(frozen=True)
class Evidence:
    """What speaks for a map made from dialogue.

    `share` is the number of corpus cues found where the map says over the number that could be
    (the smaller of the cues mapped and the copy's cues).
    """

    n_anchors: int
    n_phrases: float
    n_found: int
    share: float
    residual: Residual
    n_corpus_cues: int
    n_copy_cues: int

    def sentence(self) -> str:
        """Return the evidence in words."""
        cues = f"{self.n_corpus_cues} annotated and {self.n_copy_cues} subtitle cues"
        if not self.n_anchors:
            return f"no common phrase between {cues}"
        return (
            f"{self.n_anchors} anchors between {cues}, {self.share:.0%} of the lines found where "
            f"the map says, residual median {self.residual.median:.2f} s, "
            f"p95 {self.residual.p95:.2f} s"
        )


def text_confidence(evidence: Evidence) -> float:
    """Return the confidence in a map made from dialogue.

    The product of three: the share of lines found, the number of phrases behind it (a
    dozen are enough), and how exactly the anchors lie on the map.
    """
    if evidence.share <= 0 or evidence.n_anchors == 0:
        return 0.0
    steps = math.log(evidence.share / HALF_TRUSTED_SHARE) / SHARE_STEEPNESS
    support = 1 / (1 + math.exp(-steps))
    number = 1 - math.exp(-evidence.n_phrases / PHRASES_SCALE)
    exactness = math.exp(-((evidence.residual.p95 / RESIDUAL_SCALE_S) ** 2))
    return round(min(MOST_CONFIDENCE, support * number * exactness), 4)
