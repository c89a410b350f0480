"""Align a film: hand-made map, else dialogue, else length; refuse what is not sure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gazeline.alignment.clocks import Clocks, CorpusClock
from gazeline.alignment.copy import CopyFile, examine_copy
from gazeline.alignment.describe import clock_time, describe_map
from gazeline.alignment.duration import align_by_duration
from gazeline.alignment.hand import read_hand_map
from gazeline.alignment.record import Alignment, CopyClock, Method, Residual, Status
from gazeline.alignment.sources import Dialogue, Unusable, dialogue_of
from gazeline.alignment.text import TextMatch, align_text
from gazeline.errors import AlignmentError
from gazeline.params.alignment import AlignParams
from gazeline.params.corpora import FilmParams
from gazeline.timeline.maps import TimeMap

# Dialogue that speaks less than this for a map speaks against it: another film or language.
REFUSED = 0.25
# A track this good needs no other to be tried.
GOOD_ENOUGH = 0.85
# Fewer cues than this say nothing against a film.
FEWEST_CUES = 5


@dataclass(frozen=True)
class AlignedFilm:
    """The copy's clock and the map of every corpus."""

    copy: CopyClock
    corpora: dict[str, Alignment]


@dataclass(frozen=True)
class Candidate:
    """A map not yet judged, and the evidence for it in words."""

    time_map: TimeMap
    method: Method
    n_anchors: int
    residual: Residual | None
    confidence: float
    evidence: str
    suspicion: str


def align_film(
    film_id: str,
    copy: Path,
    subtitles: Path | None,
    hand_map: Path | None,
    corpora: Mapping[str, CorpusClock],
    params: AlignParams,
    film: FilmParams,
) -> AlignedFilm:
    """Map every corpus of a film to the copy.

    Raises:
        AlignmentError: no map is sure enough; the evidence and what to do are in the message.
        MediaError: the copy cannot be read.
        SubtitleError: the subtitle file cannot be read.
    """
    file = examine_copy(copy)
    made = None if hand_map is None else read_hand_map(hand_map)
    dialogue: list[Dialogue | Unusable] = []
    if made is None and any(corpus.cues for corpus in corpora.values()):
        dialogue = list(dialogue_of(file, subtitles))
    alignments = {}
    for name, corpus in sorted(corpora.items()):
        clocks = _clocks(corpus, file)
        candidate = (
            _by_hand(made) if made is not None else _candidate(corpus, clocks, dialogue, params)
        )
        where = f"film {film_id}, corpus {name}, copy {copy}"
        status = _judged(candidate, clocks, film_id, where, params, film)
        alignments[name] = _alignment(candidate, clocks, status)
    return AlignedFilm(file.clock, alignments)


def _clocks(corpus: CorpusClock, file: CopyFile) -> Clocks:
    return Clocks(
        duration_s=corpus.duration_s,
        annotation_fps=corpus.annotation_fps,
        copy_fps=file.fps,
        copy_start_s=file.start_s,
        copy_end_s=file.end_s,
    )


def _candidate(
    corpus: CorpusClock,
    clocks: Clocks,
    dialogue: Sequence[Dialogue | Unusable],
    params: AlignParams,
) -> Candidate:
    """Return the best map that dialogue gives, or the one by length where there is none."""
    reasons = [f"{d.source}: {d.reason}" for d in dialogue if isinstance(d, Unusable)]
    if not corpus.cues:
        reasons = ["the corpus has no dialogue of this film"]
    best: Candidate | None = None
    for source in dialogue:
        if isinstance(source, Unusable) or not corpus.cues:
            continue
        match = align_text(
            corpus.cues,
            source.cues,
            clocks,
            largest_deviation=params.max_rate_deviation,
            min_piece_s=params.min_piece_s,
        )
        if match.confidence < params.min_confidence and match.evidence.n_copy_cues < FEWEST_CUES:
            reasons.append(f"{source.source}: only {match.evidence.n_copy_cues} spoken cues")
            continue
        found = _by_text(match, source)
        best = found if best is None or found.confidence > best.confidence else best
        if best.confidence >= GOOD_ENOUGH:
            break
    return best if best is not None else _by_duration(clocks, reasons, params)


