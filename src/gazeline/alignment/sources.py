"""The dialogue a copy comes with: a file beside it, else the text tracks inside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gazeline.alignment.copy import CopyFile, describe_track, extract_track
from gazeline.errors import MediaError, SubtitleError
from gazeline.media.probing.streams import SubtitleStream
from gazeline.subtitles.reading.read import Cue, SubtitleFile, read_subtitles


@dataclass(frozen=True)
class Dialogue:
    """Cues on the copy clock and where they were found."""

    cues: tuple[Cue, ...]
    source: str


@dataclass(frozen=True)
class Unusable:
    """Subtitles that could not be used, and why."""

    source: str
    reason: str


def dialogue_of(copy: CopyFile, subtitles: Path | None) -> Iterator[Dialogue | Unusable]:
    """Yield the subtitles to try, the likeliest to be complete first.

    A file beside the copy is the user's choice and the only one tried. Of embedded tracks the
    full ones come before the forced ones, the default before others; they are read one at a
    time, since each costs a pass over the file.

    Raises:
        SubtitleError: the file beside the copy cannot be read or has no cue.
    """
    if subtitles is not None:
        yield _checked(read_subtitles(subtitles, fps=copy.fps), subtitles)
        return
    for track in sorted(copy.tracks, key=lambda t: (t.forced, not t.default, t.index)):
        source = f"the embedded subtitles ({describe_track(track)})"
        if track.kind == "text":
            yield _embedded(copy, track, source)
        else:
            yield Unusable(source, f"they are pictures ({track.codec}), not text")


def _checked(file: SubtitleFile, path: Path) -> Dialogue:
    if not file.cues:
        raise SubtitleError(
            f"The subtitle file has no cue to align by: {file.report()}",
            where=str(path),
            todo="give another subtitle file, or take films.<film>.subtitles out of params.yaml",
        )
    return Dialogue(file.cues, f"{path.name} ({file.report()})")


def _embedded(copy: CopyFile, track: SubtitleStream, source: str) -> Dialogue | Unusable:
    try:
        file = read_subtitles(extract_track(copy, track), name=f"{copy.path}, {source}")
    except (MediaError, SubtitleError) as error:
        return Unusable(source, error.what)
    return Dialogue(file.cues, source) if file.cues else Unusable(source, "they have no cue")
