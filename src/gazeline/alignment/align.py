"""Align a film: hand-made map, else what the copy says or when, else length; refuse doubt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gazeline.alignment.candidates import Candidate, best_candidate, by_hand
from gazeline.alignment.clocks import Clocks, CorpusClock
from gazeline.alignment.copy import CopyFile, examine_copy
from gazeline.alignment.describe import confidence_text, describe_map
from gazeline.alignment.evidence import MapEvidence
from gazeline.alignment.hand import maps_by_hand
from gazeline.alignment.record import Alignment, CopyClock, Status
from gazeline.alignment.sources import Sources
from gazeline.errors import AlignmentError
from gazeline.params.alignment import AlignParams
from gazeline.params.corpora import FilmParams
from gazeline.timeline.maps import Interval, TimeMap

# Evidence that speaks less than this for a map speaks against it.
REFUSED = 0.25


@dataclass(frozen=True)
class AlignedFilm:
    """The copy's clock and the map of every corpus."""

    copy: CopyClock
    corpora: dict[str, Alignment]


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
    alignments = {}
    for name, candidate in _candidates(file, subtitles, hand_map, corpora, params).items():
        clocks = _clocks(corpora[name], file)
        where = f"film {film_id}, corpus {name}, copy {copy}"
        status = _judged(candidate, clocks, film_id, where, params, film)
        alignments[name] = _alignment(candidate, clocks, status)
    return AlignedFilm(file.clock, alignments)


def examine_film(
    copy: Path,
    subtitles: Path | None,
    hand_map: Path | None,
    corpora: Mapping[str, CorpusClock],
    params: AlignParams,
) -> dict[str, MapEvidence]:
    """Return what speaks for the best map of every corpus, be it sure, doubtful or refused.

    Raises:
        AlignmentError: the map made by hand cannot be read or lies outside the copy.
        MediaError: the copy cannot be read.
        SubtitleError: the subtitle file cannot be read.
    """
    file = examine_copy(copy)
    found = _candidates(file, subtitles, hand_map, corpora, params)
    return {name: _evidence(c, _clocks(corpora[name], file)) for name, c in found.items()}


def _candidates(
    file: CopyFile,
    subtitles: Path | None,
    hand_map: Path | None,
    corpora: Mapping[str, CorpusClock],
    params: AlignParams,
) -> dict[str, Candidate]:
    """Return the best map of every corpus; the copy is read once for all."""
    if hand_map is not None:
        clocks = {name: _clocks(corpus, file) for name, corpus in sorted(corpora.items())}
        return {name: by_hand(made) for name, made in maps_by_hand(hand_map, clocks).items()}
    sources = Sources(file, subtitles)
    return {
        name: best_candidate(corpus, _clocks(corpus, file), sources, params)
        for name, corpus in sorted(corpora.items())
    }


def _clocks(corpus: CorpusClock, file: CopyFile) -> Clocks:
    return Clocks(
        duration_s=corpus.duration_s,
        annotation_fps=corpus.annotation_fps,
        copy_fps=file.fps,
        copy_start_s=file.start_s,
        copy_end_s=file.end_s,
    )


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
        raise _refusal(candidate, film_id, where, params)
    if confidence >= params.min_confidence:
        return "sure"
    if accepted is not None and confidence >= accepted:
        return "accepted"
    if candidate.method != "duration" and confidence < REFUSED:
        raise _refusal(candidate, film_id, where, params)
    if params.on_unsure == "warn":
        return "unsure"
    raise _doubt(candidate, clocks, film_id, where, params)


def _refusal(candidate: Candidate, film_id: str, where: str, params: AlignParams) -> AlignmentError:
    return AlignmentError(
        f"The copy does not fit the annotations: {candidate.suspicion}. "
        f"Evidence: {candidate.evidence}; confidence "
        f"{confidence_text(candidate.confidence, params.min_confidence)}.",
        where=where,
        todo=(
            f"check that the copy is the film annotated; look at the evidence with "
            f"`gazeline align check {film_id}`; {_by_hand_todo(film_id)}"
        ),
    )


def _doubt(
    candidate: Candidate, clocks: Clocks, film_id: str, where: str, params: AlignParams
) -> AlignmentError:
    return AlignmentError(
        f"The alignment is not sure: confidence "
        f"{confidence_text(candidate.confidence, params.min_confidence)}, wanted "
        f"{params.min_confidence:.2f}. Evidence: {candidate.evidence}. The map would say: "
        f"{describe_map(candidate.time_map, clocks)}",
        where=where,
        todo=(
            f"look at the evidence with `gazeline align check {film_id}`; if the map is right, set "
            f"films.{film_id}.accept_confidence: {_rounded_down(candidate.confidence):.2f} in "
            f"params.yaml; {_by_hand_todo(film_id)}"
        ),
    )


def _rounded_down(confidence: float) -> float:
    """Return two digits that do not exceed the confidence, so that following the advice works."""
    return math.floor(confidence * 100) / 100


def _by_hand_todo(film_id: str) -> str:
    path = f"data/films/{film_id}.map.yaml"
    return f"or write {path} and name it in films.{film_id}.map"


def _sentence(candidate: Candidate, clocks: Clocks) -> str:
    return f"{describe_map(candidate.time_map, clocks)} Known by {candidate.evidence}."


def _evidence(candidate: Candidate, clocks: Clocks) -> MapEvidence:
    return MapEvidence(
        time_map=candidate.time_map,
        method=candidate.method,
        anchors=candidate.anchors,
        confidence=candidate.confidence,
        sentence=_sentence(candidate, clocks),
    )


def _alignment(candidate: Candidate, clocks: Clocks, status: Status) -> Alignment:
    return Alignment(
        time_map=candidate.time_map,
        method=candidate.method,
        n_anchors=len(candidate.anchors),
        residual=candidate.residual,
        coverage=candidate.time_map.coverage(0.0, clocks.duration_s),
        confidence=candidate.confidence,
        status=status,
        sentence=_sentence(candidate, clocks),
        missing=_missing(candidate.time_map, clocks.duration_s),
        anchors=candidate.anchors,
    )


def _missing(time_map: TimeMap, duration_s: float) -> tuple[Interval, ...]:
    """Return the annotated time that lies in no piece."""
    starts = [0.0, *(piece.annotation_end_s for piece in time_map.pieces)]
    ends = [*(piece.annotation_start_s for piece in time_map.pieces), duration_s]
    return tuple((start, end) for start, end in zip(starts, ends, strict=True) if end > start)