def _by_text(match: TextMatch, source: Dialogue) -> Candidate:
    return Candidate(
        time_map=match.time_map,
        method="text",
        n_anchors=match.evidence.n_anchors,
        residual=match.evidence.residual if match.evidence.n_anchors else None,
        confidence=match.confidence,
        evidence=f"{match.evidence.sentence()}; by {source.source}",
        suspicion="this is another film, or its subtitles are in another language",
    )


def _by_duration(clocks: Clocks, reasons: Sequence[str], params: AlignParams) -> Candidate:
    match = align_by_duration(
        clocks,
        largest_deviation=params.max_duration_deviation,
        largest_rate_deviation=params.max_rate_deviation,
    )
    length = (clocks.copy_end_s or 0.0) - clocks.copy_start_s
    wanted = float(match.rate) * clocks.duration_s
    why = "; ".join(reasons) or "the copy has no subtitles"
    return Candidate(
        time_map=match.time_map,
        method="duration",
        n_anchors=0,
        residual=None,
        confidence=match.confidence,
        evidence=(
            f"length and frame rate alone, since {why}: the copy lasts {clock_time(length)}, "
            f"the annotated film {clock_time(wanted)} at that speed"
        ),
        suspicion="this is another film or another cut",
    )


def _by_hand(time_map: TimeMap) -> Candidate:
    return Candidate(time_map, "hand", 0, None, 1.0, "a map made by hand", "")


def _judged(
    candidate: Candidate,
    clocks: Clocks,
    film_id: str,
    where: str,
    params: AlignParams,
    film: FilmParams,
) -> Status:
    """Return how sure the map is.

    Raises:
        AlignmentError: it is not sure enough and params do not accept it.
    """
    confidence, accepted = candidate.confidence, film.accept_confidence
    if not candidate.time_map.pieces or confidence <= 0:
        raise _refusal(candidate, film_id, where)
    if confidence >= params.min_confidence:
        return "sure"
    if accepted is not None and confidence >= accepted:
        return "accepted"
    if candidate.method == "text" and confidence < REFUSED:
        raise _refusal(candidate, film_id, where)
    if params.on_unsure == "warn":
        return "unsure"
    raise _doubt(candidate, clocks, film_id, where, params)


def _refusal(candidate: Candidate, film_id: str, where: str) -> AlignmentError:
    return AlignmentError(
        f"The copy does not fit the annotations: {candidate.suspicion}. "
        f"Evidence: {candidate.evidence}; confidence {candidate.confidence:.2f}.",
        where=where,
        todo=f"check that the copy is the film annotated; {_by_hand_todo(film_id)}",
    )


def _doubt(
    candidate: Candidate, clocks: Clocks, film_id: str, where: str, params: AlignParams
) -> AlignmentError:
    return AlignmentError(
        f"The alignment is not sure: confidence {candidate.confidence:.2f}, wanted "
        f"{params.min_confidence:.2f}. Evidence: {candidate.evidence}. The map would say: "
        f"{describe_map(candidate.time_map, clocks)}",
        where=where,
        todo=(
            f"check the copy; if the map is right, set films.{film_id}.accept_confidence: "
            f"{_rounded_down(candidate.confidence):.2f} in params.yaml; {_by_hand_todo(film_id)}"
        ),
    )


def _rounded_down(confidence: float) -> float:
    """Return two digits that do not exceed the confidence, so that following the advice works."""
    return math.floor(confidence * 100) / 100


def _by_hand_todo(film_id: str) -> str:
    path = f"data/films/{film_id}.map.yaml"
    return f"or write {path} and name it in films.{film_id}.map"


def _alignment(candidate: Candidate, clocks: Clocks, status: Status) -> Alignment:
    coverage = candidate.time_map.coverage(0.0, clocks.duration_s)
    sentence = f"{describe_map(candidate.time_map, clocks)} Known by {candidate.evidence}."
    return Alignment(
        time_map=candidate.time_map,
        method=candidate.method,
        n_anchors=candidate.n_anchors,
        residual=candidate.residual,
        coverage=coverage,
        confidence=candidate.confidence,
        status=status,
        sentence=sentence,
    )
