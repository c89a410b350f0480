"""Write files so that a reader sees the old content or the new, never a part."""

from __future__ import annotations

import errno
import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gazeline.errors import TableError


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to `path` that replaces it when the block succeeds.

    Raises:
        TableError: the disk is full or the folder cannot be written; nothing is left behind.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise _write_error(path, error) from error
    finally:
        if path.parent.is_dir():
            temporary.unlink(missing_ok=True)


def _write_error(path: Path, error: OSError) -> TableError:
    if error.errno == errno.ENOSPC:
        return TableError(
            f"The disk is full: {path.name} was not written",
            where=str(path),
            todo="free some space (`dvc gc --workspace` drops old cached results), then run again",
        )
    return TableError(f"Cannot write {path.name}: {error.strerror or error}", where=str(path))


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write finite JSON with sorted keys, atomically.

    Raises:
        TableError: a number is NaN or infinite; its key path is named.
    """
    _check_finite(data, path, "")
    with atomic_path(path) as temporary:
        temporary.write_text(
            json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n",
            encoding="utf-8",
        )


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        TableError: the file is missing or is not JSON.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise TableError(
            f"{path.name} does not exist", where=str(path), todo="run `dvc repro`, or `dvc pull`"
        ) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise TableError(f"{path.name} is not JSON: {error}", where=str(path)) from error
    if not isinstance(data, dict):
        raise TableError(f"{path.name} does not hold a JSON object", where=str(path))
    return data


def _check_finite(value: Any, path: Path, key: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise TableError(f"{key or 'value'} is {value}, not a finite number", where=str(path))
    if isinstance(value, Mapping):
        for name, item in value.items():
            _check_finite(item, path, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _check_finite(item, path, f"{key}[{index}]")
