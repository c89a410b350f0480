"""Subtitle files that lie beside a copy."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from gazeline.errors import SubtitleError

SUBTITLE_SUFFIXES = frozenset(
    {".srt", ".vtt", ".ass", ".ssa", ".sub", ".ttml", ".dfxp", ".smi", ".sami", ".sbv"}
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_FLAGS = frozenset({"default", "forced", "sdh", "hi", "full", "english", "french", "german"})


def sidecars_of(copy: Path, files: Iterable[Path]) -> tuple[Path, ...]:
    """Return the text subtitles of `copy` among `files`: its stem, perhaps with a language.

    A `.sub` with an `.idx` beside it holds pictures, not text, and is left out.

    >>> there = [Path(f"f/Juno{end}") for end in (".srt", ".en.srt", ".2.srt", ".nfo")]
    >>> [str(path) for path in sidecars_of(Path("f/Juno.mkv"), there)]
    ['f/Juno.en.srt', 'f/Juno.srt']
    """
    beside = {file for file in files if file.parent == copy.parent}
    return tuple(
        sorted(
            file
            for file in beside
            if file.suffix.lower() in SUBTITLE_SUFFIXES
            and _belongs(file.stem, copy.stem)
            and not _is_pictures(file, beside)
        )
    )


def subtitles_beside(copy: Path) -> tuple[Path, ...]:
    """Return the text subtitles in the folder of a copy; none where it cannot be listed."""
    try:
        return sidecars_of(copy, list(copy.parent.iterdir()))
    except OSError:
        return ()


def check_subtitles(file: Path, fps: Fraction | None) -> None:
    """Read a subtitle file to see that it is one.

    Args:
        fps: frame rate of the film, for a MicroDVD file that states none.

    Raises:
        SubtitleError: it is no subtitle file, or has no usable cue.
    """
    from gazeline.subtitles.reading.read import read_subtitles

    read = read_subtitles(file, fps=fps)
    if not read.cues:
        raise SubtitleError(
            f"{file.name} has no usable cue: {read.report()}",
            where=str(file),
            todo="give another file with --subtitles, or move this one away from the film",
        )


def _belongs(stem: str, copy_stem: str) -> bool:
    if stem == copy_stem:
        return True
    if not stem.startswith(f"{copy_stem}."):
        return False
    parts = stem[len(copy_stem) + 1 :].split(".")
    return all(_LANGUAGE.fullmatch(part) or part.lower() in _FLAGS for part in parts)


def _is_pictures(file: Path, beside: set[Path]) -> bool:
    return file.suffix.lower() == ".sub" and file.with_suffix(".idx") in beside
