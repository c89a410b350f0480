"""Repair text that was UTF-8, was read as Latin-1 and written again."""

from __future__ import annotations


def repaired(text: str) -> str:
    """Return the text as it was before UTF-8 was read as Latin-1; other text unchanged.

    The repair is made only where the whole text goes back: a text that has a character beyond
    Latin-1, or whose bytes are no UTF-8, is what it seems.

    >>> repaired("MystÃ¨re"), repaired("Mystère"), repaired("plain")
    ('Mystère', 'Mystère', 'plain')
    """
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
