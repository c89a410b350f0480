"""Single pictures of a film by presentation time, without decoding all that comes before."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import av

from gazeline.media.containers import decoded, opened
from gazeline.media.pictures.frames import (
    Converter,
    Pixels,
    lasting_s,
    picture_of,
    presentation_time,
)
from gazeline.media.pictures.geometry import PictureSpec, plan_geometry
from gazeline.media.probing.streams import MediaInfo

# Times of a map and of a Matroska file are rounded: a picture that starts this much later than it
# is asked for is meant.
TOLERANCE_S = 0.002
# Key pictures are found by their decoding time, which is earlier than that of presentation.
LEAD_S = 1


@dataclass(frozen=True)
class Still:
    """One picture: RGB uint8 of shape [height, width, 3], and its start on the copy clock."""

    start_s: float
    pixels: Pixels


def stills_at(
    info: MediaInfo, times_s: Sequence[float], picture: PictureSpec
) -> list[Still | None]:
    """Return the picture shown at each time of the copy clock; None where there is none.

    Each is decoded forward by a decoder of its own, from the key picture before it: some decoders
    show stale pictures after they were sent back.

    Raises:
        MediaError: there is no picture, or the file cannot be read.
    """
    return [_still(info, time_s, picture) for time_s in times_s]


def _still(info: MediaInfo, time_s: float, picture: PictureSpec) -> Still | None:
    found, early = _searched(info, time_s, picture, from_start=False)
    if not early:
        # The index led past the time that is asked for.
        found, _ = _searched(info, time_s, picture, from_start=True)
    return found


def _searched(
    info: MediaInfo, time_s: float, picture: PictureSpec, *, from_start: bool
) -> tuple[Still | None, bool]:
    """Return the last picture that starts by a time, and whether any did."""
    video = picture_of(info)
    latest, ends = None, Fraction(0)
    with opened(info.path) as container:
        stream = container.streams[video.index]
        stream.thread_type = "AUTO"
        if not from_start:
            target = Fraction(time_s) - LEAD_S + info.origin_s
            # A file without an index is decoded from its start.
            with suppress(av.error.FFmpegError):
                container.seek(int(target / stream.time_base), stream=stream, backward=True)
        for frame in decoded(container, stream, info.path, lambda: None):
            start = presentation_time(frame, info.origin_s)
            if start is None:
                continue
            if start > time_s + TOLERANCE_S:
                break
            latest, ends = frame, start + lasting_s(frame, video)
        else:
            if time_s >= ends + TOLERANCE_S:
                return None, True
        if latest is None:
            return None, False
        start = presentation_time(latest, info.origin_s)
        pixels = Converter(plan_geometry(video, picture), picture)(latest)
    return Still(float(start or 0), pixels), True
