"""File names as ffmpeg takes them and as messages show them, and files that cannot be read."""

from __future__ import annotations

import stat
from pathlib import Path

from gazeline.errors import MediaError

REGISTERED = ("data", "films")
"""Where a project has its copies."""


def url(path: Path) -> str:
    """Return a path as ffmpeg and PyAV take it, whatever its characters.

    Without the protocol, `Alien: Covenant.mkv` would be looked up at a protocol `Alien`, and
    `-1.mkv` would be an option.
    """
    return f"file:{path}"


def shown(name: str) -> str:
    """Return a name in one printable line.

    >>> shown("two\\nlines.mkv")
    'two\\\\nlines.mkv'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def check_readable(path: Path) -> None:
    """Check that a film file is there, is a file, may be read and is not empty.

    Raises:
        MediaError: it is not so; the error says which.
    """
    name, where = shown(path.name), shown(str(path))
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb") as file:
                empty = not file.read(1)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise _absent(path) from error
    except OSError as error:
        raise MediaError(
            f"The film file {name} cannot be read: {error.strerror}",
            where=where,
            todo="see that you may read the file and that its disk is sound",
        ) from error
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "no ordinary file"
        raise MediaError(
            f"{name} is not a film: it is {kind}", where=where, todo="give a film file"
        )
    if empty:
        raise MediaError(
            f"{name} is not a film: it is empty",
            where=where,
            todo="copy or download the file again",
        )
    _check_text(path)


def _absent(path: Path) -> MediaError:
    lost = path.is_symlink()
    return MediaError(
        f"The film file {shown(path.name)} is not there",
        where=f"{shown(str(path))}, a link that leads nowhere" if lost else shown(str(path)),
        todo="put the copy there, or correct its name (films.<film>.copy in params.yaml)"
        if path.parts[:2] == REGISTERED
        else "check the path",
    )


def _check_text(path: Path) -> None:
    """Check that the name is text, as PyAV and shards take no other."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError as error:
        raise MediaError(
            f"The name of {shown(path.name)} is not UTF-8",
            where=shown(str(path)),
            todo="rename the file, or give a link to it that has another name",
        ) from error
