"""Read the formats whose cues are timed by a line with an arrow: SubRip, WebVTT; and YouTube's SBV.

pysubs2 1.8 drops a cue with a bad time stamp without a word, reads 100:00:01 as one second and
refuses files without milliseconds, so these three are read here, where each of that is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

BAD_TIMESTAMP = "bad timestamp"
NUMBER_INSIDE = "number line inside a cue"
HOURS_OVER_99 = "hours over 99"
NO_MILLISECONDS = "missing milliseconds"
NO_HOURS = "missing hours"

_STAMP = r"(?:(\d{1,4})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,3})(?:\s*[.,:;]\s*(\d{1,9}))?"
_ARROW = re.compile(rf"^\W{{0,2}}\s*{_STAMP}\s*-{{1,2}}\s?>\s*{_STAMP}(?:\s|$)")
_SBV = re.compile(rf"^{_STAMP}\s*,\s*{_STAMP}\s*$")
_NOT_CUES = re.compile(r"^(NOTE|STYLE|REGION)(\s|$)")


@dataclass
class RawCue:
    """A cue as it stands in a file: seconds and text, unchecked."""

    start_s: float
    end_s: float
    text: str


@dataclass
class Found:
    """Cues of a file, how many it holds, and what was repaired or dropped by reason."""

    cues: list[RawCue] = field(default_factory=list)
    n_found: int = 0
    repaired: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


def read_srt(text: str) -> Found:
    """Read SubRip: a cue's text runs to the next timing line, less that cue's number."""
    lines = text.splitlines()
    timings = [i for i, line in enumerate(lines) if "->" in line and _looks_timed(line)]
    found = Found(n_found=len(timings))
    for order, at in enumerate(timings):
        stop = timings[order + 1] if order + 1 < len(timings) else len(lines)
        own_number = lines[at - 1].strip() if at else ""
        body = lines[at + 1 : stop]
        if stop < len(lines):
            body = _without_number(body, own_number, found)
        _add(found, _ARROW.match(lines[at].strip()), "\n".join(body), hours_expected=True)
    return found


def read_vtt(text: str) -> Found:
    """Read WebVTT: blocks between blank lines; notes, styles and regions are not cues."""
    found = Found()
    for block in re.split(r"\n[ \t]*\n", "\n".join(text.splitlines())):
        lines = [line for line in block.split("\n") if line.strip()]
        if not lines or _NOT_CUES.match(lines[0]):
            continue
        at = next((i for i, line in enumerate(lines) if "-->" in line), None)
        if at is None:
            continue
        found.n_found += 1
        body = "\n".join(lines[at + 1 :])
        _add(found, _ARROW.match(lines[at].strip()), body, hours_expected=False)
    return found


def read_sbv(text: str) -> Found:
    """Read SBV: `0:00:01.000,0:00:02.000`, then the text, then a blank line."""
    found = Found()
    for block in re.split(r"\n[ \t]*\n", "\n".join(text.splitlines())):
        lines = [line for line in block.split("\n") if line.strip()]
        if lines:
            found.n_found += 1
            _add(found, _SBV.match(lines[0].strip()), "\n".join(lines[1:]), hours_expected=True)
    return found


def is_sbv(line: str) -> bool:
    """Say whether a line is a timing line of SBV."""
    return _SBV.match(line.strip()) is not None


def _looks_timed(line: str) -> bool:
    """Take a line with an arrow and digits on both sides for a timing line, if a broken one."""
    before, _, after = line.partition("->")
    return bool(re.search(r"\d\D*$", before)) and bool(re.match(r"\D*\d", after))


def _without_number(body: list[str], own_number: str, found: Found) -> list[str]:
    """Take the next cue's number off the end of a cue's lines."""
    kept = list(body)
    while kept and not kept[-1].strip():
        kept.pop()
    if not kept or not kept[-1].strip().isdigit():
        return body
    number = kept.pop().strip()
    if not kept or not kept[-1].strip():
        return kept
    # No blank line before it: the next cue's number only if it counts on from this one's.
    if own_number.isdigit() and int(number) == int(own_number) + 1:
        found.repaired[NUMBER_INSIDE] += 1
        return kept
    return body


def _add(found: Found, timing: re.Match[str] | None, text: str, *, hours_expected: bool) -> None:
    start = _seconds(timing.groups()[:4]) if timing else None
    end = _seconds(timing.groups()[4:]) if timing else None
    if timing is None or start is None or end is None:
        found.dropped[BAD_TIMESTAMP] += 1
        return
    hours = [int(h) for h in timing.group(1, 5) if h]
    if max(hours, default=0) > 99:
        found.repaired[HOURS_OVER_99] += 1
    if len(hours) < 2 and hours_expected:
        found.repaired[NO_HOURS] += 1
    if not (timing.group(4) and timing.group(8)):
        found.repaired[NO_MILLISECONDS] += 1
    found.cues.append(RawCue(start, end, text.strip()))


def _seconds(groups: tuple[str | None, ...]) -> float | None:
    hours, minutes, seconds, fraction = groups
    if int(minutes or 0) > 59 or int(seconds or 0) > 59:
        return None
    whole = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return whole + float(f"0.{fraction or 0}")
