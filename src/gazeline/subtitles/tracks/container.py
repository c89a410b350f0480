"""Tell films from subtitle files by their first bytes, and read all the text tracks of a film."""

from __future__ import annotations

from pathlib import Path

from gazeline.errors import GazelineError, MediaError, SubtitleError
from gazeline.media.embedded import TrackBytes, extract_all
from gazeline.subtitles.reading.read import check_regular, read_subtitles
from gazeline.subtitles.tracks.choose import ReadTrack

_MAGIC = (
    b"\x1a\x45\xdf\xa3",  # Matroska, WebM
    b"OggS",
    b"FLV",
    b"\x30\x26\xb2\x75",  # ASF, WMV
    b"\x00\x00\x01\xba",  # MPEG-PS, VobSub
    b"\x00\x00\x01\xb3",
    b"# VobSub index file",
)
_MP4 = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")
_TS_PACKETS = ((0, 188), (4, 192))


def is_container(path: Path) -> bool:
    """Say whether a file is a film or a file of picture subtitles, by what it begins with.

    Raises:
        SubtitleError: the file is not there or cannot be read.
    """
    try:
        check_regular(path)
        with path.open("rb") as file:
            head = file.read(512)
    except FileNotFoundError as error:
        raise SubtitleError(
            "The subtitle file is not there", where=str(path), todo="check the path"
        ) from error
    except OSError as error:
        raise SubtitleError(
            f"Cannot read {path.name}: {error.strerror}",
            where=str(path),
            todo="see that you may read the file and that its disk is sound",
        ) from error
    if head.startswith(_MAGIC) or head[4:8] in _MP4:
        return True
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return True
    pictures = head.startswith(b"PG") and b"\x00" in head[:16]
    stream = any(head[at : at + step + 1 : step] == b"GG" for at, step in _TS_PACKETS)
    return pictures or stream


def read_tracks(path: Path) -> list[ReadTrack | GazelineError]:
    """Read every text track of a film; a track that cannot be read stands as its error.

    Raises:
        MediaError: the file is no container.
    """
    return [
        found if isinstance(found, MediaError) else _read(path, found)
        for found in extract_all(path)
    ]


def _read(path: Path, found: TrackBytes) -> ReadTrack | GazelineError:
    where = f"{path}, stream {found.track.index} ({found.track.codec})"
    if not found.data.strip():
        return SubtitleError("The subtitle track is empty", where=where)
    try:
        return ReadTrack(found.track, read_subtitles(found.data, name=where), found.complaints)
    except SubtitleError as error:
        return error
