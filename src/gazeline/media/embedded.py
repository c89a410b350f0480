"""List and extract the subtitle tracks inside a film file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import ffmpeg

from gazeline.errors import MediaError
from gazeline.media.probing.binaries import find_binaries
from gazeline.media.probing.names import url
from gazeline.media.probing.probe import probe_subtitles
from gazeline.media.probing.streams import SubtitleStream, SubtitleTracks

# Formats that ffmpeg copies out as they are; others it turns into SRT. Turning would drop a cue
# whose bytes are not UTF-8 and an ASS comment without counting either.
_COPIED = {"subrip": "srt", "text": "srt", "ass": "ass", "ssa": "ass", "webvtt": "webvtt"}
_TODO = "put a subtitle file (.srt) beside the copy and name it in films.<film>.subtitles"


@dataclass(frozen=True)
class TrackBytes:
    """The bytes of a text track as a subtitle file on the copy clock.

    `complaints` are what ffmpeg said while reading it: a damaged track may lack cues.
    """

    track: SubtitleStream
    data: bytes
    complaints: tuple[str, ...]


def list_subtitles(path: Path) -> tuple[SubtitleStream, ...]:
    """Return the embedded subtitle tracks, text and bitmap, of any container.

    Raises:
        MediaError: the file is missing or is no container.
    """
    return probe_subtitles(path).subtitles


def extract_subtitles(path: Path, stream_index: int) -> bytes:
    """Return an embedded text track as the bytes of a subtitle file, on the copy clock.

    Args:
        stream_index: absolute stream index, as in `SubtitleStream.index`.

    Raises:
        MediaError: there is no such track, it holds pictures, or it cannot be read.
    """
    tracks = probe_subtitles(path)
    return _extracted(path, tracks, _text_track(path, tracks, stream_index)).data


def extract_all(path: Path) -> tuple[TrackBytes | MediaError, ...]:
    """Return every text track, or why it cannot be read, from one pass over the file.

    Where ffmpeg complains each track is read by itself, so that it is known which is damaged.

    Raises:
        MediaError: the file is missing or is no container.
    """
    tracks = probe_subtitles(path)
    texts = [track for track in tracks.subtitles if track.kind == "text"]
    try:
        together = _run(path, tracks, texts)
    except MediaError:
        together = None
    if together is not None and not any(found.complaints for found in together):
        return tuple(together)
    return tuple(_each(path, tracks, track) for track in texts)


def _each(path: Path, tracks: SubtitleTracks, track: SubtitleStream) -> TrackBytes | MediaError:
    try:
        return _extracted(path, tracks, track)
    except MediaError as error:
        return error


def _text_track(path: Path, tracks: SubtitleTracks, stream_index: int) -> SubtitleStream:
    track = next((s for s in tracks.subtitles if s.index == stream_index), None)
    where = f"{path}, stream {stream_index}"
    if track is None:
        there = ", ".join(f"{s.index} ({s.kind})" for s in tracks.subtitles) or "none"
        raise MediaError(
            f"{path.name} has no subtitle track {stream_index}",
            where=where,
            todo=f"choose one of its subtitle tracks: {there}",
        )
    if track.kind == "bitmap":
        raise MediaError(
            f"The subtitles of {path.name} are pictures ({track.codec}), not text",
            where=where,
            todo=_TODO,
        )
    return track


def _extracted(path: Path, tracks: SubtitleTracks, track: SubtitleStream) -> TrackBytes:
    found = _run(path, tracks, [track])[0]
    if not found.data.strip() and found.complaints:
        raise _unreadable(path, track, found.complaints)
    return found


def _run(path: Path, tracks: SubtitleTracks, wanted: Sequence[SubtitleStream]) -> list[TrackBytes]:
    """Write each track into a file of its own with one call of ffmpeg.

    Raises:
        MediaError: ffmpeg gave up.
    """
    if not wanted:
        return []
    # ffmpeg moves the file's first time stamp to 0; the copy clock does so only where
    # `origin_s` says so.
    clock = [] if tracks.origin_s else ["-copyts"]
    with TemporaryDirectory() as folder:
        files = [Path(folder) / str(track.index) for track in wanted]
        source = ffmpeg.input(url(path))
        outputs = [
            source.output(str(file), map=f"0:{track.index}", **_options(track))
            for file, track in zip(files, wanted, strict=True)
        ]
        job = ffmpeg.merge_outputs(*outputs).global_args("-v", "error", "-nostdin", *clock)
        try:
            _, said = job.run(cmd=find_binaries().ffmpeg, capture_stdout=True, capture_stderr=True)
        except ffmpeg.Error as error:
            raise _unreadable(path, wanted[0], _lines(error.stderr)) from error
        complaints = _lines(said)
        data = [file.read_bytes() if file.exists() else b"" for file in files]
    return [TrackBytes(t, d, complaints) for t, d in zip(wanted, data, strict=True)]


def _options(track: SubtitleStream) -> dict[str, str]:
    copied = _COPIED.get(track.codec)
    return {"c:s": "copy", "f": copied} if copied else {"c:s": "srt", "f": "srt"}


def _lines(said: bytes) -> tuple[str, ...]:
    return tuple(line.strip() for line in said.decode("utf-8", "replace").splitlines() if line)


def _unreadable(path: Path, track: SubtitleStream, said: Sequence[str]) -> MediaError:
    return MediaError(
        f"The subtitles of {path.name} cannot be read: {said[-1] if said else 'no reason'}",
        where=f"{path}, stream {track.index}",
        todo=_TODO,
    )
