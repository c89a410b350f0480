"""Read TTML (also DFXP, SMPTE-TT, IMSC text and iTT): paragraphs with times on a tree of blocks.

pysubs2 1.8 takes no frames, ticks or durations in it, so it is read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError, fromstring

from gazeline.errors import SubtitleError
from gazeline.subtitles.reading.found import BAD_TIMESTAMP, Found, RawCue

UNTIMED = "without a time"
ABSOLUTE_IN_BLOCK = "absolute time inside a timed block"

_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d{1,2})(?:\.(\d+)|:(\d+)(?:\.\d+)?)?")
_OFFSET = re.compile(r"(\d+(?:\.\d+)?)(h|m|s|ms|f|t|)")
_APPLE = "music.apple.com/lyric-ttml"


@dataclass(frozen=True)
class _Span:
    """When an element is shown: from `start_s` of its document to `end_s`, if that is stated."""

    start_s: float = 0.0
    end_s: float | None = None
    stated: bool = False
    bad: bool = False


@dataclass(frozen=True)
class _Clock:
    """Units a second; TTML2, 6.2.11 and 6.2.16: 30 frames and 1 tick where a file names none."""

    frames: float
    ticks: float

    def seconds(self, value: str) -> float | None:
        """Return a time expression in seconds, or None where it is none.

        >>> clock = _Clock(24.0, 1.0)
        >>> clock.seconds("00:00:01:12"), clock.seconds("0.5m"), clock.seconds("soon")
        (1.5, 30.0, None)
        """
        clock = _CLOCK.fullmatch(value.strip())
        if clock:
            hours, minutes, seconds, fraction, frame = clock.groups()
            whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
            return whole + float(f"0.{fraction or 0}") + int(frame or 0) / self.frames
        offset = _OFFSET.fullmatch(value.strip())
        if offset is None:
            return None
        units = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "": 1.0}
        units |= {"f": 1 / self.frames, "t": 1 / self.ticks}
        return float(offset.group(1)) * units[offset.group(2)]


def read_ttml(text: str, where: str) -> Found:
    """Read a TTML file; a paragraph without a time of its own or of its block is counted.

    A block counts the times inside it from its own start; Apple's lyric files count all of them
    from the start of the song.

    Raises:
        SubtitleError: the file is no well-formed XML.
    """
    try:
        # The text is decoded by now: what a declaration says of bytes no longer holds.
        root = fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text).strip())
    except ParseError as error:
        raise SubtitleError(
            f"The ttml file cannot be read: {error}",
            where=where,
            todo="the file is cut off or damaged; get it again, or give another format",
        ) from error
    clock = _clock_of(root)
    found = Found()
    for paragraph, span, in_block in _paragraphs(root, _Span(), clock, _APPLE in text):
        found.n_found += 1
        if span.bad:
            found.dropped[BAD_TIMESTAMP] += 1
        elif not span.stated or span.end_s is None:
            found.dropped[UNTIMED] += 1
        else:
            repairs = (ABSOLUTE_IN_BLOCK,) if in_block else ()
            found.cues.append(RawCue(span.start_s, span.end_s, _words(paragraph), repairs))
    return found


def _paragraphs(
    element: Element, around: _Span, clock: _Clock, absolute: bool
) -> Iterator[tuple[Element, _Span, bool]]:
    """Yield paragraphs in order, their times, and whether their block's times were set aside."""
    span = _span(element, _Span() if absolute else around, clock)
    if _name(element) == "p":
        timed = [_span(part, span, clock) for part in element if not span.stated]
        yield element, _joined(span, [s for s in timed if s.stated]), absolute and around.stated
        return
    for part in element:
        yield from _paragraphs(part, span, clock, absolute)


def _span(element: Element, around: _Span, clock: _Clock) -> _Span:
    """Return when an element is shown, inside what is `around` it."""
    given = {n: element.get(n) for n in ("begin", "end", "dur") if element.get(n) is not None}
    if not given:
        return around
    values = {name: clock.seconds(value or "") for name, value in given.items()}
    if None in values.values():
        return _Span(bad=True)
    start = around.start_s + (values.get("begin") or 0.0)
    end = values.get("end")
    end_s = around.end_s if end is None else around.start_s + end
    duration = values.get("dur")
    if duration is not None:
        end_s = start + duration if end is None else min(start + duration, around.start_s + end)
    return _Span(start, end_s, stated=True, bad=around.bad)


def _joined(own: _Span, parts: list[_Span]) -> _Span:
    """Return a paragraph's own time, or the time from its first timed part to its last."""
    ends = [part.end_s for part in parts if part.end_s is not None]
    if own.stated or own.bad or not ends:
        return own
    return _Span(min(part.start_s for part in parts), max(ends), stated=True)


def _words(paragraph: Element) -> str:
    """Return the text with its line breaks; other white space counts as one space."""
    lines = (" ".join(line.split()) for line in _flat(paragraph).split("\0"))
    return "\n".join(line for line in lines if line)


def _flat(element: Element) -> str:
    """Return all text of an element, a zero character for each line break."""
    if _name(element) == "br":
        return "\0"
    if _name(element) == "metadata":
        return ""
    return (element.text or "") + "".join(_flat(part) + (part.tail or "") for part in element)


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _clock_of(root: Element) -> _Clock:
    given = {key.rpartition("}")[2]: value for key, value in root.attrib.items()}
    frames = _positive(given.get("frameRate"), 30.0)
    multiplier = re.split(r"[ :]+", given.get("frameRateMultiplier", "1 1").strip())
    numerator, denominator = (_positive(part, 1.0) for part in [*multiplier, "1"][:2])
    return _Clock(frames * numerator / denominator, _positive(given.get("tickRate"), 1.0))


def _positive(value: str | None, otherwise: float) -> float:
    try:
        return float(value or 0) or otherwise
    except ValueError:
        return otherwise
