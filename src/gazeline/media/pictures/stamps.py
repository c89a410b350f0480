"""Give frames the times that their container leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any

from gazeline.media.containers import Watch
from gazeline.media.probing.streams import MediaInfo, VideoStream

GUESSED = {"h264", "hevc"}


def only_decoding_times(info: MediaInfo, video: VideoStream) -> bool:
    """Return whether the presentation times of a stream are guesses that do not hold.

    AVI stores none; what libavformat makes up for H.264 with B-frames jumps back and forth.
    """
    return "avi" in info.container.split(",") and video.codec in GUESSED


class DecodingTimes(Watch):
    """Time frames, which come in order of presentation, by the decoding times in their order.

    That is exact for frames of one length, which AVI has; sound stays where it belongs.
    """

    def __init__(self) -> None:
        self._unused: list[int] = []

    def packet(self, packet: Any) -> None:
        """Keep the time of a packet; an empty one repeats the frame before it."""
        if packet.size and packet.dts is not None:
            heappush(self._unused, packet.dts)

    def broken(self, packet: Any) -> None:
        """Forget the time of a packet that gives no frame."""
        if packet.dts in self._unused:
            self._unused.remove(packet.dts)
            self._unused.sort()

    def stamped(self, frames: Iterator[Any]) -> Iterator[Any]:
        """Yield the frames with their times."""
        for frame in frames:
            frame.pts = heappop(self._unused) if self._unused else None
            yield frame
