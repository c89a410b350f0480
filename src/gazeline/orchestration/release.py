"""Open a release: a folder of the user's, or a folder of a Git repository through DVC."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gazeline.errors import ReleaseError
from gazeline.orchestration.links import RELEASES, unlink


@dataclass
class Release:
    """A readable release folder; `imported` when DVC brought it."""

    folder: Path
    imported: bool = False
    kept: bool = field(default=False)

    def keep(self) -> None:
        """Leave an imported release in place when the context ends."""
        self.kept = True

    @staticmethod
    def forget(at: Path) -> list[Path]:
        """Remove a release's link or import; return what was removed."""
        if unlink(at):
            return [at]
        pointer = at.with_name(f"{at.name}.dvc")
        if pointer.is_file():
            pointer.unlink()
            shutil.rmtree(at, ignore_errors=True)
            return [at, pointer]
        return []


@contextmanager
def open_release(
    name: str, release: str | None, rev: str | None, inner: str | None
) -> Iterator[Release]:
    """Yield the release; an import that is not kept is undone.

    Raises:
        ReleaseError: none was given, the folder is missing, or the repository cannot be read.
    """
    if release is None:
        raise ReleaseError(
            f"Where is the release of {name}?", todo="give --release DIR, or a Git URL"
        )
    folder = Path(release).expanduser()
    if folder.is_dir() and not _is_repository_request(rev, inner):
        yield Release(folder.resolve())
        return
    if not _looks_like_git(release, rev, inner):
        raise ReleaseError(
            f"There is no folder {release}", todo="give the folder of the release, or a Git URL"
        )
    at = RELEASES / name
    fresh = not at.with_name(f"{name}.dvc").is_file()
    opened = Release(at, imported=fresh)
    try:
        if fresh:
            _import(release, rev, inner or ".", at)
        yield opened
    finally:
        if fresh and not opened.kept:
            Release.forget(at)


def _is_repository_request(rev: str | None, inner: str | None) -> bool:
    return rev is not None or inner is not None


def _looks_like_git(release: str, rev: str | None, inner: str | None) -> bool:
    return (
        "://" in release
        or release.startswith("git@")
        or release.endswith(".git")
        or (Path(release).is_dir() and _is_repository_request(rev, inner))
    )


def _import(url: str, rev: str | None, inner: str, at: Path) -> None:
    if at.exists() or at.is_symlink():
        raise ReleaseError(
            f"{at} is already there", todo=f"`gazeline corpus remove {at.name}` first"
        )
    at.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "dvc", "import", url, inner, "-o", str(at)]
    answer = subprocess.run(
        [*command, *(["--rev", rev] if rev else [])], capture_output=True, text=True, check=False
    )
    if answer.returncode:
        Release.forget(at)
        shutil.rmtree(at, ignore_errors=True)
        raise ReleaseError(
            f"DVC cannot import {inner} from the repository",
            where=f"{url} at {rev or 'its default branch'}: {_reason(answer.stderr)}",
            todo="check the URL, --rev and --path",
        )


def _reason(text: str) -> str:
    """Return DVC's own word on what failed; with `--quiet` it would say nothing."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["DVC does not say why"])[-1]
