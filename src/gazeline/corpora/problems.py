"""Gather everything that is wrong with a file, then raise it as one error."""

from __future__ import annotations

from pathlib import Path

from gazeline.errors import ReleaseError

SHOWN = 3
MAX_FRAME = 10**9
"""More than a year of film; the tables hold no number of 25 digits."""


class Problems:
    """The problems of one file, by kind."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, list[tuple[int, str]]] = {}

    def add(self, kind: str, line: int, detail: str) -> None:
        """Note a problem on a line (counted from 1)."""
        self.found.setdefault(kind, []).append((line, detail))

    def check(self, todo: str) -> None:
        """Raise what was noted, if anything was.

        Raises:
            ReleaseError: each kind with its count, its first few lines and what stands there.
        """
        if not self.found:
            return
        first = min(line for items in self.found.values() for line, _ in items)
        kinds = "".join(f"\n  - {_summary(kind, items)}" for kind, items in self.found.items())
        raise ReleaseError(
            f"{self.path.name} cannot be read as it is:{kinds}",
            where=f"{self.path}, line {first}",
            todo=todo,
        )


def _summary(kind: str, items: list[tuple[int, str]]) -> str:
    shown = "; ".join(f"line {line}: {detail}" for line, detail in items[:SHOWN])
    more = "; …" if len(items) > SHOWN else ""
    return f"{kind} ({len(items)}): {shown}{more}"


def read_text(path: Path) -> str:
    """Read a UTF-8 file, with or without a byte order mark.

    Raises:
        ReleaseError: the file is not there, or bytes are not UTF-8; the line is named.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReleaseError(
            f"{path.name} cannot be opened: {error.strerror}", where=str(path)
        ) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        shown = data[error.start : error.start + 4].hex(" ")
        raise ReleaseError(
            f"{path.name} is not UTF-8: the bytes {shown} cannot be decoded",
            where=f"{path}, line {line}",
            todo="take the file as published, or convert it to UTF-8",
        ) from error
