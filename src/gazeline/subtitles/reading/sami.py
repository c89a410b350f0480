"""Read SAMI: each SYNC shows its paragraphs until the next SYNC that has one of their language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import pairwise

from gazeline.subtitles.reading.found import BAD_TIMESTAMP, Found, RawCue

OTHER_LANGUAGE = "another language"
NO_END = "no end"
# What is shown last stays a moment, where the file does not say how long.
LAST_S = 4.0

_SYNC = re.compile(r"<sync\b([^>]*)>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"<p\b([^>]*)>", re.IGNORECASE)
_START = re.compile(r"""\bstart\s*=\s*["']?\s*(-?[\w.]+)""", re.IGNORECASE)
_CLASS = re.compile(r"""\bclass\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_CLOSING = re.compile(r"</(?:p|sync|body|sami)\s*>", re.IGNORECASE)

# A start in milliseconds (None: not a number), the class, and the text ("" ends what is shown).
_Shown = tuple[float | None, str, str]


def read_sami(text: str) -> Found:
    """Read the language with the most lines; those of others are counted.

    An empty paragraph (`&nbsp;`) ends the one before it and is no cue.
    """
    shown = list(_paragraphs(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)))
    languages = Counter(language for _, language, words in shown if words)
    main = languages.most_common(1)[0][0] if languages else ""
    found = Found(n_found=sum(languages.values()))
    if found.n_found > languages[main]:
        found.dropped[OTHER_LANGUAGE] = found.n_found - languages[main]
    own = [(start, words) for start, language, words in shown if language == main]
    bad = sum(start is None and bool(words) for start, words in own)
    if bad:
        found.dropped[BAD_TIMESTAMP] = bad
    timed = [(start, words) for start, words in own if start is not None]
    for (start, words), (end, _) in pairwise([*timed, (None, "")]):
        if words and start is not None:
            repairs = () if end is not None else (NO_END,)
            found.cues.append(RawCue(start, start + LAST_S if end is None else end, words, repairs))
    return found


def _paragraphs(text: str) -> Iterator[_Shown]:
    parts = _SYNC.split(text)
    for attributes, body in zip(parts[1::2], parts[2::2], strict=True):
        start = _seconds(_START.search(attributes))
        pieces = _PARAGRAPH.split(body)
        if len(pieces) == 1:
            yield start, "", _words(body)
        for own, words in zip(pieces[1::2], pieces[2::2], strict=True):
            named = _CLASS.search(own)
            yield start, named.group(1).upper() if named else "", _words(words)


def _seconds(found: re.Match[str] | None) -> float | None:
    try:
        milliseconds = float(found.group(1)) if found else -1.0
    except ValueError:
        return None
    return milliseconds / 1000 if milliseconds >= 0 else None


def _words(text: str) -> str:
    """Return the lines of a paragraph; a hard space alone is none."""
    lines = _BREAK.split(_CLOSING.sub("", text))
    plain = (" ".join(unescape(re.sub(r"<[^>]*>", "", line)).split()) for line in lines)
    return "\n".join(line for line in plain if line)
