"""The adapters, by the name of the release format they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from gazeline.corpora.release import Release
from gazeline.errors import ReleaseError

Adapter = Callable[[Path, Mapping[str, str | float]], Release]


def _mobygaze() -> Adapter:
    from gazeline.corpora.mobygaze.adapter import read_release

    return read_release


def _sample() -> Adapter:
    from gazeline.corpora.sample.adapter import read_release

    return read_release


def _vsd2011() -> Adapter:
    from gazeline.corpora.vsd2011.adapter import read_release

    return read_release


def _eim2018() -> Adapter:
    from gazeline.corpora.eim2018.adapter import read_release

    return read_release


ADAPTERS: dict[str, Callable[[], Adapter]] = {
    "mobygaze": _mobygaze,
    "sample": _sample,
    "vsd2011": _vsd2011,
    "eim2018": _eim2018,
}


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
    return ADAPTERS[name]()
