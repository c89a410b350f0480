"""Keep what has been encoded of a film, so that a job that was killed goes on where it was."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

import gazeline
from gazeline.console import note
from gazeline.errors import TableError
from gazeline.features.common.shards import Embeddings, stacked
from gazeline.files import atomic_path

SCRATCH = Path(".gazeline/scratch")
SAVE_EVERY_S = 15.0
SAMPLE_BYTES = 1 << 20
CODE = ("features", "media")


class Scratch:
    """The embeddings of a film's first items, in memory and in a folder; `with` it to keep them.

    An item is a window, a chunk or a text; it may have several rows. What is added is written at
    the next `add` after 15 s, and when the block is left by an error or Ctrl-C. A folder of None
    keeps nothing.
    """

    def __init__(self, folder: Path | None, width: int) -> None:
        self._folder = folder
        self._width = width
        self._parts, self.n_items = _read(folder, width)
        self.n_resumed = self.n_items
        self._unsaved: list[Embeddings] = []
        self._n_saved = self.n_items
        self._saved_at = time.monotonic()

    def add(self, n_items: int, rows: Embeddings) -> None:
        """Take the rows [rows, width] of the next items."""
        self._parts.append(rows)
        self._unsaved.append(rows)
        self.n_items += n_items
        if time.monotonic() - self._saved_at >= SAVE_EVERY_S:
            self._save()

    def rows(self) -> Embeddings:
        """Return the rows of all items, shape [rows, width]."""
        self._parts = [stacked(self._parts, self._width)]
        return self._parts[0]

    def remove(self) -> None:
        """Remove the folder: its content has been published."""
        self._unsaved = []
        if self._folder is not None:
            # Only what is this shard's: other films are extracted at the same time.
            shutil.rmtree(self._folder.parent, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            return
        try:
            self._save()
        except TableError as failed:
            logging.getLogger(__name__).warning("not kept for resuming: %s", failed)

    def _save(self) -> None:
        if self._folder is not None and self._unsaved:
            path = self._folder / f"{self._n_saved:09d}-{self.n_items:09d}.npy"
            with atomic_path(path) as temporary, temporary.open("wb") as file:
                np.save(file, stacked(self._unsaved, self._width))
                file.flush()
                os.fsync(file.fileno())
        self._unsaved, self._n_saved = [], self.n_items
        self._saved_at = time.monotonic()


def open_scratch(
    root: Path | None, stage: str, out: Path, inputs: Mapping[str, object], width: int
) -> Scratch:
    """Return the scratch of a job, with what an earlier try at the very same job left; say so.

    What tries with other inputs left for the same shard is removed.

    Args:
        root: folder of all scratch, outside of DVC's outputs; None keeps nothing.
        out: where the shard goes.
        inputs: all that the embeddings depend on, as JSON.
    """
    if root is None:
        return Scratch(None, width)
    text = json.dumps({**inputs, "code": code_hash()}, sort_keys=True)
    shard = f"{out.stem}-{hashlib.sha256(str(out).encode()).hexdigest()[:8]}"
    folder = root / stage / shard / hashlib.sha256(text.encode()).hexdigest()[:32]
    for stale in folder.parent.glob("*"):
        if stale != folder:
            shutil.rmtree(stale, ignore_errors=True)
    scratch = Scratch(folder, width)
    if scratch.n_resumed:
        note(f"{stage}@{out.stem}: resuming after {scratch.n_resumed} encoded before")
    return scratch


def code_hash() -> str:
    """Return a hash of the code that decodes and encodes: other code resumes nothing."""
    total = hashlib.sha256()
    root = Path(gazeline.__file__).parent
    for name in CODE:
        for path in sorted((root / name).rglob("*.py")):
            total.update(path.read_bytes())
    return total.hexdigest()


def file_mark(path: Path) -> dict[str, object]:
    """Return size, time and a hash of the ends of a file: cheap for films of any size."""
    stat = path.stat()
    with path.open("rb") as file:
        ends = hashlib.sha256(file.read(SAMPLE_BYTES))
        file.seek(max(0, stat.st_size - SAMPLE_BYTES))
        ends.update(file.read(SAMPLE_BYTES))
    return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "ends": ends.hexdigest()}


def _read(folder: Path | None, width: int) -> tuple[list[Embeddings], int]:
    """Return the parts that follow on one another from item 0, and the number of their items."""
    parts: list[Embeddings] = []
    n_items = 0
    for path in sorted(folder.glob("*.npy")) if folder is not None else []:
        start, stop = (int(number) for number in path.stem.split("-"))
        rows = _rows(path)
        if start != n_items or rows is None or rows.ndim != 2 or rows.shape[1] != width:
            break
        parts.append(rows)
        n_items = stop
    return parts, n_items


def _rows(path: Path) -> Embeddings | None:
    """Return a part, or None for one that the disk has lost."""
    try:
        rows: Embeddings = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return rows
