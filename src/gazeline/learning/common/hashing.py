"""The hash that DVC knows a file by."""

from __future__ import annotations

import hashlib
from pathlib import Path


def file_md5(path: Path) -> str:
    """Return the MD5 of a file's bytes, as `dvc.lock` has it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()
