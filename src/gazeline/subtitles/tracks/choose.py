"""Which of a film's text tracks is its dialogue: by language, default flag and text density."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gazeline.media.probing.streams import SubtitleStream
from gazeline.subtitles.reading.read import SubtitleFile

# A track with less than this share of the letters of the fullest one translates signs only.
FULL_SHARE = 0.3
_TAG = re.compile(r"<[^>]*>")
_ASIDE = re.compile(r"comment|forced|signs|songs|lyrics|description", re.IGNORECASE)
# ISO 639-2 has two codes for some languages, 639-1 one of two letters.
_CODES = (
    ("eng", "en", "english"), ("fra", "fre", "fr", "french"), ("deu", "ger", "de", "german"),
    ("spa", "es", "spanish"), ("ita", "it", "italian"), ("por", "pt", "portuguese"),
    ("nld", "dut", "nl", "dutch"), ("swe", "sv", "swedish"), ("dan", "da", "danish"),
    ("nor", "nob", "no", "nb", "norwegian"), ("fin", "fi", "finnish"), ("pol", "pl", "polish"),
    ("ces", "cze", "cs", "czech"), ("hun", "hu", "hungarian"), ("ron", "rum", "ro", "romanian"),
    ("ell", "gre", "el", "greek"), ("tur", "tr", "turkish"), ("rus", "ru", "russian"),
    ("ukr", "uk", "ukrainian"), ("heb", "he", "hebrew"), ("ara", "ar", "arabic"),
    ("zho", "chi", "zh", "chinese"), ("jpn", "ja", "japanese"), ("kor", "ko", "korean"),
)  # fmt: skip
_FIRST_CODE = {code: codes[0] for codes in _CODES for code in codes}


@dataclass(frozen=True)
class ReadTrack:
    """A text track and the cues read from it; `complaints` are what the demuxer said."""

    stream: SubtitleStream
    file: SubtitleFile
    complaints: tuple[str, ...] = ()

    @property
    def n_letters(self) -> int:
        """Return how much is said, tags left out."""
        return sum(len(_TAG.sub("", cue.text)) for cue in self.file.cues)


@dataclass(frozen=True)
class Choice:
    """The track taken and why, in words."""

    track: ReadTrack
    reason: str


def language_code(name: str | None) -> str | None:
    """Return a language's one code of three letters; None where it is not named.

    >>> language_code("en-US"), language_code("fre"), language_code("und")
    ('eng', 'fra', None)
    """
    first = re.split(r"[-_]", (name or "").strip().lower())[0]
    return None if first in ("", "und") else _FIRST_CODE.get(first, first)


def choose_track(tracks: Sequence[ReadTrack], languages: Sequence[str] = ("eng",)) -> Choice:
    """Choose among the tracks that were read.

    In order: a language wanted, then an unnamed one, then any other; a full track before one
    with few words or one that says it is forced or an aside; the default track; the most words;
    the first.

    Args:
        tracks: at least one.
        languages: codes or English names, the most wanted first.
    """
    wanted = [language_code(language) for language in languages]
    most: dict[int, int] = {}
    for track in tracks:
        rank = _language_rank(track, wanted)
        most[rank] = max(most.get(rank, 0), track.n_letters)

    def rank_of(track: ReadTrack) -> tuple[int, bool, bool, bool, int, int]:
        rank, stream = _language_rank(track, wanted), track.stream
        sparse = track.n_letters < FULL_SHARE * most[rank] or not track.n_letters
        return rank, sparse, _aside(stream), not stream.default, -track.n_letters, stream.index

    chosen = min(tracks, key=rank_of)
    return Choice(chosen, _reason(chosen, tracks, wanted))


def _language_rank(track: ReadTrack, wanted: Sequence[str | None]) -> int:
    own = language_code(track.stream.language)
    if own is None:
        return len(wanted)
    return wanted.index(own) if own in wanted else len(wanted) + 1


def _aside(stream: SubtitleStream) -> bool:
    return stream.forced or bool(_ASIDE.search(stream.title or ""))


def _reason(chosen: ReadTrack, tracks: Sequence[ReadTrack], wanted: Sequence[str | None]) -> str:
    if len(tracks) == 1:
        return "the only text track"
    stream = chosen.stream
    others = ", ".join(str(track.stream.index) for track in tracks)
    own = language_code(stream.language)
    named = own if own else "language not named"
    asked = ", ".join(str(code) for code in wanted)
    words = [f"{named} as wanted" if own in wanted else f"{named}, for none is in {asked}"]
    words += ["default"] * stream.default
    words.append(f"{len(chosen.file.cues)} cues of {chosen.n_letters} letters")
    return f"of text tracks {others} by language, default flag and density: {', '.join(words)}"
