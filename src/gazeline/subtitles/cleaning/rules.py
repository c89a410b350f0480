"""The cleaning rules: each a pure function of one cue's text, each with a name in params."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape

from gazeline.params.subtitles import CleaningParams, SubtitlesParams
from gazeline.subtitles.mojibake import repaired

# ASS overrides begin with a backslash, MicroDVD's with a letter and a colon.
_TAG = re.compile(r"<[^<>]*>|\{(?:\\|[a-zA-Z]:)[^{}]*\}")
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z]+);")
_ADS = re.compile(
    r"opensubtitles|addic7ed|subscene|podnapisi|tvsubtitles|osdb\.link|yts\.[a-z]{2}"
    r"|advertise your product|remove all ads|watch any video online|https?://"
    r"|(?:subtitles?|captions?)\s+(?:by|downloaded|ripped|provided)|captioned by|captioning"
    r"|^\W*(?:ripped|encoded|transcribed)\s+by\b"
    r"|(?:synced|synchroni[sz]ed|corrected|corrections?)\b[^.]{0,30}\bby\b",
    re.IGNORECASE | re.MULTILINE,
)
_MUSIC = re.compile(r"[♩♪♫♬\U0001F3B5\U0001F3B6]+")
_SDH = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
# Two capitals at least, at the start of a line, perhaps after a dialogue hyphen: "- MRS. DALE:".
_SPEAKER = re.compile(r"^(\s*[-‐‑–]?\s*)[A-Z][A-Z0-9.'’#& -]*[A-Z0-9.]:(?!\d)\s*", re.MULTILINE)
_LINE_HYPHEN = re.compile(r"^\s*[-‐‑–]+\s*", re.MULTILINE)
_DASH = re.compile(r"[—―–]|--+")
_LINE_CODE = re.compile(r"\\[Nnh]|\\")
_STRAIGHT = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"'})


@dataclass(frozen=True)
class Rule:
    """A named step of cleaning."""

    name: str
    apply: Callable[[str], str]


def drop_tags(text: str) -> str:
    """Drop HTML tags, ASS override blocks and MicroDVD codes; write out HTML's names of letters.

    >>> drop_tags("<i>Oh</i>, {\\\\an8}R&amp;B")
    'Oh, R&B'
    """
    return _ENTITY.sub(lambda name: unescape(name.group()), _TAG.sub("", text))


def drop_ads(text: str) -> str:
    """Empty a cue in which a subtitle site or its author speaks.

    >>> drop_ads("Subtitles by NobodyAtAll"), drop_ads("Subtitles are hard")
    ('', 'Subtitles are hard')
    """
    return "" if _ADS.search(text) else text


def drop_music(text: str) -> str:
    """Drop music notes; what is sung stays.

    >>> drop_music("♪ Hand on my heart ♪").strip()
    'Hand on my heart'
    """
    return _MUSIC.sub("", text)


def drop_sdh(text: str) -> str:
    """Drop what stands in brackets for the deaf and hard of hearing: sounds and speakers.

    >>> drop_sdh("[ Wind Howling ] Run!")
    '  Run!'
    """
    return _SDH.sub(" ", text)


def drop_speakers(text: str) -> str:
    """Drop a speaker's name in capitals before a colon at the start of a line.

    >>> drop_speakers("- MRS. DALE: At 10:30."), drop_speakers("Note: this stays")
    ('- At 10:30.', 'Note: this stays')
    """
    return _SPEAKER.sub(r"\1", text)


def drop_line_hyphens(text: str) -> str:
    """Drop hyphens that begin a line of dialogue; those in words stay.

    >>> drop_line_hyphens("- Son of a...\\n- Come on, X-ray.")
    'Son of a...\\nCome on, X-ray.'
    """
    return _LINE_HYPHEN.sub("", text)


def drop_dashes(text: str) -> str:
    """Put a space for dashes between words.

    >>> drop_dashes("Wait—no -- stop")
    'Wait no   stop'
    """
    return _DASH.sub(" ", text)


def drop_backslashes(text: str) -> str:
    """Put a space for line codes and stray backslashes.

    >>> drop_backslashes("one\\\\Ntwo")
    'one two'
    """
    return _LINE_CODE.sub(" ", text)


def straighten_quotes(text: str) -> str:
    """Make curly quotes straight.

    >>> straighten_quotes("“I’m”")
    '"I\\'m"'
    """
    return text.translate(_STRAIGHT)


def collapse_whitespace(text: str) -> str:
    """Put one space for any white space and none at the ends."""
    return " ".join(text.split())


RULES = (
    Rule("mojibake", repaired),
    Rule("tags", drop_tags),
    Rule("ads", drop_ads),
    Rule("music", drop_music),
    Rule("sdh", drop_sdh),
    Rule("speakers", drop_speakers),
    Rule("hyphens", drop_line_hyphens),
    Rule("dashes", drop_dashes),
    Rule("backslashes", drop_backslashes),
    Rule("quotes", straighten_quotes),
    Rule("whitespace", collapse_whitespace),
    Rule("lowercase", str.lower),
)


def rules_for(params: SubtitlesParams) -> tuple[Rule, ...]:
    """Return the rules that the params ask for, in the order they are applied."""
    if params.preset == "released":
        return released_rules()
    return chosen_rules(params.cleaning)


def chosen_rules(cleaning: CleaningParams) -> tuple[Rule, ...]:
    """Return the rules that are switched on."""
    return tuple(rule for rule in RULES if getattr(cleaning, rule.name))


# What the paper's rules saw: UTF-8 read as Latin-1. Of ♫ (E2 99 AB) only two bytes were dropped,
# which is why its texts have a « where a song begins.
_RAW_TAG = re.compile(r"<[^>]*>")
_RAW_MUSIC = re.compile("â\x99ª?|♪")
_RAW_DASH = re.compile("â\x80\x94|—")
_RAW_SINGLE = re.compile("â\x80[\x98\x99]|[‘’]")
_RAW_DOUBLE = re.compile("â\x80[\x9c\x9d]|[“”]")


def released_rules() -> tuple[Rule, ...]:
    """Return the paper's own rules, for text as released (encoding not repaired).

    With the join `released` they reproduce the `subtitle` column of the MObyGaze CSV, 6070 of
    6072 rows to the byte.
    """
    return (
        Rule("tags", lambda text: _RAW_TAG.sub("", text)),
        Rule("music", lambda text: _RAW_MUSIC.sub("", text)),
        Rule("hyphens", lambda text: text.replace("-", "")),
        Rule("dashes", lambda text: _RAW_DASH.sub("", text)),
        Rule("backslashes", lambda text: text.replace("\\", "")),
        Rule("quotes", lambda text: _RAW_DOUBLE.sub('"', _RAW_SINGLE.sub("'", text))),
        Rule("whitespace", collapse_whitespace),
    )
