"""Align by timing alone: when the copy speaks, or shows subtitles, against the corpus's cues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gazeline.alignment.activity import Activity, Kind, Span, activity_of, spoken_spans
from gazeline.alignment.clocks import Clocks, within_copy
from gazeline.alignment.confidence import TimingEvidence, timing_confidence
from gazeline.alignment.course import NOWHERE, Course, find_course
from gazeline.alignment.likelihood import MODELS, Grid, Model, chunk_scores
from gazeline.alignment.pauses import place_cut_by_timing
from gazeline.alignment.record import Anchor, Residual
from gazeline.alignment.refine import course_runs
from gazeline.alignment.speeds import Speed, chance_score, find_speed
from gazeline.alignment.stretches import Stretches, find_stretches
from gazeline.subtitles.reading.read import Cue
from gazeline.timeline.maps import Piece, TimeMap

FINE = Grid(0.4, 25)
# Credits follow the last words.
CREDITS_S = 30.0
# Less than a frame: the copy starts with the annotated version.
IDENTITY_S = 0.04


@dataclass(frozen=True)
class TimingMatch:
    """A map made from timing, its exact speed where it is a standard one, and the evidence."""

    time_map: TimeMap
    exact_rate: Fraction | None
    anchors: tuple[Anchor, ...]
    evidence: TimingEvidence
    confidence: float


def align_timing(
    corpus_cues: Sequence[Cue],
    copy_spans: Sequence[Span],
    kind: Kind,
    clocks: Clocks,
    *,
    largest_deviation: float = 0.06,
    min_piece_s: float = 4.0,
) -> TimingMatch:
    """Map the annotation clock to the copy's by when something is said.

    The match may be anything from certain to nothing, as in `align_text`.

    Args:
        copy_spans: intervals of subtitles or of speech, seconds of the copy clock.
        kind: which of the two they are.
    """
    corpus, copy = activity_of(spoken_spans(corpus_cues), kind), activity_of(copy_spans, "cues")
    model = MODELS[kind]
    if not corpus.n_spans or not copy.n_spans:
        return _no_match(corpus, copy, clocks)
    speed = find_speed(corpus, copy, model, clocks.expected_rate, largest_deviation)
    scores = chunk_scores(corpus.scaled(speed.rate), copy, model, FINE)
    course = find_course(scores, FINE.chunk, drift=False)
    runs = course_runs(course, FINE, speed.rate)
    stretches = find_stretches(corpus, copy, model, runs, speed.rate, min_piece_s)
    if not stretches.runs:
        return _no_match(corpus, copy, clocks)
    time_map = _time_map(corpus, copy, model, speed.rate, stretches, clocks)
    evidence = _evidence(corpus, copy, model, course, speed, stretches, time_map, clocks)
    anchors = tuple(
        Anchor(float(a), float(c))
        for a, c in zip(stretches.pairs.annotation_s, stretches.pairs.copy_s, strict=True)
    )
    return TimingMatch(time_map, speed.exact, anchors, evidence, timing_confidence(evidence))


def _no_match(corpus: Activity, copy: Activity, clocks: Clocks) -> TimingMatch:
    evidence = TimingEvidence(
        0.0, 0.0, 0.0, 0.0, 0, Residual(0.0, 0.0), corpus.n_spans, copy.n_spans, clocks.duration_s
    )
    return TimingMatch(TimeMap(()), None, (), evidence, 0.0)


def _time_map(
    corpus: Activity, copy: Activity, model: Model, rate: float, found: Stretches, clocks: Clocks
) -> TimeMap:
    """Join the stretches at their cuts and carry the outer ones to the ends of the film."""
    cuts = [place_cut_by_timing(corpus, copy, model, rate, gap) for gap in found.gaps()]
    starts = [0.0, *(cut.start_s for cut in cuts)]
    ends = [*(cut.end_s for cut in cuts), clocks.duration_s]
    pieces = [
        Piece(start, end, rate, 0.0 if abs(run.offset_s) < IDENTITY_S else run.offset_s)
        for start, end, run in zip(starts, ends, found.runs, strict=True)
        if start < end
    ]
    return within_copy(pieces, clocks, copy.end_s + CREDITS_S)


def _evidence(
    corpus: Activity,
    copy: Activity,
    model: Model,
    course: Course,
    speed: Speed,
    found: Stretches,
    time_map: TimeMap,
    clocks: Clocks,
) -> TimingEvidence:
    distance = np.abs(found.distance_s)
    residual = Residual(0.0, 0.0)
    if len(distance):
        residual = Residual(float(np.median(distance)), float(np.quantile(distance, 0.95)))
    return TimingEvidence(
        score=course.score,
        chance=chance_score(corpus, copy, model, speed.rate),
        placed=_placed(corpus, course, speed.rate, time_map),
        drift_s=speed.error * clocks.duration_s,
        n_pairs=len(distance),
        residual=residual,
        n_corpus_spans=corpus.n_spans,
        n_copy_spans=copy.n_spans,
        duration_s=clocks.duration_s,
    )


def _placed(corpus: Activity, course: Course, rate: float, time_map: TimeMap) -> float:
    """Return the share of the cues mapped whose chunk the course goes through."""
    time_s = corpus.starts.time_s
    chunk = (time_s * rate / (FINE.step_s * FINE.chunk)).astype(np.int64)
    through = course.position[np.minimum(chunk, len(course.position) - 1)] != NOWHERE
    mapped = np.zeros(len(time_s), dtype=np.bool_)
    for piece in time_map.pieces:
        mapped |= (time_s >= piece.annotation_start_s) & (time_s < piece.annotation_end_s)
    return float(np.mean(through[mapped])) if mapped.any() else 0.0
