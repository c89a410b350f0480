"""List and extract the subtitle tracks inside a film file."""

from __future__ import annotations

from pathlib import Path

import ffmpeg

from gazeline.errors import MediaError
from gazeline.media.probing.binaries import find_binaries
from gazeline.media.probing.names import url
from gazeline.media.probing.probe import probe
from gazeline.media.probing.streams import SubtitleStream


def list_subtitles(path: Path) -> tuple[SubtitleStream, ...]:
    """Return the embedded subtitle tracks, text and bitmap.

    Raises:
        MediaError: the file is not a film.
    """
    return probe(path).subtitles


def extract_subtitles(path: Path, stream_index: int) -> str:
    """Return an embedded text track as SRT, on the copy clock.

    Args:
        stream_index: absolute stream index, as in `SubtitleStream.index`.

    Raises:
        MediaError: there is no such track, it holds pictures, or it cannot be read.
    """
    info = probe(path)
    track = next((s for s in info.subtitles if s.index == stream_index), None)
    where = f"{path}, stream {stream_index}"
    if track is None:
        there = ", ".join(f"{s.index} ({s.kind})" for s in info.subtitles) or "none"
        raise MediaError(
            f"{path.name} has no subtitle track {stream_index}",
            where=where,
            todo=f"choose one of its subtitle tracks: {there}",
        )
    if track.kind == "bitmap":
        raise MediaError(
            f"The subtitles of {path.name} are pictures ({track.codec}), not text",
            where=where,
            todo="put a subtitle file (.srt) beside the copy and name it in films.<film>.subtitles",
        )
    # ffmpeg moves the file's first time stamp to 0; the copy clock does so only where
    # `origin_s` says so.
    clock = [] if info.origin_s else ["-copyts"]
    srt = ffmpeg.input(url(path)).output(
        "pipe:", map=f"0:{stream_index}", format="srt", **{"c:s": "srt"}
    )
    try:
        text, _ = srt.global_args("-v", "error", "-nostdin", *clock).run(
            cmd=find_binaries().ffmpeg, capture_stdout=True, capture_stderr=True
        )
    except ffmpeg.Error as error:
        lines = error.stderr.decode("utf-8", "replace").strip().splitlines()
        raise MediaError(
            f"The subtitles of {path.name} cannot be read: {lines[-1] if lines else 'no reason'}",
            where=where,
            todo="put a subtitle file (.srt) beside the copy and name it in films.<film>.subtitles",
        ) from error
    return str(text, "utf-8", "replace")
