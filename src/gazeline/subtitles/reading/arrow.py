"""Read the formats whose cues are timed by a line of their own: SubRip, WebVTT, YouTube's SBV.

pysubs2 1.8 drops a cue with a bad time stamp without a word, reads 100:00:01 as one second and
refuses files without milliseconds, so these three are read here, where each of that is counted.
A cue's text runs to the next timing line whatever blank lines lie between or are missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from gazeline.subtitles.reading.found import BAD_TIMESTAMP, Found, RawCue

NUMBER_INSIDE = "number line inside a cue"
NO_BLANK_LINE = "no blank line after it"
BLANK_INSIDE = "blank line inside a cue"
HOURS_OVER_99 = "hours over 99"
NO_MILLISECONDS = "missing milliseconds"
NO_HOURS = "missing hours"

Repairs = tuple[str, ...]

_STAMP = r"(?:(\d{1,4})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,3})(?:\s*[.,:;]\s*(\d{1,9}))?"
# A stray mark may stand before the first stamp, but no minus: before 0 there is no film.
_ARROW = re.compile(rf"^[^\w-]{{0,2}}{_STAMP}\s*-{{1,2}}\s?>\s*{_STAMP}(?:\s|$)")
_SBV = re.compile(rf"^{_STAMP}\s*,\s*{_STAMP}\s*$")
_ALMOST_SBV = re.compile(r"^\s*-?\d+:[\d:.]+\S*\s*,\s*\S*\d:\S*\s*$")
_LONE_STAMP = re.compile(r"^\s*-?\d{1,4}:\d{1,3}:\d{1,3}\b")
_MARK = re.compile(r"-\s?>")
_CLOCK = re.compile(r"\d\s*:\s*\d")
_NOT_CUES = re.compile(r"^(NOTE|STYLE|REGION)(\s|$)")


def read_srt(text: str) -> Found:
    """Read SubRip; the number before a timing line belongs to the cue after it."""
    lines = text.split("\n")
    found = Found()
    for at, stop in _stretches(lines, _is_srt_timing):
        own_number = lines[at - 1].strip() if at else ""
        body = lines[at + 1 : stop]
        repairs: Repairs = ()
        if stop < len(lines):
            body, repairs = _without_number(body, own_number)
        _add(found, _ARROW, lines[at], body, repairs, hours_expected=True)
    return found


def read_vtt(text: str) -> Found:
    """Read WebVTT; notes, styles and regions are not cues, identifiers are not text."""
    lines = _without_notes(text.split("\n"))
    found = Found()
    for at, stop in _stretches(lines, lambda lines, at: "-->" in lines[at]):
        body = lines[at + 1 : stop]
        repairs: Repairs = ()
        if stop < len(lines):
            body, repairs = _without_identifier(body, lines[at - 1].strip() if at else "")
        repairs += _blank_inside(body)
        _add(found, _ARROW, lines[at], body, repairs, hours_expected=False)
    return found


def read_sbv(text: str) -> Found:
    """Read SBV: `0:00:01.000,0:00:02.000`, then the text."""
    lines = text.split("\n")
    found = Found()
    for at, stop in _stretches(lines, lambda lines, at: bool(_ALMOST_SBV.match(lines[at]))):
        body = lines[at + 1 : stop]
        _add(found, _SBV, lines[at], body, _blank_inside(body), hours_expected=True)
    return found


def is_sbv(line: str) -> bool:
    """Say whether a line is a timing line of SBV."""
    return _SBV.match(line.strip()) is not None


def is_arrow(line: str) -> bool:
    """Say whether a line is a timing line with an arrow, if a broken one."""
    return ">" in line and bool(_MARK.search(line)) and bool(_CLOCK.search(line))


def _stretches(
    lines: list[str], is_timing: Callable[[list[str], int], bool]
) -> Iterator[tuple[int, int]]:
    """Yield for each timing line its index and that of the next one, or of the end."""
    timings = [at for at in range(len(lines)) if is_timing(lines, at)]
    yield from pairwise([*timings, len(lines)])


def _is_srt_timing(lines: list[str], at: int) -> bool:
    """Take for a timing line also one that lost its arrow, where a number stands alone above it."""
    if is_arrow(lines[at]):
        return True
    alone = at >= 2 and lines[at - 1].strip().isdigit() and not lines[at - 2].strip()
    return alone and _LONE_STAMP.match(lines[at]) is not None


def _without_notes(lines: list[str]) -> list[str]:
    """Empty the blocks that are no cues, and the heading."""
    kept, in_note = [], True
    for index, line in enumerate(lines):
        first = index > 0 and not lines[index - 1].strip()
        if not line.strip():
            in_note = False
        elif first and _NOT_CUES.match(line):
            in_note = True
        kept.append("" if in_note else line)
    return kept


def _without_number(body: list[str], own_number: str) -> tuple[list[str], Repairs]:
    """Take the next cue's number off the end of a cue's lines."""
    kept = _trimmed(body)
    if not kept or not kept[-1].strip().isdigit():
        return body, ()
    number = kept.pop().strip()
    if not kept or not kept[-1].strip():
        return kept, ()
    # No blank line before it: the next cue's number only if it counts on from this one's.
    if own_number.isdigit() and int(number) == int(own_number) + 1:
        return kept, (NUMBER_INSIDE,)
    return body, ()


def _without_identifier(body: list[str], own: str) -> tuple[list[str], Repairs]:
    """Take the next cue's identifier, a line right before its times, off a cue's lines."""
    if not body or not body[-1].strip():
        return body, ()
    if len(body) > 1 and not body[-2].strip():
        return body[:-1], ()
    kept, repairs = _without_number(body, own)
    return kept, repairs or (NO_BLANK_LINE,)


def _blank_inside(body: list[str]) -> Repairs:
    kept = _trimmed(body)
    return (BLANK_INSIDE,) if kept and not all(line.strip() for line in kept) else ()


def _trimmed(body: list[str]) -> list[str]:
    kept = list(body)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _add(
    found: Found,
    pattern: re.Pattern[str],
    timing_line: str,
    body: list[str],
    repairs: Repairs,
    *,
    hours_expected: bool,
) -> None:
    found.n_found += 1
    timing = pattern.match(timing_line.strip())
    start = _seconds(timing.groups()[:4]) if timing else None
    end = _seconds(timing.groups()[4:]) if timing else None
    if timing is None or start is None or end is None:
        found.dropped[BAD_TIMESTAMP] += 1
        return
    hours = [int(h) for h in timing.group(1, 5) if h]
    if max(hours, default=0) > 99:
        repairs += (HOURS_OVER_99,)
    if len(hours) < 2 and hours_expected:
        repairs += (NO_HOURS,)
    if not (timing.group(4) and timing.group(8)):
        repairs += (NO_MILLISECONDS,)
    found.cues.append(RawCue(start, end, "\n".join(body).strip(), repairs))


def _seconds(groups: tuple[str | None, ...]) -> float | None:
    hours, minutes, seconds, fraction = groups
    if int(minutes or 0) > 59 or int(seconds or 0) > 59:
        return None
    whole = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return whole + float(f"0.{fraction or 0}")
