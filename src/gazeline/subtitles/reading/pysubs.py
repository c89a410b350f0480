"""Read through pysubs2 the formats it knows, and count what it does not give back."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from fractions import Fraction

from gazeline.errors import SubtitleError
from gazeline.subtitles.reading.found import BAD_TIMESTAMP, Found, RawCue

COMMENT = "comment"
DRAWING = "drawing"

_STAMP = re.compile(r"^\s*-?\d{1,2}:\d{1,2}:\d{1,2}([.,]\d{1,3})?\s*$")
_MARKERS = {
    "ass": re.compile(r"^Dialogue:", re.MULTILINE),
    "ssa": re.compile(r"^Dialogue:", re.MULTILINE),
    "microdvd": re.compile(r"^ *\{(?!DEFAULT)[^{}\n]*\} *\{[^{}\n]*\}", re.MULTILINE),
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
    except (Pysubs2Error, ValueError, KeyError, IndexError) as error:
        raise SubtitleError(f"The {kind} file cannot be read: {error}", where=where) from error
    for event in file.events:
        _keep(event, found)
    missing = found.n_found - len(found.cues) - sum(found.dropped.values())
    if kind == "microdvd" and _states_fps(text):
        found.n_found -= 1
        missing -= 1
    if missing > 0:
        found.dropped[BAD_TIMESTAMP] += missing
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
        text = event.plaintext.strip()  # type: ignore[attr-defined]
        found.cues.append(RawCue(start, end, text))


def _without_bad_dialogue(text: str, dropped: Counter[str]) -> str:
    """Take out the lines on whose time stamps pysubs2 would refuse the whole file."""
    columns = ["layer", "start", "end", "text"]
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


def _states_fps(text: str) -> bool:
    return re.search(r"^ *\{1\}\{1\} *\d+([.,]\d+)? *$", text, re.MULTILINE) is not None


def _stated_fps(text: str, kind: str, fps: Fraction | None) -> float | None:
    """Return the frame rate to pass on: a file that states its own is believed."""
    if kind != "microdvd" or fps is None or _states_fps(text):
        return None
    return float(fps)
