"""Titles and file names as words that can be compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

Words = tuple[str, ...]

ARTICLES = frozenset({"the", "a", "an"})
# The first of these ends the title in the name of a rip.
_RELEASE_WORDS = frozenset(
    " ".join(
        (
            "4k uhd hdr hdr10 sdr bluray blu bdrip brrip bd bdremux remux web webrip webdl hdtv",
            "pdtv tvrip dvd dvdrip dvdscr dvd5 dvd9 hdrip vhsrip x264 x265 h264 h265 hevc avc",
            "xvid divx 10bit 8bit extended unrated uncut remastered theatrical imax proper repack",
            "internal limited criterion multi dual vostfr truefrench aac ac3 dts eac3 ddp5 dd5",
            "cd1 cd2 disc1 disc2",
        )
    ).split()
)
_RESOLUTION = re.compile(r"\d{3,4}[pi]")
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_GROUP_IN_FRONT = re.compile(r"^\s*(?:\[[^\]]*\]\s*)+(?=\S)")
_APOSTROPHES = re.compile("['’‘`´]")
_TRAILING_ARTICLE = re.compile(r"^(.*\S)\s*,\s*(the|an?)\b", re.IGNORECASE)
_SPLIT = re.compile(r"[^0-9a-z]+")


def words(text: str) -> Words:
    """Return the words of a title or name: no case, accents, punctuation; `&` is `and`.

    >>> words("Marley & Me"), words("Amélie's_Crazy,Stupid.Love")
    (('marley', 'and', 'me'), ('amelies', 'crazy', 'stupid', 'love'))
    >>> words("Help, The (2011)")
    ('the', 'help', '2011')
    """
    text = _TRAILING_ARTICLE.sub(r"\2 \1", text)
    decomposed = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", text.replace("&", " and ")))
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    return tuple(word for word in _SPLIT.split(plain) if word)


def name_words(stem: str) -> Words:
    """Return the words of a file name without the group in front and the words after the year.

    >>> name_words("[YTS.MX] The.Help.2011.1080p.BluRay.x264-GRP")
    ('the', 'help', '2011')
    """
    found = words(_GROUP_IN_FRONT.sub("", stem))
    years = [at for at, _ in years_in(found) if at]
    return before_release_words(found, years[0] if years else 1)


def before_release_words(found: Words, start: int = 1) -> Words:
    """Cut off what a rip says of itself, from the first such word at or after `start`.

    >>> before_release_words(("titanic", "extended", "1080p"))
    ('titanic',)
    """
    ends = (i for i, word in enumerate(found) if i >= start and _is_release_word(word))
    return found[: next(ends, len(found))]


def years_in(found: Sequence[str]) -> list[tuple[int, int]]:
    """Return (position, year) of the words that look like years."""
    return [(i, int(word)) for i, word in enumerate(found) if _YEAR.fullmatch(word)]


def without_articles(found: Words) -> Words:
    """Drop articles, unless nothing else is left."""
    return tuple(word for word in found if word not in ARTICLES) or found


def _is_release_word(word: str) -> bool:
    return word in _RELEASE_WORDS or _RESOLUTION.fullmatch(word) is not None
