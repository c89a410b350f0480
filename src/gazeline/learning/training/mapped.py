"""Arrays in a file without a name: the system keeps in memory as much of one as it has room for."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gazeline.errors import TableError

SCRATCH = Path(".gazeline/scratch")


def mapped_array(rows: int, width: int, root: Path) -> npt.NDArray[np.float32]:
    """Return an array [rows, width] of zeros that is mapped from a file below `root`.

    The file has no name and goes when the array goes.

    Raises:
        TableError: the disk is full or cannot be written.
    """
    n_bytes = rows * width * 4
    if not n_bytes:
        return np.zeros((rows, width), dtype=np.float32)
    folder = root / SCRATCH
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            _reserve(file.fileno(), n_bytes)
            return np.asarray(np.memmap(file, np.float32, "r+", shape=(rows, width)))
    except OSError as error:
        full = error.errno == errno.ENOSPC
        raise TableError(
            f"The disk is full: {n_bytes / 1e9:.1f} GB of features cannot be mapped"
            if full
            else f"Features cannot be mapped: {error.strerror or error}",
            where=str(folder),
            todo="free some space, then run again" if full else None,
        ) from error


def _reserve(file: int, n_bytes: int) -> None:
    """Take the disk space now: a full disk would end the process when a page is written."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, n_bytes)
    else:
        os.truncate(file, n_bytes)
