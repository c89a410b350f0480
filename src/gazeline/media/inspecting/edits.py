"""Read the edit lists of an MP4 or MOV file: which part of a track is shown, and when."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

MOV = "mov"
CONTAINERS = {b"moov", b"trak", b"edts", b"mdia"}


@dataclass(frozen=True)
class Edit:
    """One entry: `media_start_s` of the track is shown for `duration_s`; None shows nothing."""

    duration_s: Fraction
    media_start_s: Fraction | None

    def sentence(self) -> str:
        """Return the entry in words."""
        if self.media_start_s is None:
            return f"nothing for {float(self.duration_s):.3f} s"
        length = "to the end" if self.duration_s == 0 else f"for {float(self.duration_s):.3f} s"
        return f"from {float(self.media_start_s):.3f} s of the track {length}"

    @property
    def shifts(self) -> bool:
        """Return whether the entry moves or hides anything."""
        return self.media_start_s != 0


@dataclass(frozen=True)
class _Box:
    kind: bytes
    start: int
    end: int


def read_edits(path: Path) -> dict[int, tuple[Edit, ...]]:
    """Return the edit list of each track that has one, by stream index (ISO/IEC 14496-12, 8.6.6).

    A damaged index gives none: what is decodable tells the rest.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            moov = next((b for b in _boxes(file, 0, size) if b.kind == b"moov"), None)
            return {} if moov is None else _by_track(file, moov)
    except (OSError, struct.error, ZeroDivisionError):
        return {}


def _by_track(file: BinaryIO, moov: _Box) -> dict[int, tuple[Edit, ...]]:
    inside = list(_boxes(file, moov.start, moov.end))
    movie_scale = next((_timescale(file, box) for box in inside if box.kind == b"mvhd"), 1)
    tracks = [box for box in inside if box.kind == b"trak"]
    edits = {index: tuple(_edits(file, box, movie_scale)) for index, box in enumerate(tracks)}
    return {index: entries for index, entries in edits.items() if entries}


def _boxes(file: BinaryIO, start: int, end: int) -> Iterator[_Box]:
    """Yield the boxes in a stretch of the file, without their headers."""
    while start + 8 <= end:
        file.seek(start)
        size, kind = struct.unpack(">I4s", file.read(8))
        header = 8
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
            header = 16
        stop = end if size == 0 else start + size
        if stop < start + header or stop > end:
            return
        yield _Box(kind, start + header, stop)
        start = stop


def _find(file: BinaryIO, box: _Box, kind: bytes) -> _Box | None:
    """Return the first box of a kind inside a box, at any depth."""
    for inner in _boxes(file, box.start, box.end):
        if inner.kind == kind:
            return inner
        found = _find(file, inner, kind) if inner.kind in CONTAINERS else None
        if found is not None:
            return found
    return None


def _timescale(file: BinaryIO, box: _Box) -> int:
    """Return the ticks per second that a movie or media header gives."""
    file.seek(box.start)
    long = file.read(1) == b"\x01"
    file.seek(box.start + (20 if long else 12))
    (scale,) = struct.unpack(">I", file.read(4))
    return int(scale)


def _edits(file: BinaryIO, track: _Box, movie_scale: int) -> Iterator[Edit]:
    media, edits = _find(file, track, b"mdhd"), _find(file, track, b"elst")
    if media is None or edits is None:
        return
    media_scale = _timescale(file, media)
    file.seek(edits.start)
    version, count = struct.unpack(">B3xI", file.read(8))
    entry = ">Qqhh" if version == 1 else ">Iihh"
    size = struct.calcsize(entry)
    for _ in range(min(count, (edits.end - edits.start - 8) // size)):
        duration, start, _, _ = struct.unpack(entry, file.read(size))
        media_start = None if start == -1 else Fraction(start, media_scale)
        yield Edit(Fraction(duration, movie_scale), media_start)
