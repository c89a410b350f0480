"""The adapters, by the name of the release format they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from gazeline.corpora.release import Release
from gazeline.errors import ReleaseError

Adapter = Callable[[Path, Mapping[str, str | float]], Release]

ADAPTERS = {"mobygaze": "gazeline.corpora.mobygaze.adapter"}


def adapter(name: str) -> Adapter:
    """Return the function that reads a release of the format `name`, importing only that one.

    Raises:
        ReleaseError: no adapter reads this format.
    """
    if name not in ADAPTERS:
        raise ReleaseError(
            f"No adapter reads the format {name!r}",
            where="params.yaml, corpora.<corpus>.format",
            todo=f"take one of {', '.join(sorted(ADAPTERS))}",
        )
    read: Adapter = import_module(ADAPTERS[name]).read_release
    return read
