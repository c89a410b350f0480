"""Decode the pictures of a film forward, each with its own presentation time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, islice
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from av.video.reformatter import Interpolation, VideoReformatter

from gazeline.errors import MediaError
from gazeline.media.ahead import ahead
from gazeline.media.containers import Coverage, decoded, opened
from gazeline.media.pictures.geometry import Geometry, PictureSpec, plan_geometry
from gazeline.media.pictures.holes import Damage, is_late
from gazeline.media.pictures.stamps import DecodingTimes, only_decoding_times
from gazeline.media.probing.streams import MediaInfo, VideoStream

Pixels = npt.NDArray[np.uint8]
Wanted = Callable[[int], bool]
Timed = tuple[Any, float, float]

BACK_S = 1
GROUP_FRAMES = 4
GROUPS_AHEAD = 2

EXACT = Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INT | Interpolation.FULL_CHR_H_INP
"""Without these, swscale is up to two grey levels too dark and halves the resolution of colour."""


@dataclass(frozen=True)
class Frame:
    """One picture, shown over [start_s, end_s) of the copy clock.

    `pixels` is RGB uint8 of shape [height, width, 3], or None where it was not wanted.
    """

    start_s: float
    end_s: float
    pixels: Pixels | None


@dataclass
class DecodeCounts:
    """What happened while decoding; filled in as frames are read.

    `broken_packets` could not be decoded; `corrupt_frames` were decoded with damage and kept;
    `out_of_order` frames did not come after their predecessor (or had no time) and were dropped,
    `dropped_s` of film, `undated` of them for want of a time; `back_s` is where the clock first
    went back by over a second. `holes` are where damage left no picture. Times are on the copy
    clock.
    """

    frames: int = 0
    broken_packets: int = 0
    corrupt_frames: int = 0
    out_of_order: int = 0
    first_s: float | None = None
    last_end_s: float | None = None
    dropped_s: float = 0.0
    back_s: float | None = None
    undated: int = 0
    holes: list[tuple[float, float]] = field(default_factory=list)

    @property
    def missing_s(self) -> float:
        """Return how long there is no picture, seconds."""
        return sum(end - start for start, end in self.holes)

    def covered(self, start_s: float, declared_s: float) -> Coverage:
        """Return how much was decoded of what is declared, should nothing be from `start_s`."""
        start = start_s if self.first_s is None else self.first_s
        end = start if self.last_end_s is None else self.last_end_s
        return Coverage(start, end, declared_s, self.missing_s, self.dropped_s, self.back_s)

    def drop(self, start: Fraction | None, before: Fraction | None, lasting: Fraction) -> None:
        """Count a frame that has no place after the one before it."""
        self.out_of_order += 1
        self.undated += start is None
        self.dropped_s += float(lasting)
        if self.back_s is None and start is not None and before is not None:
            self.back_s = float(before + lasting) if before - start > BACK_S else None


def no_picture(hole: tuple[float, float]) -> str:
    """Return a hole in words.

    >>> no_picture((7.88, 15.0))
    'no picture from 7.9 to 15.0 s'
    """
    return f"no picture from {hole[0]:.1f} to {hole[1]:.1f} s"


def picture_of(info: MediaInfo) -> VideoStream:
    """Return the stream of pictures chosen in a film.

    Raises:
        MediaError: there is none.
    """
    if info.video is None:
        raise MediaError(
            f"{info.path.name} has no picture",
            where=str(info.path),
            todo="use a copy with a picture, or drop video from the experiments of this film",
        )
    return info.video


@dataclass(frozen=True)
class View:
    """How one encoder sees a film: each frame that is `wanted`, by index, as `picture` says."""

    picture: PictureSpec
    wanted: Wanted = lambda index: True


def read_frames(
    info: MediaInfo,
    picture: PictureSpec,
    *,
    stop_s: float | None = None,
    threads: int = 0,
    wanted: Wanted | None = None,
    counts: DecodeCounts | None = None,
) -> Iterator[Frame]:
    """Yield the frames of a film as one encoder sees them (see `read_views`).

    Args:
        wanted: tells by index which frames are to be converted; None converts all.
    """
    view = View(picture) if wanted is None else View(picture, wanted)
    for (frame,) in read_views(info, [view], stop_s=stop_s, threads=threads, counts=counts):
        yield frame


def read_views(
    info: MediaInfo,
    views: Sequence[View],
    *,
    stop_s: float | None = None,
    threads: int = 0,
    counts: DecodeCounts | None = None,
) -> Iterator[tuple[Frame, ...]]:
    """Yield the frames of a film's chosen picture in presentation order, none invented.

    The film is decoded once, in a thread; each frame comes once per view. A frame ends where the
    next one starts; the last one, and one before a hole, after its own duration.

    Args:
        stop_s: frames that start at or after this time (copy clock) are left out.
        threads: decoder threads; 0 lets the decoder choose.
        counts: filled in while reading.

    Raises:
        MediaError: there is no picture, it cannot be opened, or not one frame can be decoded.
    """
    video = picture_of(info)
    counts = counts if counts is not None else DecodeCounts()
    seen = _Views(video, views)
    coming = ahead(_grouped(_counted(info, video, threads, counts, stop_s)), GROUPS_AHEAD)
    for index, (frame, start_s, end_s) in enumerate(chain.from_iterable(coming)):
        yield tuple(Frame(start_s, end_s, pixels) for pixels in seen(frame, index))
    if counts.frames == 0:
        if counts.undated:
            raise _undated(info, video)
        raise MediaError(
            f"Not one frame of {info.path.name} can be decoded",
            where=f"{info.path}, stream {video.index} ({video.codec})",
            todo="check that the file plays; replace it with a complete copy",
        )


def _undated(info: MediaInfo, video: VideoStream) -> MediaError:
    return MediaError(
        f"The picture of {info.path.name} has no time stamps",
        where=f"{info.path}, stream {video.index} ({video.codec})",
        todo="put it into a container at its true rate "
        "(ffmpeg -r RATE -i FILE -c copy whole.mkv), and use that",
    )


class _Views:
    """Convert frames for every view; views of one picture share it."""

    def __init__(self, video: VideoStream, views: Sequence[View]) -> None:
        self._views = views
        self._converters = {
            view.picture: Converter(plan_geometry(video, view.picture), view.picture)
            for view in views
        }

    def __call__(self, frame: Any, index: int) -> list[Pixels | None]:
        wanted = [view.picture if view.wanted(index) else None for view in self._views]
        made = {p: self._converters[p](frame) for p in dict.fromkeys(wanted) if p is not None}
        return [None if p is None else made[p] for p in wanted]


def _counted(
    info: MediaInfo,
    video: VideoStream,
    threads: int,
    counts: DecodeCounts,
    stop_s: float | None,
) -> Iterator[Timed]:
    for frame, start_s, end_s in _timed(info, video, threads, counts):
        if stop_s is not None and start_s >= stop_s:
            break
        if counts.last_end_s is not None and counts.last_end_s < start_s:
            counts.holes.append((counts.last_end_s, start_s))
        counts.frames += 1
        counts.first_s = start_s if counts.first_s is None else counts.first_s
        counts.last_end_s = end_s
        yield frame, start_s, end_s


def _grouped(frames: Iterator[Timed]) -> Generator[list[Timed], None, None]:
    """Yield frames a few at once: handing over each one alone costs more than scaling it."""
    while group := list(islice(frames, GROUP_FRAMES)):
        yield group


def _timed(
    info: MediaInfo, video: VideoStream, threads: int, counts: DecodeCounts
) -> Iterator[Timed]:
    """Yield (decoded frame, start_s, end_s), in order of presentation."""
    pending: tuple[Any, Fraction] | None = None
    times = DecodingTimes() if only_decoding_times(info, video) else None
    damage = Damage(end_to_end="matroska" in info.container.split(","), times=times)
    for frame in _pictures(info, video, threads, counts, damage):
        start = presentation_time(frame, info.origin_s)
        if start is None or (pending is not None and start <= pending[1]):
            counts.drop(start, pending[1] if pending else None, lasting_s(frame, video))
            continue
        counts.corrupt_frames += bool(frame.is_corrupt)
        if pending is not None:
            end = _end(info, video, damage, pending, start)
            yield pending[0], float(pending[1]), float(end)
        pending = frame, start
    if pending is not None:
        yield pending[0], float(pending[1]), float(pending[1] + lasting_s(pending[0], video))


def _end(
    info: MediaInfo,
    video: VideoStream,
    damage: Damage,
    shown: tuple[Any, Fraction],
    following: Fraction,
) -> Fraction:
    """Return when a frame ends: where the next one starts, unless a hole is between them."""
    frame, start = shown
    lasting = lasting_s(frame, video)
    end = start + lasting
    if not is_late(end, following, lasting):
        return following
    hole = damage.lies_in(end + info.origin_s, following + info.origin_s)
    return end if hole else following


def _pictures(
    info: MediaInfo, video: VideoStream, threads: int, counts: DecodeCounts, damage: Damage
) -> Iterator[Any]:
    def note_broken() -> None:
        counts.broken_packets += 1

    with opened(info.path) as container:
        stream = container.streams[video.index]
        stream.thread_type = "AUTO"
        if threads:
            stream.codec_context.thread_count = threads
        frames = decoded(container, stream, info.path, note_broken, damage)
        frames = damage.times.stamped(frames) if damage.times is not None else frames
        yield from _deinterlaced(frames, stream) if video.interlaced else frames


def _deinterlaced(frames: Iterator[Any], stream: Any) -> Iterator[Any]:
    """Merge each frame's two fields into one picture at the frame's own time."""
    graph = av.filter.Graph()
    source = graph.add_buffer(template=stream)
    fields = graph.add("bwdif", "mode=send_frame:parity=auto:deint=all")
    sink = graph.add("buffersink")
    source.link_to(fields)
    fields.link_to(sink)
    graph.configure()
    for frame in frames:
        graph.push(frame)
        yield from _drained(graph)
    graph.push(None)
    yield from _drained(graph)


def _drained(graph: Any) -> Iterator[Any]:
    while True:
        try:
            frame = graph.pull()
        except (av.error.BlockingIOError, av.error.EOFError):
            return
        yield frame


def presentation_time(frame: Any, origin_s: Fraction) -> Fraction | None:
    """Return the presentation time; AVI and the like give only the decoding time."""
    stamp = frame.pts if frame.pts is not None else frame.dts
    return None if stamp is None else Fraction(stamp) * frame.time_base - origin_s


def lasting_s(frame: Any, video: VideoStream) -> Fraction:
    """Return how long a decoded frame is shown where no other follows."""
    if frame.duration:
        return Fraction(frame.duration) * Fraction(frame.time_base)
    return Fraction(1) / video.fps if video.fps else Fraction(0)


class Converter:
    """Turn decoded frames into upright, cropped RGB of one size."""

    def __init__(self, geometry: Geometry, picture: PictureSpec) -> None:
        self._geometry = geometry
        self._reformatter = VideoReformatter()
        kernel = {"NEAREST": "POINT"}.get(picture.interpolation, picture.interpolation)
        self._flags = int(Interpolation[kernel] | EXACT)

    def __call__(self, frame: Any) -> Pixels:
        plan = self._geometry
        scaled = self._reformatter.reformat(
            frame,
            width=plan.scaled_width,
            height=plan.scaled_height,
            format="rgb24",
            interpolation=self._flags,
            threads=1,
        )
        upright = np.rot90(scaled.to_ndarray(), -plan.quarter_turns)
        cropped = upright[plan.top : plan.top + plan.height, plan.left : plan.left + plan.width]
        pixels: Pixels = np.ascontiguousarray(cropped)
        return pixels
