"""Publish a folder whole: it appears when everything in it is written, or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gazeline.errors import TableError


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder next to `path` that takes its place when the block succeeds.

    Raises:
        TableError: the disk is full or the folder cannot be written; nothing is left behind.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        yield temporary
        if path.exists():
            shutil.rmtree(path)
        os.replace(temporary, path)
    except OSError as error:
        full = error.errno == errno.ENOSPC
        raise TableError(
            f"The disk is full: {path} was not written"
            if full
            else f"Cannot write {path}: {error.strerror or error}",
            where=str(path),
            todo="free some space, then run again" if full else None,
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
