"""Write cues as SubRip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from gazeline.errors import SubtitleError
from gazeline.files import atomic_path
from gazeline.subtitles.reading.read import Cue


def to_srt(cues: Iterable[Cue]) -> str:
    """Return the cues as SubRip, numbered from 1; a blank line inside a cue would end it.

    >>> print(to_srt([Cue(1.0, 3725.5, "One")]), end="")
    1
    00:00:01,000 --> 01:02:05,500
    One
    """
    return "\n".join(_block(number, cue) for number, cue in enumerate(cues, start=1))


def write_srt(path: Path, cues: Sequence[Cue], source: Path, *, force: bool = False) -> None:
    """Write the cues as SubRip in UTF-8, the whole file or nothing.

    Args:
        source: the file they were read from, which is never written over.
        force: whether to write over another file.

    Raises:
        SubtitleError: there is no cue, or `path` is the source, is there already, has no folder
            or is not named as an SRT file.
        TableError: the file cannot be written.
    """
    _check_name(path, source, force=force)
    if not cues:
        raise SubtitleError("No cue is left to write", where=str(source), todo="leave out --out")
    with atomic_path(path) as temporary:
        temporary.write_text(to_srt(cues), encoding="utf-8", newline="\n")


def _check_name(path: Path, source: Path, *, force: bool) -> None:
    if path.suffix.lower() != ".srt":
        raise SubtitleError(
            f"{path.name} is not named as an SRT file, the format that is written",
            where=str(path),
            todo=f"name it {path.stem}.srt",
        )
    if path.exists() and path.samefile(source):
        raise SubtitleError(
            "This would write over the file that is read",
            where=str(path),
            todo="give --out another name",
        )
    if not path.parent.is_dir():
        raise SubtitleError(
            f"There is no folder {path.parent}",
            where=str(path),
            todo="make it, or give --out another one",
        )
    if path.is_dir():
        raise SubtitleError(
            f"{path.name} is a folder", where=str(path), todo="give --out another name"
        )
    if path.exists() and not force:
        raise SubtitleError(
            f"{path.name} is already there",
            where=str(path),
            todo="give --out another name, or --force to write over it",
        )


def _block(number: int, cue: Cue) -> str:
    lines = "\n".join(line for line in cue.text.split("\n") if line.strip())
    return f"{number}\n{_stamp(cue.start_s)} --> {_stamp(cue.end_s)}\n{lines}\n"


def _stamp(seconds: float) -> str:
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d},{milliseconds:03d}"
