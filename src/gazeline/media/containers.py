"""Open a file with PyAV, decode one stream of it to the end, and close it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def decoded(
    container: Any, stream: Any, path: Path, note_broken: Callable[[], None]
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
    for packet in _packets(container, stream, note_broken):
        try:
            frames = packet.decode()
        except av.error.FFmpegError:
            note_broken()
            continue
        yield from frames


def _packets(container: Any, stream: Any, note_broken: Callable[[], None]) -> Iterator[Any]:
    """Yield packets, reading on after a damaged place, and last the packet that flushes."""
    errors = 0
    packets = container.demux(stream)
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
            packets = container.demux(stream)
            continue
        yield packet


@dataclass(frozen=True)
class Coverage:
    """How much of a stream was decoded, seconds: from its start to `end_s`, of `declared_s`."""

    start_s: float
    end_s: float
    declared_s: float

    def check(self, path: Path, share: float, key: str) -> None:
        """Check that decoding did not stop long before the end the file declares.

        Args:
            share: of the declared length that must decode.
            key: parameter that allows less.

        Raises:
            MediaError: it did.
        """
        got = self.end_s - self.start_s
        if self.declared_s > 0 and got < share * self.declared_s:
            raise MediaError(
                f"{path.name} stops decoding after {got:.1f} of {self.declared_s:.1f} s",
                where=str(path),
                todo=f"replace it with a complete copy, or lower {key}",
            )


def decoder_name() -> str:
    """Return the decoder and its version, as recorded in shards."""
    versions = av.library_versions
    codec, scale = (
        ".".join(str(n) for n in versions[name]) for name in ("libavcodec", "libswscale")
    )
    return f"PyAV {av.__version__}, libavcodec {codec}, libswscale {scale}"
