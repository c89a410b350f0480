"""Open a file with PyAV, decode one stream of it to the end, and close it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av

from gazeline.errors import MediaError
from gazeline.media.probing.names import shown, url

MAX_READ_ERRORS = 100


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Yield the open container of a file and close it afterwards.

    Raises:
        MediaError: the file cannot be opened or read.
    """
    try:
        with av.open(url(path), metadata_errors="replace") as container:
            yield container
    except (av.error.FFmpegError, OSError) as error:
        raise MediaError(
            f"{shown(path.name)} cannot be read: {error.strerror or error}",
            where=shown(str(path)),
            todo="check that the file plays; replace it with a complete copy",
        ) from error


class Watch:
    """Look at the packets of a stream as they are read; this one sees nothing in them."""

    every_stream = False

    def any_packet(self, packet: Any) -> None:
        """Take a packet of any stream, if `every_stream` is to be read."""

    def packet(self, packet: Any) -> None:
        """Take a packet before it is decoded."""

    def broken(self, packet: Any) -> None:
        """Take a packet that could not be decoded."""


def decoded(
    container: Any,
    stream: Any,
    path: Path,
    note_broken: Callable[[], None],
    watch: Watch | None = None,
) -> Iterator[Any]:
    """Yield every decoded frame of a stream; a broken packet costs only its own frames.

    Raises:
        MediaError: no decoder is there for the stream.
    """
    if stream.codec_context is None:
        raise MediaError(
            f"{path.name} has a stream that cannot be decoded",
            where=f"{path}, stream {stream.index}",
            todo="convert the copy to a common codec, or use another copy",
        )
    last, furthest = -1, -1
    watch = watch or Watch()
    for packet in _packets(container, stream, note_broken, watch):
        watch.packet(packet)
        furthest = max(furthest, packet.pts or 0)
        for frame in _frames(packet, note_broken, watch):
            last = max(last, frame.pts or 0)
            yield frame
    if stream.type == "video" and last < furthest:
        yield from _lost(path, stream.index, last)


def _frames(packet: Any, note_broken: Callable[[], None], watch: Watch) -> Sequence[Any]:
    try:
        frames: Sequence[Any] = packet.decode()
    except av.error.FFmpegError:
        note_broken()
        watch.broken(packet)
        return ()
    return frames


def _lost(path: Path, index: int, last: int) -> Iterator[Any]:
    """Yield the frames after a time stamp, decoded anew by a single thread.

    A decoder of several threads that meets a broken packet at the end of a file, as where it is
    cut off, ends without the frames before it, how many depends on the number of threads.
    """
    with opened(path) as container:
        stream = container.streams[index]
        stream.codec_context.thread_count = 1
        # A file without an index is decoded from its start.
        with suppress(av.error.FFmpegError):
            container.seek(last, stream=stream, backward=True)
        for packet in _packets(container, stream, lambda: None, Watch()):
            yield from (f for f in _frames(packet, lambda: None, Watch()) if (f.pts or 0) > last)


def _packets(
    container: Any, stream: Any, note_broken: Callable[[], None], watch: Watch
) -> Iterator[Any]:
    """Yield packets, reading on after a damaged place, and last the packet that flushes."""
    errors = 0
    read = () if watch.every_stream else (stream,)
    packets = container.demux(*read)
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            return
        except av.error.InvalidDataError:
            note_broken()
            errors += 1
            if errors > MAX_READ_ERRORS:
                raise
            packets = container.demux(*read)
            continue
        watch.any_packet(packet)
        if packet.stream.index == stream.index:
            yield packet


@dataclass(frozen=True)
class Coverage:
    """How much of a stream was decoded, seconds: from its start to `end_s`, of `declared_s`.

    Of that, `missing_s` are holes. `dropped_s` were decoded but have no place on the clock, which
    goes back at `back_s` where the file was joined from parts.
    """

    start_s: float
    end_s: float
    declared_s: float
    missing_s: float = 0.0
    dropped_s: float = 0.0
    back_s: float | None = None

    def check(self, path: Path, share: float, key: str) -> None:
        """Check that enough of what the file declares was decoded and has its place.

        Args:
            share: of the declared length that must decode.
            key: parameter that allows less.

        Raises:
            MediaError: too little did.
        """
        got = self.end_s - self.start_s - self.missing_s
        expected = max(self.declared_s, got + self.dropped_s)
        if expected <= 0 or got >= share * expected:
            return
        todo = "replace it with a complete copy"
        if self.back_s is not None:
            what = f"the clock goes back at {self.back_s:.1f} s; {self.dropped_s:.1f} s are dropped"
            what = f"In {path.name} {what}"
            todo = "rejoin the parts (ffmpeg -f concat -i parts.txt -c copy whole.mkv)"
        elif self.dropped_s > 0 or self.missing_s > 0:
            what = f"Only {got:.1f} of {expected:.1f} s of {path.name} decode in order"
        else:
            what = f"{path.name} stops decoding after {got:.1f} of {expected:.1f} s"
        raise MediaError(what, where=str(path), todo=f"{todo}, or lower {key}")


def decoder_name() -> str:
    """Return the decoder and its version, as recorded in shards."""
    versions = av.library_versions
    codec, scale = (
        ".".join(str(n) for n in versions[name]) for name in ("libavcodec", "libswscale")
    )
    return f"PyAV {av.__version__}, libavcodec {codec}, libswscale {scale}"
