"""Align by dialogue: the copy's subtitles against the corpus's cues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from gazeline.alignment.anchors import find_anchors
from gazeline.alignment.clocks import Clocks, within_copy
from gazeline.alignment.confidence import Evidence, text_confidence
from gazeline.alignment.cuts import Cut, Side, place_cut
from gazeline.alignment.dialogue import Words, words_of
from gazeline.alignment.fit import Fit, Stretch, fit_anchors
from gazeline.alignment.matching import matched
from gazeline.alignment.record import Anchor, Residual
from gazeline.alignment.replaced import without_replaced
from gazeline.subtitles.reading.read import Cue
from gazeline.timeline.maps import Piece, TimeMap

# Offsets below this are rounding of time stamps, below the second chance in badly timed cues.
IDENTITY_S = 0.005
MOST_IDENTITY_S = 0.02
# Subtitles that have this share of the lines go on to the end of their film, or near it.
DENSE_SHARE = 0.3
CREDITS_S = 30.0


@dataclass(frozen=True)
class TextMatch:
    """A map made from dialogue, its exact speed where it is a standard one, and the evidence."""

    time_map: TimeMap
    exact_rate: Fraction | None
    anchors: tuple[Anchor, ...]
    evidence: Evidence
    confidence: float


def align_text(
    corpus_cues: Sequence[Cue],
    copy_cues: Sequence[Cue],
    clocks: Clocks,
    *,
    largest_deviation: float = 0.06,
    min_piece_s: float = 4.0,
) -> TextMatch:
    """Map the annotation clock to the copy's by what is said.

    The match may be anything from certain to nothing: `confidence` says how far to trust it,
    and `time_map` has no piece where nothing coherent was found.
    """
    corpus, copy = words_of(corpus_cues), words_of(copy_cues)
    anchors = find_anchors(corpus, copy)
    fit = fit_anchors(anchors, clocks.expected_rate, largest_deviation, min_piece_s)
    if fit is None:
        none = Evidence(0, 0, 0.0, Residual(0.0, 0.0), corpus.n_spoken, copy.n_spoken)
        return TextMatch(TimeMap(()), None, (), none, 0.0)
    time_map = _time_map(corpus, copy, fit, clocks)
    evidence = _evidence(corpus, copy, fit, time_map)
    return TextMatch(time_map, fit.exact, _anchors(fit), evidence, text_confidence(evidence))


def _time_map(corpus: Words, copy: Words, fit: Fit, clocks: Clocks) -> TimeMap:
    """Join the stretches at their cuts and carry the outer ones to the ends of the film."""
    stretches = fit.stretches
    cuts = [_cut(corpus, copy, fit.rate, a, b) for a, b in pairwise(stretches)]
    starts = [0.0, *(cut.start_s for cut in cuts)]
    ends = [*(cut.end_s for cut in cuts), clocks.duration_s]
    pieces = [
        Piece(start, end, fit.rate, 0.0 if _is_zero(stretch) else stretch.offset_s)
        for start, end, stretch in zip(starts, ends, stretches, strict=True)
        if start < end
    ]
    return within_copy(pieces, clocks, _likely_end_s(corpus, copy, fit))


def _cut(corpus: Words, copy: Words, rate: float, a: Stretch, b: Stretch) -> Cut:
    before, after = Side(a.offset_s, a.last_cue), Side(b.offset_s, b.first_cue)
    cut = place_cut(corpus, copy, rate, before, after)
    return without_replaced(corpus, copy, rate, before, after, cut)


def _anchors(fit: Fit) -> tuple[Anchor, ...]:
    return tuple(
        Anchor(float(ours), float(theirs))
        for stretch in fit.stretches
        for ours, theirs in zip(stretch.annotation_s, stretch.copy_s, strict=True)
    )


def _is_zero(stretch: Stretch) -> bool:
    """Say whether an offset is no more than rounding and chance.

    A copy that starts with the annotated version must come out exactly so: then window indices
    equal the release's clips.
    """
    error = float(np.std(stretch.residual_s)) / max(1, stretch.n_anchors) ** 0.5
    return bool(abs(stretch.offset_s) <= min(MOST_IDENTITY_S, IDENTITY_S + 3 * error))


def _likely_end_s(corpus: Words, copy: Words, fit: Fit) -> float | None:
    """Guess from full subtitles where the copy ends; forced ones say nothing of its end."""
    last = fit.stretches[-1]
    cues = range(last.first_cue, last.last_cue + 1)
    if np.mean(matched(corpus, copy, cues, fit.rate, last.offset_s)) < DENSE_SHARE:
        return None
    return float(copy.cue_end_s.max()) + CREDITS_S


def _evidence(corpus: Words, copy: Words, fit: Fit, time_map: TimeMap) -> Evidence:
    ours = [_found(corpus, copy, piece) for piece in time_map.pieces]
    theirs = [_found(copy, corpus, _inverse(piece)) for piece in time_map.pieces]
    residual = fit.residual_s
    return Evidence(
        n_anchors=fit.n_anchors,
        n_found=sum(found for found, _ in ours),
        share=max(_share(ours), _share(theirs)),
        residual=Residual(float(np.median(residual)), float(np.quantile(residual, 0.95))),
        n_corpus_cues=corpus.n_spoken,
        n_copy_cues=copy.n_spoken,
    )


def _inverse(piece: Piece) -> Piece:
    """Return the piece that maps the copy clock to the annotation clock."""
    start_s, end_s = piece.to_copy(piece.annotation_start_s), piece.to_copy(piece.annotation_end_s)
    return Piece(start_s, end_s, 1 / piece.rate, -piece.offset_s / piece.rate)


def _found(spoken: Words, others: Words, piece: Piece) -> tuple[int, int]:
    """Return how many cues of a piece the other side has where it should, and how many in all."""
    middle = (spoken.cue_start_s + spoken.cue_end_s) / 2
    low, high = np.searchsorted(middle, [piece.annotation_start_s, piece.annotation_end_s])
    found = matched(spoken, others, range(int(low), int(high)), piece.rate, piece.offset_s)
    n_spoken = np.count_nonzero(np.diff(spoken.first)[low:high])
    return int(np.count_nonzero(found)), int(n_spoken)


def _share(counts: Sequence[tuple[int, int]]) -> float:
    mapped = sum(spoken for _, spoken in counts)
    return sum(found for found, _ in counts) / mapped if mapped else 0.0
