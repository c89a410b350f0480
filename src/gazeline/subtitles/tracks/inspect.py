"""Read whatever subtitles a file holds, of any format or container, and account for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from gazeline.errors import GazelineError, SubtitleError
from gazeline.media.bitmaps import bitmap_intervals
from gazeline.media.probing.probe import probe_subtitles
from gazeline.media.probing.streams import SubtitleStream
from gazeline.subtitles.cleaning.clean import clean
from gazeline.subtitles.cleaning.rules import Rule
from gazeline.subtitles.reading.read import Cue, SubtitleFile, read_subtitles
from gazeline.subtitles.tracks.choose import Choice, ReadTrack, choose_track
from gazeline.subtitles.tracks.container import is_container, read_tracks
from gazeline.timeline.maps import Interval


@dataclass(frozen=True)
class Pictures:
    """A track of picture subtitles: when they are shown is known, what they say is not."""

    stream: SubtitleStream
    intervals: tuple[Interval, ...]


@dataclass(frozen=True)
class Inspected:
    """What a file holds.

    `file` is what was read, None where there are only pictures; `choice` says which track of a
    container it is; `unread` names the text tracks that could not be read and why.
    """

    path: Path
    container: str | None
    file: SubtitleFile | None
    choice: Choice | None = None
    pictures: tuple[Pictures, ...] = ()
    unread: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        shown = _account(self.file) if self.file else {}
        chosen = self.choice.track if self.choice else None
        return (
            {"file": str(self.path), "container": self.container}
            | shown
            | {
                "track": None if chosen is None else _track(chosen.stream),
                "track_chosen": self.choice.reason if self.choice else None,
                "complaints": list(chosen.complaints) if chosen else [],
                "picture_tracks": [_pictures(each) for each in self.pictures],
                "unread_tracks": list(self.unread),
            }
        )


@dataclass(frozen=True)
class CleanedCues:
    """Cues after cleaning; `fired` counts the cues each rule changed."""

    cues: tuple[Cue, ...]
    fired: Mapping[str, int]
    n_emptied: int


def inspect_subtitles(
    path: Path,
    *,
    languages: Sequence[str] = ("eng",),
    stream_index: int | None = None,
    fps: Fraction | None = None,
) -> Inspected:
    """Read a subtitle file, or the dialogue track of a film.

    Args:
        languages: what to prefer among the tracks of a film, the most wanted first.
        stream_index: the text track to take instead.
        fps: frame rate, for MicroDVD files that do not state one.

    Raises:
        SubtitleError: the file is no subtitle file, or a film without subtitles.
        MediaError: the film cannot be read.
    """
    if not is_container(path):
        return Inspected(path, None, read_subtitles(path, fps=fps))
    tracks = probe_subtitles(path)
    if not tracks.subtitles:
        raise SubtitleError(
            f"{path.name} has no subtitles inside",
            where=str(path),
            todo="give a subtitle file, or a film that carries subtitles",
        )
    found = read_tracks(path)
    usable = [track for track in found if isinstance(track, ReadTrack)]
    pictures = tuple(
        Pictures(stream, tuple(bitmap_intervals(path, stream.index)))
        for stream in tracks.subtitles
        if stream.kind == "bitmap"
    )
    choice = _chosen(path, usable, languages, stream_index, found)
    unread = tuple(_one_line(error) for error in found if isinstance(error, GazelineError))
    file = choice.track.file if choice else None
    return Inspected(path, tracks.container, file, choice, pictures, unread)


def clean_cues(file: SubtitleFile, rules: Sequence[Rule]) -> CleanedCues:
    """Clean the cues of a file; those of which nothing is left are counted and dropped."""
    cleaned = clean((cue.text for cue in file.cues), rules)
    cues = tuple(
        Cue(cue.start_s, cue.end_s, text)
        for cue, text in zip(file.cues, cleaned.texts, strict=True)
        if text.strip()
    )
    return CleanedCues(cues, cleaned.fired, len(file.cues) - len(cues))


def _chosen(
    path: Path,
    usable: Sequence[ReadTrack],
    languages: Sequence[str],
    stream_index: int | None,
    found: Sequence[ReadTrack | GazelineError],
) -> Choice | None:
    if stream_index is not None:
        asked = [track for track in usable if track.stream.index == stream_index]
        if asked:
            return Choice(asked[0], "the one asked for")
        there = ", ".join(str(track.stream.index) for track in usable) or "none"
        raise SubtitleError(
            f"{path.name} has no text track {stream_index} that can be read",
            where=str(path),
            todo=f"choose one of its text tracks: {there}",
        )
    errors = [error for error in found if isinstance(error, GazelineError)]
    if not usable and errors:
        raise errors[0]
    return choose_track(usable, languages) if usable else None


def _account(file: SubtitleFile) -> dict[str, Any]:
    return {
        "format": file.format,
        "encoding": file.encoding,
        "encoding_by": file.encoding_by,
        "cues_in": file.n_found,
        "cues_out": len(file.cues),
        "repaired": dict(file.repaired),
        "dropped": dict(file.dropped),
        "first_cue": cue_record(file.cues[0]) if file.cues else None,
        "last_cue": cue_record(file.cues[-1]) if file.cues else None,
    }


def cue_record(cue: Cue) -> dict[str, Any]:
    """Return a cue as plain values."""
    return {"start_s": cue.start_s, "end_s": cue.end_s, "text": cue.text}


def _track(stream: SubtitleStream) -> dict[str, Any]:
    return {
        "stream": stream.index,
        "codec": stream.codec,
        "language": stream.language,
        "title": stream.title,
        "default": stream.default,
        "forced": stream.forced,
    }


def _pictures(pictures: Pictures) -> dict[str, Any]:
    times = pictures.intervals
    return _track(pictures.stream) | {
        "n_pictures": len(times),
        "first_s": list(times[0]) if times else None,
        "last_s": list(times[-1]) if times else None,
    }


def _one_line(error: GazelineError) -> str:
    return f"{error.where}: {error.what}" if error.where else error.what
