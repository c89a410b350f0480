"""How far to trust a map, in [0, 1], from what speaks for it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gazeline.alignment.record import Residual

# Of two long films one line in a hundred is the same, of two short ones a quarter may be, since the
# best of many maps is taken: the fewer lines are found, the larger a share of all they must be.
HALF_TRUSTED_SHARE, MORE_OF_FEW = 0.12, 0.4
SHARE_STEEPNESS = 0.27
FEW_LINES = 15.0
# So few lines are nothing, whatever share of all they are.
LINES_SCALE = 4.0
RESIDUAL_SCALE_S = 1.0
# Few lines that agree by chance do so to a quarter of a second; the right ones to a tenth at worst.
RESIDUAL_SCALE_OF_FEW_S = 0.2
# By timing alone: the course through another film scores below 25 in two hours; what scores more
# than this is as likely right as wrong. A short film has fewer places to mislead.
HALF_TRUSTED_SCORE, SCORE_PER_DOUBLED_MINUTE = 20.0, 5.0
SCORE_STEEPNESS = 6.0
# What the copy played backwards scores is chance, too; regular dialogue scores much either way.
CHANCE_WEIGHT = 2.0
# Less than this share of the dialogue placed, and the rest of the map is a guess.
ENOUGH_PLACED = 0.9
DRIFT_SCALE_S = 0.5
# What an edge brings in a right film, at least.
SCORE_PER_EDGE = 0.3
# Only a person is certain.
MOST_CONFIDENCE = 0.99


@dataclass(frozen=True)
class Evidence:
    """What speaks for a map made from dialogue.

    `n_found` is the number of corpus cues found where the map says; `share` that of the corpus's
    lines found, or of the copy's, whichever is larger, within what is mapped: forced subtitles
    have few lines, and a longer copy has lines that the corpus lacks.
    """

    n_anchors: int
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

    The product of three: the share of lines found, their number (eight are enough), and how
    exactly the anchors lie on the map. Few lines must be a larger share and lie more exactly.
    """
    if evidence.share <= 0 or evidence.n_anchors == 0:
        return 0.0
    lines = min(evidence.n_anchors, evidence.n_found)
    few = math.exp(-lines / FEW_LINES)
    steps = math.log(evidence.share / (HALF_TRUSTED_SHARE + MORE_OF_FEW * few)) / SHARE_STEEPNESS
    support = 1 / (1 + math.exp(-steps))
    number = 1 - math.exp(-((lines / LINES_SCALE) ** 2))
    misfit = (evidence.residual.p95 / RESIDUAL_SCALE_S) ** 2
    misfit += few * (evidence.residual.median / RESIDUAL_SCALE_OF_FEW_S) ** 2
    return round(min(MOST_CONFIDENCE, support * number * math.exp(-misfit)), 4)


@dataclass(frozen=True)
class TimingEvidence:
    """What speaks for a map made from timing alone.

    `score` is the log likelihood ratio of the course against chance; `chance` what the copy
    scores when it is played backwards, which no right film does; `placed` the share of the
    mapped dialogue that the course goes through; `drift_s` how far the speed may be off at the
    end of the film (one standard error); spans are cues or stretches of speech.
    """

    score: float
    chance: float
    placed: float
    drift_s: float
    n_pairs: int
    residual: Residual
    n_corpus_spans: int
    n_copy_spans: int
    duration_s: float

    @property
    def half_trusted(self) -> float:
        """Return the score at which a map is as likely right as wrong."""
        minutes = max(1.0, self.duration_s / 60)
        shortest = HALF_TRUSTED_SCORE + SCORE_PER_DOUBLED_MINUTE * math.log2(minutes)
        return shortest + CHANCE_WEIGHT * self.chance

    @property
    def tells(self) -> bool:
        """Say whether a right film would score so much that a low score speaks against it."""
        edges = 2 * min(self.n_corpus_spans, self.n_copy_spans)
        return SCORE_PER_EDGE * edges > 2 * self.half_trusted

    def sentence(self) -> str:
        """Return the evidence in words."""
        spans = f"{self.n_corpus_spans} annotated cues and {self.n_copy_spans} intervals"
        if not self.n_pairs:
            return f"no common rhythm of {spans}"
        return (
            f"the rhythm of {spans}, which fits with a score of {self.score:.0f} "
            f"({self.half_trusted:.0f} is doubtful), {self.n_pairs} pairs of edges, "
            f"residual median {self.residual.median:.2f} s, p95 {self.residual.p95:.2f} s"
        )


def timing_confidence(evidence: TimingEvidence) -> float:
    """Return the confidence in a map made from timing alone.

    The product of three: how far the score is beyond chance, the share of dialogue placed, and
    how exactly the speed is known.
    """
    if not evidence.n_pairs:
        return 0.0
    doubt = evidence.half_trusted
    beyond = (evidence.score - doubt) * SCORE_STEEPNESS / doubt
    support = 1 / (1 + math.exp(-min(50.0, max(-50.0, beyond))))
    placed = min(1.0, evidence.placed / ENOUGH_PLACED) ** 2
    exactness = math.exp(-((evidence.drift_s / DRIFT_SCALE_S) ** 2))
    return round(min(MOST_CONFIDENCE, support * placed * exactness), 4)
