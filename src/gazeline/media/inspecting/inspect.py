"""Find out what will be decoded of a film file, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gazeline.errors import MediaError
from gazeline.media.inspecting.edits import MOV, Edit, read_edits
from gazeline.media.inspecting.measure import (
    PictureMeasure,
    SoundMeasure,
    measure_pictures,
    measure_sound,
)
from gazeline.media.inspecting.problems import find_problems
from gazeline.media.probing.probe import probe
from gazeline.media.probing.streams import MediaInfo


@dataclass(frozen=True)
class MediaReport:
    """What a file declares, what decodes of it, and every problem found.

    Where `measured` is False the file was not decoded and `pictures` and `sound` are None;
    `refusals` says why pictures or sound cannot be decoded at all.
    """

    info: MediaInfo
    measured: bool
    pictures: PictureMeasure | None
    sound: SoundMeasure | None
    edits: dict[int, tuple[Edit, ...]]
    refusals: tuple[MediaError, ...]
    problems: tuple[str, ...]

    @property
    def usable(self) -> bool:
        """Return whether pictures or sound decode (or might, where nothing was decoded)."""
        return not self.measured or self.pictures is not None or self.sound is not None


def inspect(path: Path, *, quick: bool = False, threads: int = 0) -> MediaReport:
    """Probe a file and, unless `quick`, decode it to the end.

    Raises:
        MediaError: the file is missing, unreadable, or is no film.
    """
    info = probe(path)
    refusals: list[MediaError] = []
    pictures, sound = None, None
    if not quick:
        pictures = _pictures(info, threads, refusals)
        sound = _sound(info, refusals)
    edits = read_edits(path) if MOV in info.container.split(",") else {}
    return MediaReport(
        info=info,
        measured=not quick,
        pictures=pictures,
        sound=sound,
        edits={i: e for i, e in edits.items() if any(edit.shifts for edit in e)},
        refusals=tuple(refusals),
        problems=(*(r.what for r in refusals), *find_problems(info, pictures, sound)),
    )


def _pictures(info: MediaInfo, threads: int, refusals: list[MediaError]) -> PictureMeasure | None:
    if info.video is None:
        return None
    try:
        return measure_pictures(info, threads=threads)
    except MediaError as error:
        refusals.append(error)
        return None


def _sound(info: MediaInfo, refusals: list[MediaError]) -> SoundMeasure | None:
    try:
        return measure_sound(info)
    except MediaError as error:
        refusals.append(error)
        return None
