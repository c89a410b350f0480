"""Turn the bytes of a subtitle file into text, and say how the encoding was found."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Literal

from gazeline.errors import SubtitleError
from gazeline.subtitles.reading.alphabets import encoding_by_alphabet

Evidence = Literal[
    "bom", "utf-8", "utf-8 but for damaged bytes", "zero bytes", "line by line", "detection", "text"
]
DAMAGED: Evidence = "utf-8 but for damaged bytes"
# Of so many characters beyond ASCII one may be damaged in a file that is UTF-8.
DAMAGED_SHARE = 0.1
# Of the lines beyond ASCII of a file in two encodings, so many are UTF-8 at least: few lines in
# another encoding look like it.
MIXED_SHARE = 0.2

# The longer marks first: UTF-32's begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_OTHER_FILES = (
    (b"PK\x03\x04", "a zip archive", "unpack it and give the subtitle file inside"),
    (b"\x1f\x8b", "a gzip archive", "unpack it and give the subtitle file inside"),
    (b"Rar!", "a RAR archive", "unpack it and give the subtitle file inside"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-zip archive", "unpack it and give the subtitle file inside"),
    (b"%PDF", "a PDF document", "give the subtitle file itself"),
    (b"\x1a\x45\xdf\xa3", "a Matroska video", "give it as the copy, not as its subtitles"),
    (b"\x00\x00\x01\xba", "bitmap subtitles (VobSub)", "give subtitles that are text"),
    (b"PG", "bitmap subtitles (PGS)", "give subtitles that are text"),
)


@dataclass(frozen=True)
class Decoded:
    """Text, the encoding it was in, and what the encoding was known by."""

    text: str
    encoding: str
    by: Evidence


def decode(data: bytes, where: str) -> Decoded:
    """Decode by byte-order mark, else as strict UTF-8, else by detection.

    Raises:
        SubtitleError: the bytes are empty, an archive, a video or otherwise not text.
    """
    _refuse_other_files(data, where)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(_strict(data[len(mark) :], encoding, where), encoding, "bom")
    wide = _wide_encoding(data)
    if wide:
        return Decoded(_strict(data, wide, where), wide, "zero bytes")
    if b"\x00" in data:
        raise SubtitleError(
            "This is not text: it has zero bytes", where=where, todo="give a subtitle file"
        )
    try:
        return Decoded(data.decode("utf-8"), "utf-8", "utf-8")
    except UnicodeDecodeError:
        return _damaged(data) or _surrogates(data) or _mixed(data) or _detected(data, where)


def _refuse_other_files(data: bytes, where: str) -> None:
    if not data.strip():
        raise SubtitleError(
            "The subtitle file is empty", where=where, todo="copy or download the file again"
        )
    for magic, kind, todo in _OTHER_FILES:
        if data.startswith(magic) and (magic != b"PG" or b"\x00" in data[:16]):
            raise SubtitleError(f"This is {kind}, not a subtitle file", where=where, todo=todo)


def _wide_encoding(data: bytes) -> str | None:
    """Recognise UTF-16 without a mark: of ASCII characters every other byte is zero."""
    head = data[:4000]
    if len(head) < 16:
        return None
    even, odd = head[0::2].count(0) / len(head[0::2]), head[1::2].count(0) / len(head[1::2])
    if odd > 0.3 and even < 0.02:
        return "utf-16-le"
    return "utf-16-be" if even > 0.3 and odd < 0.02 else None


def _damaged(data: bytes) -> Decoded | None:
    """Return UTF-8 text with marks for the bytes that are none, if these are few."""
    text = data.decode("utf-8", "replace")
    damaged, beyond = text.count("\ufffd"), sum(char > "\x7f" for char in text)
    if damaged > DAMAGED_SHARE * beyond:
        return None
    return Decoded(text, "utf-8", DAMAGED)


def _surrogates(data: bytes) -> Decoded | None:
    """Return UTF-8 text of which some characters are written as halves, as UTF-16 has them."""
    try:
        halves = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    text = halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return Decoded(text, "utf-8", DAMAGED)


def _mixed(data: bytes) -> Decoded | None:
    """Return text of which some lines are UTF-8 and the others in one encoding that is found."""
    lines = [line for line in data.split(b"\n") if not line.isascii()]
    others = [line for line in lines if not _is_utf8(line)]
    if len(lines) - len(others) < MIXED_SHARE * len(lines):
        return None
    encoding = encoding_by_alphabet(b"\n".join(others))
    if encoding is None:
        return None
    text = "\n".join(
        line.decode("utf-8" if _is_utf8(line) else encoding) for line in data.split(b"\n")
    )
    return Decoded(text, f"utf-8 and {encoding}", "line by line")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _strict(data: bytes, encoding: str, where: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise SubtitleError(
            f"The file says it is {encoding}, but is not: {error.reason} at byte {error.start}",
            where=where,
            todo="save it again as UTF-8",
        ) from error


def _detected(data: bytes, where: str) -> Decoded:
    from charset_normalizer import from_bytes

    by_letters = encoding_by_alphabet(data)
    if by_letters:
        return Decoded(data.decode(by_letters), by_letters, "detection")
    best = from_bytes(data).best()
    if best is None:
        raise SubtitleError(
            "The encoding cannot be found", where=where, todo="save the file again as UTF-8"
        )
    return Decoded(str(best), str(best.encoding), "detection")
