"""`data/aligned/<film>.json`: how each corpus of a film maps to the copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from gazeline.errors import AlignmentError
from gazeline.files import read_json, write_json
from gazeline.timeline.maps import Interval, TimeMap

Method = Literal["text", "speech", "timing", "duration", "hand"]
Status = Literal["sure", "accepted", "unsure"]


@dataclass(frozen=True)
class Anchor:
    """A moment of the annotation clock and the moment of the copy that it was matched with."""

    annotation_s: float
    copy_s: float


@dataclass(frozen=True)
class Residual:
    """Distance of the anchors from the fitted map, seconds."""

    median: float
    p95: float


@dataclass(frozen=True)
class Alignment:
    """The map of one corpus to one copy, with the evidence for it.

    `missing` are the intervals of annotated time that the copy lacks, and `coverage` the share
    that it has; `confidence` in [0, 1]; `status` is `accepted` where params accept a low
    confidence for this film; `residual` is None where there are no anchors (by duration alone, or
    by hand).
    """

    time_map: TimeMap
    method: Method
    n_anchors: int
    residual: Residual | None
    coverage: float
    confidence: float
    status: Status
    sentence: str
    missing: tuple[Interval, ...] = ()
    anchors: tuple[Anchor, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "pieces": self.time_map.to_json(),
            "method": self.method,
            "n_anchors": self.n_anchors,
            "residual_s": asdict(self.residual) if self.residual else None,
            "missing": [list(interval) for interval in self.missing],
            "coverage": self.coverage,
            "confidence": self.confidence,
            "status": self.status,
            "sentence": self.sentence,
            "anchors": anchors_to_json(self.anchors),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Alignment:
        """Read what `to_json` wrote."""
        residual = data["residual_s"]
        return cls(
            time_map=TimeMap.from_json(data["pieces"]),
            method=data["method"],
            n_anchors=data["n_anchors"],
            residual=Residual(**residual) if residual else None,
            coverage=data["coverage"],
            confidence=data["confidence"],
            status=data["status"],
            sentence=data["sentence"],
            missing=tuple((float(start), float(end)) for start, end in data["missing"]),
            anchors=anchors_from_json(data["anchors"]),
        )


@dataclass(frozen=True)
class CopyClock:
    """What the copy's own clock is like: duration and exact frame rate (None without video)."""

    duration_s: float
    fps: str | None


def anchors_to_json(anchors: Sequence[Anchor]) -> list[list[float]]:
    """Return pairs (annotation_s, copy_s), to the millisecond."""
    return [[round(a.annotation_s, 3), round(a.copy_s, 3)] for a in anchors]


def anchors_from_json(pairs: Sequence[Sequence[float]]) -> tuple[Anchor, ...]:
    """Read what `anchors_to_json` wrote."""
    return tuple(Anchor(float(annotation_s), float(copy_s)) for annotation_s, copy_s in pairs)


def write_alignments(
    path: Path, film_id: str, copy: CopyClock, alignments: Mapping[str, Alignment]
) -> None:
    """Write the maps of a film, one per corpus."""
    corpora = {name: alignment.to_json() for name, alignment in alignments.items()}
    write_json(path, {"film_id": film_id, "copy": asdict(copy), "corpora": corpora})


def read_alignment(path: Path, corpus: str) -> Alignment:
    """Read the map of one corpus.

    Raises:
        AlignmentError: the film has not been aligned with that corpus.
    """
    data = read_json(path)
    corpora = data.get("corpora")
    entry = corpora.get(corpus) if isinstance(corpora, dict) else None
    if not isinstance(entry, dict):
        raise AlignmentError(
            f"{data.get('film_id', path.stem)} is not aligned with corpus {corpus}",
            where=str(path),
            todo=f"run `dvc repro align@{path.stem}`",
        )
    try:
        return Alignment.from_json(entry)
    except (KeyError, TypeError, ValueError) as error:
        raise AlignmentError(
            f"The map of {path.stem} is damaged: {error}",
            where=str(path),
            todo=f"run `dvc checkout {path}`, or delete it and run `dvc repro align@{path.stem}`",
        ) from error


def read_copy_clock(path: Path) -> CopyClock:
    """Read the copy's duration and frame rate."""
    return CopyClock(**read_json(path)["copy"])
