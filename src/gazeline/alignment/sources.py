"""What a copy can be compared by: its text subtitles, else the timing of anything that speaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gazeline.alignment.activity import Kind, Span, spoken_spans
from gazeline.alignment.copy import CopyFile, describe_track, extract_track
from gazeline.alignment.speech import speech_spans
from gazeline.errors import MediaError, SubtitleError
from gazeline.media.bitmaps import bitmap_intervals
from gazeline.media.probing.streams import SubtitleStream
from gazeline.subtitles.reading.read import Cue, SubtitleFile, read_subtitles

# Ten times as many as the most talkative film has.
MOST_CUES = 20_000
# Longer than any film; what lies later is a broken time stamp.
LAST_S = 12 * 3600.0


@dataclass(frozen=True)
class Dialogue:
    """Cues on the copy clock and where they were found."""

    cues: tuple[Cue, ...]
    source: str


@dataclass(frozen=True)
class Timing:
    """Intervals in which something is said, seconds of the copy clock, and where from."""

    spans: tuple[Span, ...]
    kind: Kind
    source: str


@dataclass(frozen=True)
class Unusable:
    """Evidence that could not be used, and why."""

    source: str
    reason: str


Source = Dialogue | Timing | Unusable


class Sources:
    """Iterate over what the copy has, reading each only when it is asked for, and only once."""

    def __init__(self, copy: CopyFile, subtitles: Path | None) -> None:
        self._rest = sources_of(copy, subtitles)
        self._read: list[Source] = []

    def __iter__(self) -> Iterator[Source]:
        """Yield in order of preference.

        Raises:
            SubtitleError: the file beside the copy cannot be read or has no cue.
        """
        index = 0
        while True:
            if index == len(self._read):
                found = next(self._rest, None)
                if found is None:
                    return
                self._read.append(found)
            yield self._read[index]
            index += 1


def sources_of(copy: CopyFile, subtitles: Path | None) -> Iterator[Source]:
    """Yield dialogue, then the timing of the same, of picture subtitles, and of speech.

    The timing of subtitles is of use where they are in another language. Speech comes last,
    since all of the sound must be heard for it.
    """
    spoken = []
    for source in dialogue_of(copy, subtitles):
        yield source
        if isinstance(source, Dialogue):
            spoken.append(source)
    for dialogue in spoken:
        spans = tuple(spoken_spans(dialogue.cues))
        yield Timing(spans, "cues", f"the timing of {dialogue.source}")
    yield from pictures_of(copy)
    yield speech_of(copy)


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
    for track in _in_order(copy, "text"):
        yield _embedded(copy, track, f"the embedded subtitles ({describe_track(track)})")


def pictures_of(copy: CopyFile) -> Iterator[Timing | Unusable]:
    """Yield the timing of subtitles that are pictures, in the same order."""
    for track in _in_order(copy, "bitmap"):
        source = f"the timing of the picture subtitles ({describe_track(track)})"
        try:
            spans = bitmap_intervals(copy.path, track.index)
        except MediaError as error:
            yield Unusable(source, error.what)
            continue
        kept = tuple(span for span in spans if span[1] <= LAST_S)
        yield Timing(kept, "cues", source) if kept else Unusable(source, "it shows none")


def speech_of(copy: CopyFile) -> Timing | Unusable:
    """Listen to the copy; this takes about a minute of one core for a film of two hours."""
    source = "the speech in its sound"
    if not copy.info.audio_streams:
        return Unusable(source, "it has no sound")
    try:
        spans = tuple(speech_spans(copy.info))
    except MediaError as error:
        return Unusable(source, error.what)
    return Timing(spans, "speech", source) if spans else Unusable(source, "nobody speaks")


def _in_order(copy: CopyFile, kind: str) -> list[SubtitleStream]:
    tracks = [track for track in copy.tracks if track.kind == kind]
    return sorted(tracks, key=lambda t: (t.forced, not t.default, t.index))


def _checked(file: SubtitleFile, path: Path) -> Dialogue:
    reason = _unfit(file)
    if reason is not None:
        raise SubtitleError(
            f"The subtitle file {reason}: {file.report()}",
            where=str(path),
            todo="give another subtitle file, or take films.<film>.subtitles out of params.yaml",
        )
    return Dialogue(file.cues, f"{path.name} ({file.report()})")


def _embedded(copy: CopyFile, track: SubtitleStream, source: str) -> Dialogue | Unusable:
    try:
        file = read_subtitles(extract_track(copy, track), name=f"{copy.path}, {source}")
    except (MediaError, SubtitleError) as error:
        return Unusable(source, error.what)
    reason = _unfit(file)
    return (
        Dialogue(file.cues, source) if reason is None else Unusable(source, f"the track {reason}")
    )


def _unfit(file: SubtitleFile) -> str | None:
    """Say why cues cannot be those of a film, or None where they can."""
    if not file.cues:
        return "has no cue to align by"
    if len(file.cues) > MOST_CUES:
        return f"has {len(file.cues)} cues, which no film has (at most {MOST_CUES})"
    last = max(cue.end_s for cue in file.cues)
    if last > LAST_S:
        return f"has a cue after {last / 3600:.1f} hours, which no film has"
    return None
