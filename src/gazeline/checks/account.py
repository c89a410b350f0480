"""What a person is told of a film's alignment, and what can be done about it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gazeline.alignment.align import REFUSED
from gazeline.alignment.describe import confidence_text
from gazeline.alignment.evidence import MapEvidence
from gazeline.checks.samples import Mapped
from gazeline.params.alignment import AlignParams
from gazeline.params.corpora import FilmParams
from gazeline.timeline.maps import Piece


@dataclass(frozen=True)
class Verdict:
    """Whether the stage takes the map, in a word, and whether anything is to be done."""

    word: str
    taken: bool


@dataclass(frozen=True)
class Account:
    """All that is said of one film in one corpus."""

    film_id: str
    corpus: str
    evidence: MapEvidence
    verdict: Verdict
    wanted: float
    duration_s: float
    mapped: Mapped
    pictures: tuple[Path, ...]

    def lines(self) -> list[str]:
        """Return the account in lines."""
        evidence = self.evidence
        rows = [
            ("method", evidence.method),
            (
                "confidence",
                f"{confidence_text(evidence.confidence, self.wanted)} "
                f"(wanted {self.wanted:.2f}): {self.verdict.word}",
            ),
            ("anchors", str(len(evidence.anchors))),
            ("residual", _residual(evidence)),
            ("coverage", f"{evidence.time_map.coverage(0.0, self.duration_s):.1%}"),
            ("segments", _segments(self.mapped)),
            *(("piece", _piece(piece)) for piece in evidence.time_map.pieces),
            ("in words", evidence.sentence),
            *(("picture", str(path)) for path in self.pictures),
        ]
        shown = [f"  {name:<10} {value}" for name, value in rows]
        return [f"{self.film_id}, corpus {self.corpus}", *shown, *self.todo()]

    def todo(self) -> list[str]:
        """Return what to do: nothing, accept the map, or make one by hand."""
        if self.verdict.taken:
            return ["  to do      nothing, if the pictures fit"]
        confidence = math.floor(self.evidence.confidence * 100) / 100
        lines = []
        if self.evidence.time_map.pieces and confidence > 0:
            lines.append(
                f"  if it fits set films.{self.film_id}.accept_confidence: {confidence:.2f} in "
                "params.yaml, then run `gazeline repro`"
            )
        path = f"data/films/{self.film_id}.map.yaml"
        lines += [
            f"  if not     check that the copy is this film, or write {path} as below, name it",
            f"             in films.{self.film_id}.map, then `gazeline plan` and `gazeline repro`:",
            *(f"             {line}" for line in self.draft()),
        ]
        return lines

    def draft(self) -> list[str]:
        """Return the map as a person would write it, to start from."""
        pieces = self.evidence.time_map.pieces or (Piece(0.0, self.duration_s, 1.0, 0.0),)
        lines, last_end_s = ["pieces:"], 0.0
        for piece in pieces:
            start_s = max(last_end_s, _outwards(piece.annotation_start_s, math.floor))
            last_end_s = _outwards(piece.annotation_end_s, math.ceil)
            lines.append(f"  - {_hand_piece(start_s, last_end_s, piece)}")
        return lines


def verdict_of(evidence: MapEvidence, params: AlignParams, film: FilmParams) -> Verdict:
    """Say what the stage does with a map of this confidence."""
    confidence, accepted = evidence.confidence, film.accept_confidence
    if not evidence.time_map.pieces or confidence <= 0:
        return Verdict("refused, nothing was found", False)
    if confidence >= params.min_confidence:
        return Verdict("sure", True)
    if accepted is not None and confidence >= accepted:
        return Verdict(f"accepted in params.yaml (from {accepted:.2f} on)", True)
    if evidence.method != "duration" and confidence < REFUSED:
        return Verdict("refused", False)
    warned = params.on_unsure == "warn"
    return Verdict("not sure" + (", taken with a warning" if warned else ""), False)


def _residual(evidence: MapEvidence) -> str:
    sizes = np.abs([r for r in evidence.residuals_s() if r is not None])
    if not len(sizes):
        return "none, for there are no anchors"
    return (
        f"median {np.median(sizes):.3f} s, p95 {np.quantile(sizes, 0.95):.3f} s, "
        f"largest {sizes.max():.3f} s"
    )


def _segments(mapped: Mapped) -> str:
    return f"{mapped.whole} whole in the copy, {mapped.partly} partly, {mapped.missing} missing"


def _piece(piece: Piece) -> str:
    return (
        f"{piece.annotation_start_s:.3f} – {piece.annotation_end_s:.3f} s: "
        f"copy = {piece.rate:.6f} × annotation {piece.offset_s:+.3f} s"
    )


def _outwards(time_s: float, whole: Callable[[float], int]) -> float:
    """Round to a microsecond: a piece that ends earlier by less would lose its last segment."""
    return whole(time_s * 1e6) / 1e6


def _hand_piece(start_s: float, end_s: float, piece: Piece) -> str:
    return (
        f"{{annotation_start_s: {start_s:.6f}, annotation_end_s: {end_s:.6f}, "
        f"rate: {piece.rate:.12g}, offset_s: {piece.offset_s:.6f}}}"
    )
