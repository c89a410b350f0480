"""When picture subtitles (PGS, VobSub and their kin) are on the screen; their text is not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

from gazeline.errors import MediaError
from gazeline.media.containers import opened
from gazeline.media.probing.probe import probe_subtitles
from gazeline.media.probing.streams import SubtitleStream
from gazeline.timeline.maps import Interval

PGS, VOBSUB = "hdmv_pgs_subtitle", "dvd_subtitle"
# A picture whose end nobody states is taken to last until the next, but no longer than this.
LONGEST_S = Fraction(10)
# An end further off stands for "not known": encoders write the largest number there is.
LONGEST_STATED_S = Fraction(60)

# PGS: a segment is its kind, its length and its payload; a composition names what is shown.
_COMPOSITION, _SEGMENT_HEAD = 0x16, 3
_STATE_AT, _PALETTE_ONLY_AT, _N_OBJECTS_AT = 7, 8, 10
_REPEATED, _PALETTE_ONLY = 0x40, 0x80
# VobSub: delays are counted in 1024 ticks of the 90 kHz clock.
_DELAY_S = Fraction(1024, 90000)
_START, _FORCED_START, _STOP, _END = 1, 0, 2, 0xFF
_ARGUMENT_BYTES = {_FORCED_START: 0, _START: 0, _STOP: 0, 3: 2, 4: 2, 5: 6, 6: 4}


@dataclass(frozen=True)
class _Change:
    """From `at_s` on a picture is shown (or none); it ends at `end_s` where that is stated."""

    at_s: Fraction
    shown: bool
    end_s: Fraction | None = None


def bitmap_intervals(path: Path, stream_index: int) -> list[Interval]:
    """Return when the pictures of a subtitle track are shown, seconds of the copy clock, in order.

    A PGS picture ends with the next composition, an empty one as a rule, or with its packet; a
    VobSub picture by the stop command in its own bytes, else with its packet.

    Args:
        stream_index: absolute stream index, as in `SubtitleStream.index`.

    Raises:
        MediaError: there is no such track, it holds text, or the file cannot be read.
    """
    tracks = probe_subtitles(path)
    track = next((t for t in tracks.subtitles if t.index == stream_index), None)
    if track is None or track.kind != "bitmap":
        raise MediaError(
            f"{path.name} has no picture subtitles in stream {stream_index}",
            where=str(path),
            todo="choose a track whose kind is bitmap",
        )
    with opened(path) as container:
        packets = container.demux(container.streams[stream_index])
        changes = [c for p in _timed(packets) for c in _changes(track, p, tracks.origin_s)]
    return list(_shown(sorted(changes, key=lambda c: c.at_s)))


def _timed(packets: Iterator[Any]) -> Iterator[Any]:
    """Yield the packets that have a time and a content, up to the first damaged place."""
    while True:
        try:
            packet = next(packets)
        except (StopIteration, av.error.InvalidDataError):
            return
        if packet.pts is not None and packet.size:
            yield packet


def _changes(track: SubtitleStream, packet: Any, origin_s: Fraction) -> Iterable[_Change]:
    at = packet.pts * Fraction(packet.time_base) - origin_s
    lasting = Fraction(packet.duration or 0) * Fraction(packet.time_base)
    if track.codec == PGS:
        return _compositions(bytes(packet), at, at + lasting if lasting else None)
    if track.codec == VOBSUB:
        start, stop = display_delays(bytes(packet))
        end = stop if stop is not None else lasting or None
        return [_Change(at + start, True, None if end is None else at + end)]
    return [_Change(at, True, at + lasting if lasting else None)]


def _compositions(data: bytes, at_s: Fraction, end_s: Fraction | None) -> Iterator[_Change]:
    """Yield what the compositions of a PGS packet show; a mere repeat or a fade changes nothing."""
    place = 0
    while place + _SEGMENT_HEAD <= len(data):
        body = data[place + _SEGMENT_HEAD :]
        length = int.from_bytes(data[place + 1 : place + _SEGMENT_HEAD], "big")
        if data[place] == _COMPOSITION and len(body) > _N_OBJECTS_AT:
            shown = body[_N_OBJECTS_AT] > 0
            same = body[_STATE_AT] == _REPEATED or body[_PALETTE_ONLY_AT] == _PALETTE_ONLY
            if not (shown and same):
                yield _Change(at_s, shown, end_s if shown else None)
        place += _SEGMENT_HEAD + length


def display_delays(data: bytes) -> tuple[Fraction, Fraction | None]:
    """Return when a VobSub picture appears and vanishes, seconds after its packet's time.

    Args:
        data: size, offset of the control sequences, pixels, then the sequences: each a delay, the
            offset of the next (its own offset in the last one), and commands.

    Returns:
        the delay of the start command (0 without one) and of the stop command (None without one).
    """
    start, stop = Fraction(0), None
    place = int.from_bytes(data[2:4], "big")
    while place + 4 <= len(data):
        delay = int.from_bytes(data[place : place + 2], "big") * _DELAY_S
        following = int.from_bytes(data[place + 2 : place + 4], "big")
        commands = _commands(data, place + 4)
        if _STOP in commands:
            stop = delay
        elif {_START, _FORCED_START} & commands:
            start = delay
        if following <= place:
            break
        place = following
    return start, stop


def _commands(data: bytes, place: int) -> set[int]:
    """Return the commands of one sequence; an unknown one ends it, for its length is unknown."""
    found = set()
    while place < len(data) and data[place] in _ARGUMENT_BYTES:
        found.add(data[place])
        place += 1 + _ARGUMENT_BYTES[data[place]]
    return found


def _shown(changes: list[_Change]) -> Iterator[Interval]:
    """Turn changes into intervals: a picture lasts to its end, or to the next change before it."""
    for index, change in enumerate(changes):
        if not change.shown:
            continue
        ends = [changes[index + 1].at_s] if index + 1 < len(changes) else []
        known = change.end_s is not None and change.end_s <= change.at_s + LONGEST_STATED_S
        ends.append(change.end_s if known and change.end_s else change.at_s + LONGEST_S)
        if min(ends) > change.at_s:
            yield float(change.at_s), float(min(ends))
