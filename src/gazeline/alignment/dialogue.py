"""The words that cues speak, each with a time: what the two clocks are matched by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gazeline.subtitles.reading.read import Cue

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_TAG = re.compile(r"<[^>]*>|\{\\[^}]*\}")
_BRACKETED = re.compile(r"\[[^\]]*\]|\([^)]*\)")
_SPEAKER = re.compile(r"^\W*[A-Z][\w .'\-]{0,24}:(?=\s)", re.MULTILINE)
# Scripts that do not put spaces between words: every character counts as one.
_DENSE = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_DENSE}]|(?:(?![{_DENSE}])\w)+")
_APOSTROPHE = re.compile(r"[’'`´]")


@dataclass(frozen=True)
class Words:
    """The words of a list of cues in order of time.

    `text` [n]; `time_s` [n], each word's middle, spread evenly over its cue; `cue` [n], the
    index of its cue; `cue_start_s`, `cue_end_s` [m]; `first` [m + 1], where each cue's words
    begin (cues without words have none).
    """

    text: tuple[str, ...]
    time_s: Floats
    cue: Ints
    cue_start_s: Floats
    cue_end_s: Floats
    first: Ints

    @property
    def n_cues(self) -> int:
        """Return the number of cues, with words or without."""
        return len(self.cue_start_s)

    @property
    def n_spoken(self) -> int:
        """Return the number of cues that have words."""
        return int(np.count_nonzero(np.diff(self.first)))

    def of_cue(self, index: int) -> tuple[str, ...]:
        """Return the words of one cue."""
        return self.text[self.first[index] : self.first[index + 1]]


def spoken_words(text: str) -> list[str]:
    """Return the words of a cue without tags, sounds in brackets and speakers' names.

    >>> spoken_words("<i>MARY: Don't go</i>\\n[DOOR SLAMS]")
    ['dont', 'go']
    >>> spoken_words("Café!"), spoken_words("♪ ♪")
    (['cafe'], [])
    """
    plain = _BRACKETED.sub(" ", _TAG.sub("", text))
    plain = _APOSTROPHE.sub("", _SPEAKER.sub(" ", plain))
    folded = unicodedata.normalize("NFKD", plain.casefold())
    return _WORD.findall("".join(c for c in folded if not unicodedata.combining(c)))


def words_of(cues: Sequence[Cue]) -> Words:
    """Return the words of cues; a word's share of its cue's time is its share of the letters."""
    ordered = sorted(cues, key=lambda cue: (cue.start_s, cue.end_s))
    text: list[str] = []
    times: list[float] = []
    owner: list[int] = []
    first = [0]
    for index, cue in enumerate(ordered):
        words = spoken_words(cue.text)
        text += words
        times += _middles(words, cue.start_s, cue.end_s)
        owner += [index] * len(words)
        first.append(len(text))
    return Words(
        text=tuple(text),
        time_s=np.array(times, dtype=np.float64),
        cue=np.array(owner, dtype=np.int64),
        cue_start_s=np.array([c.start_s for c in ordered], dtype=np.float64),
        cue_end_s=np.array([c.end_s for c in ordered], dtype=np.float64),
        first=np.array(first, dtype=np.int64),
    )


def _middles(words: list[str], start_s: float, end_s: float) -> list[float]:
    total = sum(len(word) + 1 for word in words)
    times, passed = [], 0
    for word in words:
        times.append(start_s + (end_s - start_s) * (passed + (len(word) + 1) / 2) / total)
        passed += len(word) + 1
    return times
