"""Read through pysubs2 the formats it knows, and count what it does not give back."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from fractions import Fraction

from gazeline.errors import SubtitleError
from gazeline.subtitles.reading.arrow import BAD_TIMESTAMP, Found, RawCue

COMMENT = "comment"
DRAWING = "drawing"
UNTIMED = "without a time"
ABSOLUTE_IN_BLOCK = "absolute time inside a timed block"

_STAMP = re.compile(r"^\s*-?\d{1,2}:\d{1,2}:\d{1,2}([.,]\d{1,3})?\s*$")
_MARKERS = {
    "ass": re.compile(r"^Dialogue:", re.MULTILINE),
    "ssa": re.compile(r"^Dialogue:", re.MULTILINE),
    "ttml": re.compile(r"<(?:\w+:)?p[\s>/]"),
    "sami": re.compile(r"<sync\b", re.IGNORECASE),
    "microdvd": re.compile(r"^ *\{ *\d+ *\} *\{ *\d* *\}", re.MULTILINE),
    "mpl2": re.compile(r"^ *\[\d+\]\s*\[\d*\]", re.MULTILINE),
    "tmp": re.compile(r"^\d{1,2}:\d{2}:\d{2}:", re.MULTILINE),
}


def read_with_pysubs2(text: str, kind: str, fps: Fraction | None, where: str) -> Found:
    """Read a file of format `kind`; cues that do not come back are counted as dropped.

    Raises:
        SubtitleError: pysubs2 cannot read the file, or a MicroDVD file has no frame rate.
    """
    import pysubs2
    from pysubs2.exceptions import Pysubs2Error, UnknownFPSError

    found = Found(n_found=len(_MARKERS[kind].findall(text)))
    if kind in ("ass", "ssa"):
        text = _without_bad_dialogue(text, found.dropped)
    elif kind == "ttml":
        text = _without_block_times(text, found)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            file = pysubs2.SSAFile.from_string(text, format_=kind, fps=_stated_fps(text, kind, fps))
    except UnknownFPSError as error:
        raise SubtitleError(
            "A MicroDVD file counts frames and this one does not say how many a second",
            where=where,
            todo="add a first line like {1}{1}23.976, or give another format",
        ) from error
    except (Pysubs2Error, ValueError, KeyError, IndexError, SyntaxError) as error:
        raise SubtitleError(f"The {kind} file cannot be read: {error}", where=where) from error
    for event in file.events:
        _keep(event, found)
    missing = found.n_found - len(found.cues) - sum(found.dropped.values())
    if kind == "microdvd" and _states_fps(text):
        found.n_found -= 1
        missing -= 1
    if missing > 0:
        found.dropped[UNTIMED if kind == "ttml" else BAD_TIMESTAMP] += missing
    elif missing < 0:
        found.n_found -= missing
    return found


def _keep(event: object, found: Found) -> None:
    """Take over one event of pysubs2, or count why not."""
    if event.is_comment:  # type: ignore[attr-defined]
        found.n_found += 1
        found.dropped[COMMENT] += 1
    elif event.is_drawing:  # type: ignore[attr-defined]
        found.dropped[DRAWING] += 1
    else:
        start, end = event.start / 1000, event.end / 1000  # type: ignore[attr-defined]
        found.cues.append(RawCue(start, end, event.plaintext.strip()))  # type: ignore[attr-defined]


def _without_bad_dialogue(text: str, dropped: Counter[str]) -> str:
    """Take out the lines on whose time stamps pysubs2 would refuse the whole file."""
    columns = ["layer", "start", "end"]
    kept, in_events = [], False
    for line in text.split("\n"):
        if line.startswith("["):
            in_events = line.strip().lower() == "[events]"
        elif in_events and line.lower().startswith("format:"):
            columns = [c.strip().lower() for c in line.split(":", 1)[1].split(",")]
        elif in_events and line.startswith(("Dialogue:", "Comment:")):
            values = line.split(":", 1)[1].split(",", len(columns) - 1)
            stamps = [v for c, v in zip(columns, values, strict=False) if c in ("start", "end")]
            if len(stamps) < 2 or not all(_STAMP.match(stamp) for stamp in stamps):
                dropped[BAD_TIMESTAMP] += line.startswith("Dialogue:")
                continue
        kept.append(line)
    return "\n".join(kept)


def _without_block_times(text: str, found: Found) -> str:
    """Drop the times of blocks where they are not meant to be added to those of their cues.

    TTML counts a cue's time from the start of its block and pysubs2 does so; Apple's lyric files
    time both from the start of the song.
    """
    if "music.apple.com/lyric-ttml" not in text:
        return text
    found.repaired[ABSOLUTE_IN_BLOCK] += found.n_found
    return re.sub(
        r"<(div|body)\b[^>]*>", lambda m: re.sub(r'\s(begin|end|dur)="[^"]*"', "", m.group()), text
    )


def _states_fps(text: str) -> bool:
    return re.search(r"^ *\{1\}\{1\} *\d+([.,]\d+)? *$", text, re.MULTILINE) is not None


def _stated_fps(text: str, kind: str, fps: Fraction | None) -> float | None:
    """Return the frame rate to pass on: a file that states its own is believed."""
    if kind != "microdvd" or fps is None or _states_fps(text):
        return None
    return float(fps)
