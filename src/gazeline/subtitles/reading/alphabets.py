"""Tell one-byte encodings apart by the alphabets of the languages that are written in them.

charset-normalizer takes French in cp1252 for a Baltic encoding and Hebrew for Russian: it weighs
how usual letters are, in a text of a few lines. Whether every letter is one of a language's is a
harder test, and is asked first.
"""

from __future__ import annotations

import re
from itertools import pairwise

# Characters that are looked at.
ENOUGH = 200_000
FEWEST_LETTERS = 3
LEAST_COVERED = 0.98
# Capitals inside words and words of two scripts speak against a reading; so, less, do capitals
# alone, or none, in a script that has them.
MOST_ODD = 0.05
ONE_CASE = 0.01

_SIGNS = set("‘’‚“”„«»‹›…–—•·°©®™€£§¡¿ªº´¨×÷½¼¾²³♪\u00a0\u00ad\u200e\u200f،؛؟№")
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
_ALPHABETS = {
    "cp1252": (
        "àâæçéèêëîïôœùûüÿ",  # French
        "äöüß",  # German
        "áéíñóúü",  # Spanish
        "áâãàçéêíóôõúü",  # Portuguese
        "àèéìíîòóùú",  # Italian
        "åäöæøéü",  # Danish, Norwegian, Swedish, Finnish
        "áéëïóöüèê",  # Dutch
        "áðéíóúýþæö",  # Icelandic
    ),
    "cp1250": (
        "ąćęłńóśźż",  # Polish
        "áčďéěíňóřšťúůýž",  # Czech
        "áäčďéíĺľňóôŕšťúýž",  # Slovak
        "áéíóöőúüű",  # Hungarian
        "ăâîşţ",  # Romanian
        "čćđšž",  # Croatian, Slovene, Serbian
    ),
    "cp1251": (
        _CYRILLIC + "ё",  # Russian
        "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",  # Ukrainian
        "абвгдежзийклмнопрстуфхцчшщъьюя",  # Bulgarian
        "абвгдђежзијклљмнњопрстћуфхцчџш",  # Serbian
    ),
    "koi8-r": (_CYRILLIC + "ё",),
    "cp1253": ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",),
    "cp1254": ("çğıöşüâîû",),
    "cp1255": ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",),
    "cp1256": ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگًٌٍَُِّْـ",),
    "cp1257": (
        "ąčęėįšųūž",  # Lithuanian
        "āčēģīķļņšūž",  # Latvian
        "äöõüšž",  # Estonian
    ),
}
_LATIN = frozenset(
    "".join("".join(_ALPHABETS[e]) for e in ("cp1252", "cp1250", "cp1254", "cp1257"))
)


def encoding_by_alphabet(data: bytes) -> str | None:
    """Return the encoding in which a text is spelled with the letters of one language, or None.

    >>> encoding_by_alphabet("Ça va très bien, où est l'école ?".encode("cp1252"))
    'cp1252'
    """
    best: tuple[float, str] | None = None
    for encoding, alphabets in _ALPHABETS.items():
        try:
            text = data.decode(encoding)[:ENOUGH]
        except UnicodeDecodeError:
            continue
        score = max(_score(text, alphabet) for alphabet in alphabets)
        if score >= LEAST_COVERED and (best is None or score > best[0]):
            best = score, encoding
    return best[1] if best else None


def _score(text: str, alphabet: str) -> float:
    """Return the share of the characters beyond ASCII that a language uses, less what is odd.

    Signs count as used but prove nothing: without a few letters the score is 0.
    """
    beyond = [char for char in text if char > "\x7f"]
    letters = [char for char in beyond if char.lower() in alphabet]
    if len(letters) < FEWEST_LETTERS:
        return 0.0
    covered = len(letters) + sum(char in _SIGNS for char in beyond)
    return covered / len(beyond) - _oddness(text, letters)


def _oddness(text: str, letters: list[str]) -> float:
    """Return 1 where words are mixed as in a text read in the wrong encoding, else nearly 0."""
    joined = "".join(letters)
    cased = joined.lower() != joined.upper()
    words = [word for word in re.findall(r"[^\W\d_]{2,}", text) if not word.isupper()]
    pairs = [pair for word in words for pair in pairwise(word)]
    latin = not set(joined.lower()).isdisjoint(_LATIN)
    odd = sum(
        (cased and a.islower() and b.isupper()) or (not latin and a.isascii() != b.isascii())
        for a, b in pairs
    )
    if pairs and odd / len(pairs) > MOST_ODD:
        return 1.0
    one_case = cased and not latin and joined in (joined.lower(), joined.upper())
    return ONE_CASE if one_case else 0.0
