"""Repair text that was UTF-8, was read as Latin-1 or Windows-1252 and written again."""

from __future__ import annotations

# The five bytes that Windows-1252 leaves undefined; programs pass them through, as Latin-1 does.
_UNDEFINED = {0x81: "\x81", 0x8D: "\x8d", 0x8F: "\x8f", 0x90: "\x90", 0x9D: "\x9d"}
_WINDOWS = {
    _UNDEFINED.get(byte) or bytes([byte]).decode("cp1252"): byte for byte in range(0x80, 0x100)
}


def repaired(text: str) -> str:
    """Return the text as it was before UTF-8 was read in the wrong encoding; other text unchanged.

    The repair is made only where the whole text goes back: a text that has a character beyond
    the wrong encoding, or whose bytes are no UTF-8, is what it seems.

    >>> repaired("MystÃ¨re"), repaired("Mystère"), repaired("itâ€™s"), repaired("plain")
    ('Mystère', 'Mystère', 'it’s', 'plain')
    """
    if text.isascii():
        return text
    for data in (_latin(text), _windows(text)):
        try:
            if data is not None:
                return data.decode("utf-8")
        except UnicodeDecodeError:
            continue
    return text


def _latin(text: str) -> bytes | None:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return None


def _windows(text: str) -> bytes | None:
    try:
        return bytes(ord(char) if char < "\x80" else _WINDOWS[char] for char in text)
    except KeyError:
        return None
