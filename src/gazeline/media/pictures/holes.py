"""Tell a hole in the picture from a frame that is shown for long."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from typing import Any

from gazeline.media.containers import Watch
from gazeline.media.pictures.stamps import DecodingTimes

KEPT_MARKS = 512
MISSING_BYTES = 1024
"""More bytes than a container puts between two packets (a cluster's head takes about 30)."""
EARLY = Fraction(1, 2)
"""Times may stray by this share, of a tick or of a frame's length: containers round them."""

Mark = tuple[int, int]


class Damage(Watch):
    """Keep where packets are missing, damaged, or gave no frame, in the stream's time stamps.

    A frame that is shown longer than its packet says is usual where the rate varies, so that it is
    a hole only if the file shows damage there: a packet in it that gave no frame, one that the
    demuxer calls corrupt, or, where packets lie end to end as in Matroska, bytes that are in none.
    """

    def __init__(self, *, end_to_end: bool, times: DecodingTimes | None) -> None:
        self.every_stream = end_to_end
        self.times = times
        self._tick: Fraction | None = None
        self._stamps: deque[int] = deque(maxlen=KEPT_MARKS)
        self._marks: deque[Mark] = deque(maxlen=KEPT_MARKS)
        self._last: int | None = None
        self._block = (0, 0)
        self._missing = False

    def any_packet(self, packet: Any) -> None:
        """Follow the packets of all streams through the bytes of the file."""
        if not self.every_stream or packet.pos is None or packet.pos < 0 or not packet.size:
            return
        start, end = self._block
        if packet.pos == start:
            # Packets laced into one block all give its place.
            self._block = start, end + packet.size
            return
        self._missing |= end > 0 and packet.pos - end > MISSING_BYTES
        self._block = packet.pos, packet.pos + packet.size

    def packet(self, packet: Any) -> None:
        """Take a packet of the picture."""
        if self.times is not None:
            self.times.packet(packet)
        stamp = packet.dts if self.times is not None or packet.pts is None else packet.pts
        if stamp is None:
            return
        self._tick = Fraction(packet.time_base)
        if not packet.is_discard:
            self._stamps.append(stamp)
        if (self._missing or packet.is_corrupt) and self._last is not None:
            self._marks.append((self._last, max(stamp, self._last)))
        self._missing = False
        self._last = stamp

    def broken(self, packet: Any) -> None:
        """Take a packet of the picture that could not be decoded."""
        if self.times is not None:
            self.times.broken(packet)

    def lies_in(self, end_s: Fraction, following_s: Fraction) -> bool:
        """Return whether there is damage from the end of one frame to the next, file's clock."""
        if self._tick is None:
            return False
        end, following = end_s / self._tick, following_s / self._tick
        lost = any(end - EARLY <= stamp < following for stamp in self._stamps)
        return lost or any(first < following and last >= end for first, last in self._marks)


def is_late(end_s: Fraction, start_s: Fraction, lasting_s: Fraction) -> bool:
    """Return whether a frame comes long after the one before it ended."""
    return lasting_s > 0 and start_s - end_s > EARLY * lasting_s
