"""Read subtitle files of any common format and count what becomes of every cue."""

from __future__ import annotations

import re
import stat
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from gazeline.errors import SubtitleError
from gazeline.subtitles.reading.arrow import is_arrow, is_sbv, read_sbv, read_srt, read_vtt
from gazeline.subtitles.reading.decode import DAMAGED, Decoded, Evidence, decode
from gazeline.subtitles.reading.found import Found, RawCue
from gazeline.subtitles.reading.pysubs import read_with_pysubs2
from gazeline.subtitles.reading.sami import read_sami
from gazeline.subtitles.reading.ttml import read_ttml

EMPTY = "empty"
END_BEFORE_START = "end before start"
NO_DURATION = "no duration"
DUPLICATE = "duplicate"
DAMAGED_TEXT = "damaged bytes, marked \ufffd"

_HIDDEN = re.compile(r"<[^>]*>|\{[^}]*\}")
_DIRECT = {"srt": read_srt, "vtt": read_vtt, "sbv": read_sbv, "sami": read_sami}


@dataclass(frozen=True)
class Cue:
    """One subtitle line with its interval, seconds; tags are kept in the text."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class SubtitleFile:
    """The cues of a file in order of time, and what became of the others.

    `n_found` = number of cues + all of `dropped`; a repaired cue is among the cues.
    """

    cues: tuple[Cue, ...]
    format: str
    encoding: str
    encoding_by: Evidence
    n_found: int
    repaired: Mapping[str, int]
    dropped: Mapping[str, int]

    def report(self) -> str:
        """Return one line that says what was read."""
        parts = [f"{self.format}, {self.encoding} (by {self.encoding_by})"]
        parts.append(f"{len(self.cues)} of {self.n_found} cues")
        parts += [f"repaired {n} ({reason})" for reason, n in sorted(self.repaired.items())]
        parts += [f"dropped {n} ({reason})" for reason, n in sorted(self.dropped.items())]
        return ", ".join(parts)


def read_subtitles(
    source: Path | bytes | str, *, fps: Fraction | None = None, name: str | None = None
) -> SubtitleFile:
    """Read the cues of a subtitle file of any format that `sniff_format` knows.

    Args:
        source: the file, its bytes, or its text.
        fps: frame rate of the film, for MicroDVD files that do not state one.
        name: what errors call the source when it is not a path.

    Raises:
        SubtitleError: the file is missing or is not a subtitle file. A subtitle file without
            a usable cue is no error here: `cues` is empty and `dropped` says why.
    """
    where = name or (str(source) if isinstance(source, Path) else "subtitles")
    decoded = _decoded(source, where)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    kind = sniff_format(text, where)
    found = _found(text, kind, fps, where)
    dropped = Counter(found.dropped)
    repaired: Counter[str] = Counter()
    cues = tuple(_checked(found.cues, repaired, dropped))
    if decoded.by == DAMAGED:
        repaired[DAMAGED_TEXT] = sum("\ufffd" in cue.text for cue in cues)
    return SubtitleFile(
        cues=cues,
        format=kind,
        encoding=decoded.encoding,
        encoding_by=decoded.by,
        n_found=found.n_found,
        repaired=dict(sorted((+repaired).items())),
        dropped=dict(sorted(dropped.items())),
    )


def _found(text: str, kind: str, fps: Fraction | None, where: str) -> Found:
    if kind in _DIRECT:
        return _DIRECT[kind](text)
    if kind == "ttml":
        return read_ttml(text, where)
    return read_with_pysubs2(text, kind, fps, where)


def sniff_format(text: str, where: str = "subtitles") -> str:
    """Return the format of a subtitle file by its content.

    Raises:
        SubtitleError: it is a web page, an index of bitmap subtitles, or of no known format.
    """
    head = text.lstrip()[:4000]
    lower = head.lower()
    if head.startswith("WEBVTT"):
        return "vtt"
    if re.search(r"^\[(script info|events|v4\+? styles)", head, re.IGNORECASE | re.MULTILINE):
        return "ass" if "v4+" in text.lower() else "ssa"
    if re.search(r"<(\w+:)?tt[\s>]", lower):
        return "ttml"
    if re.search(r"<sami\b", lower):
        return "sami"
    if re.search(r"<!doctype html|<html[\s>]|<head>|<body[\s>]", lower):
        raise SubtitleError(
            "This is a web page, not a subtitle file",
            where=where,
            todo="download the subtitle file itself",
        )
    if "vobsub index file" in lower:
        raise SubtitleError(
            "This is the index of bitmap subtitles (VobSub)",
            where=where,
            todo="give subtitles that are text",
        )
    return _sniff_lines(text, where)


def _sniff_lines(text: str, where: str) -> str:
    """Tell the formats that have no heading by their first timed line."""
    patterns = (
        ("microdvd", re.compile(r"\s*\{\s*\d+\s*\}\s*\{\s*\d*\s*\}")),
        ("mpl2", re.compile(r"\s*\[\d+\]\s*\[\d*\]")),
        ("tmp", re.compile(r"\d{1,2}:\d{2}:\d{2}:.")),
    )
    for line in text.split("\n"):
        if is_arrow(line):
            return "srt"
        if is_sbv(line):
            return "sbv"
        for kind, pattern in patterns:
            if pattern.match(line):
                return kind
    raise SubtitleError(
        "This is not a subtitle file: no line has the time of a cue",
        where=where,
        todo="give an SRT, WebVTT, ASS, SSA, TTML, SBV, SAMI or MicroDVD file",
    )


def _decoded(source: Path | bytes | str, where: str) -> Decoded:
    if isinstance(source, str):
        return Decoded(source, "utf-8", "text")
    if isinstance(source, bytes):
        return decode(source, where)
    try:
        check_regular(source)
        return decode(source.read_bytes(), where)
    except FileNotFoundError as error:
        raise SubtitleError(
            "The subtitle file is not there", where=where, todo="check the path"
        ) from error
    except OSError as error:
        raise SubtitleError(
            f"Cannot read the subtitle file: {error.strerror}",
            where=where,
            todo="see that you may read the file and that its disk is sound",
        ) from error


def check_regular(path: Path) -> None:
    """Check that a path is that of an ordinary file, as pipes and devices may never end.

    Raises:
        SubtitleError: it is a folder, a pipe or a device.
        OSError: it is not there, or may not be looked at.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise SubtitleError(
            f"{path.absolute().name or path} is no subtitle file: it is {kind}",
            where=str(path),
            todo="give a subtitle file, or a film that carries subtitles",
        )


def _checked(cues: Iterable[RawCue], repaired: Counter[str], dropped: Counter[str]) -> list[Cue]:
    """Return the cues that can be shown, in order of time; count repairs, and the others."""
    kept: dict[Cue, None] = {}
    for raw in cues:
        cue = Cue(round(raw.start_s, 6), round(raw.end_s, 6), raw.text)
        reason = _fault(cue) or (DUPLICATE if cue in kept else None)
        if reason:
            dropped[reason] += 1
        else:
            kept[cue] = None
            repaired.update(raw.repairs)
    return sorted(kept, key=lambda cue: (cue.start_s, cue.end_s))


def _fault(cue: Cue) -> str | None:
    if cue.end_s < cue.start_s:
        return END_BEFORE_START
    if not _HIDDEN.sub("", cue.text).strip():
        return EMPTY
    return NO_DURATION if cue.end_s == cue.start_s else None
