"""Write cues as SubRip."""

from __future__ import annotations

from collections.abc import Iterable
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


def write_srt(path: Path, cues: Iterable[Cue], source: Path) -> None:
    """Write the cues as SubRip in UTF-8, the whole file or nothing.

    Args:
        source: the file they were read from, which is never written over.

    Raises:
        SubtitleError: `path` is the source, or is not named as an SRT file.
        TableError: the file cannot be written.
    """
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
    with atomic_path(path) as temporary:
        temporary.write_text(to_srt(cues), encoding="utf-8", newline="\n")


def _block(number: int, cue: Cue) -> str:
    lines = "\n".join(line for line in cue.text.split("\n") if line.strip())
    return f"{number}\n{_stamp(cue.start_s)} --> {_stamp(cue.end_s)}\n{lines}\n"


def _stamp(seconds: float) -> str:
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d},{milliseconds:03d}"
