"""Maps not yet judged: the best that a copy's evidence gives, and the evidence in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gazeline.alignment.clocks import Clocks, CorpusClock
from gazeline.alignment.describe import clock_time
from gazeline.alignment.duration import align_by_duration
from gazeline.alignment.record import Anchor, Method, Residual
from gazeline.alignment.sources import Dialogue, Source, Timing, Unusable
from gazeline.alignment.text import align_text
from gazeline.alignment.timing import align_timing
from gazeline.params.alignment import AlignParams
from gazeline.timeline.maps import TimeMap

# A track this good needs no other to be tried.
GOOD_ENOUGH = 0.85
# Fewer cues than this say nothing against a film.
FEWEST_CUES = 5
SHORT_COPY_S = 60.0


@dataclass(frozen=True)
class Candidate:
    """A map not yet judged, and the evidence for it in words.

    `tells` is whether the evidence would have been plain if the film were the right one: then
    a low confidence speaks against it.
    """

    time_map: TimeMap
    method: Method
    anchors: tuple[Anchor, ...]
    residual: Residual | None
    confidence: float
    evidence: str
    suspicion: str
    tells: bool = True


def best_candidate(
    corpus: CorpusClock, clocks: Clocks, sources: Iterable[Source], params: AlignParams
) -> Candidate:
    """Return the map by what the copy says or when, or by length where that tells nothing."""
    if not corpus.cues:
        return by_duration(clocks, ["the corpus has no dialogue of this film"], params)
    found, reasons = by_evidence(corpus, clocks, sources, params)
    return found if found is not None else by_duration(clocks, reasons, params)


def by_evidence(
    corpus: CorpusClock, clocks: Clocks, sources: Iterable[Source], params: AlignParams
) -> tuple[Candidate | None, list[str]]:
    """Return the map by the first evidence that is sure, in order of preference, else the best.

    None where no evidence says anything for or against the film; the list says why not.
    """
    tried: list[Candidate] = []
    reasons: list[str] = []
    for source in sources:
        if isinstance(source, Unusable):
            reasons.append(f"{source.source}: {source.reason}")
            continue
        best = max((c.confidence for c in tried), default=0.0)
        if best >= (params.min_confidence if isinstance(source, Timing) else GOOD_ENOUGH):
            break
        found = _compared(corpus, clocks, source, params)
        if found.tells or found.confidence >= params.min_confidence:
            tried.append(found)
        else:
            reasons.append(found.evidence)
    if not tried:
        return None, reasons
    chosen = max(tried, key=lambda c: c.confidence)
    return _with_the_others(chosen, tried, reasons), reasons


def _with_the_others(chosen: Candidate, tried: list[Candidate], reasons: list[str]) -> Candidate:
    """Add to a map's evidence what was tried before it and after."""
    others = [f"{c.evidence} ({c.confidence:.2f})" for c in tried if c is not chosen]
    if not others and not reasons:
        return chosen
    said = "; ".join([*others, *reasons])
    return replace(chosen, evidence=f"{chosen.evidence}; not by {said}")


def _compared(
    corpus: CorpusClock, clocks: Clocks, source: Dialogue | Timing, params: AlignParams
) -> Candidate:
    if isinstance(source, Dialogue):
        return _by_text(corpus, clocks, source, params)
    return _by_timing(corpus, clocks, source, params)


def _by_text(
    corpus: CorpusClock, clocks: Clocks, source: Dialogue, params: AlignParams
) -> Candidate:
    match = align_text(
        corpus.cues,
        source.cues,
        clocks,
        largest_deviation=params.max_rate_deviation,
        min_piece_s=params.min_piece_s,
    )
    n_cues = match.evidence.n_copy_cues
    tells = n_cues >= FEWEST_CUES or match.confidence >= params.min_confidence
    evidence = f"{match.evidence.sentence()}, by {source.source}"
    if not tells:
        evidence = f"{source.source}: only {n_cues} spoken cue{'s' * (n_cues != 1)}"
    return Candidate(
        time_map=match.time_map,
        method="text",
        anchors=match.anchors,
        residual=match.evidence.residual if match.anchors else None,
        confidence=match.confidence,
        evidence=evidence,
        suspicion="this is another film, or its subtitles are in another language",
        tells=tells,
    )


def _by_timing(
    corpus: CorpusClock, clocks: Clocks, source: Timing, params: AlignParams
) -> Candidate:
    match = align_timing(
        corpus.cues,
        source.spans,
        source.kind,
        clocks,
        largest_deviation=params.max_rate_deviation,
        min_piece_s=params.min_piece_s,
    )
    evidence = f"{match.evidence.sentence()}, by {source.source}"
    if not match.evidence.tells and match.confidence < params.min_confidence:
        n_spans = len(source.spans)
        evidence = f"{source.source}: {n_spans} interval{'s' * (n_spans != 1)} are too few to tell"
    return Candidate(
        time_map=match.time_map,
        method="speech" if source.kind == "speech" else "timing",
        anchors=match.anchors,
        residual=match.evidence.residual if match.anchors else None,
        confidence=match.confidence,
        evidence=evidence,
        suspicion="this is another film, or another cut of it",
        tells=match.evidence.tells,
    )


def by_duration(clocks: Clocks, reasons: list[str], params: AlignParams) -> Candidate:
    """Return the map by length and frame rate, which is never sure."""
    match = align_by_duration(
        clocks,
        largest_deviation=params.max_duration_deviation,
        largest_rate_deviation=params.max_rate_deviation,
    )
    length = (clocks.copy_end_s or 0.0) - clocks.copy_start_s
    wanted = float(match.rate) * clocks.duration_s
    short = length < SHORT_COPY_S < wanted
    return Candidate(
        time_map=match.time_map,
        method="duration",
        anchors=(),
        residual=None,
        confidence=match.confidence,
        evidence=(
            f"length and frame rate alone, since {'; '.join(reasons)}: the copy lasts "
            f"{clock_time(length)}, the annotated film {clock_time(wanted)} at that speed"
        ),
        suspicion=(
            "it lasts less than a minute, as a trailer or a damaged file does"
            if short
            else "this is another film or another cut"
        ),
    )


def by_hand(time_map: TimeMap) -> Candidate:
    """Return the map that a person made."""
    return Candidate(time_map, "hand", (), None, 1.0, "a map made by hand", "")
