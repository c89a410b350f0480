"""Link the user's files into the project; they are never copied, moved or altered."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from gazeline.errors import GazelineError

FILMS = Path("data/films")
RELEASES = Path("data/releases")


@dataclass
class Links:
    """Links made in one command; as a context it takes them back when the command fails."""

    made: list[Path] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.take_back()

    def link(self, target: Path, at: Path) -> bool:
        """Link `at` to `target`; return whether anything changed.

        Raises:
            GazelineError: something else already stands at `at`, or links cannot be made here.
        """
        if target.absolute() == at.absolute():
            return False
        target = target.resolve()
        if at.is_symlink() and at.resolve() == target:
            return False
        if at.is_symlink() and not at.exists():
            at.unlink()
        if at.exists() or at.is_symlink():
            raise GazelineError(
                f"{at} is already there and is not a link to this file",
                where=f"{described(at)}, wanted {target}",
                todo="remove what is registered first (`gazeline film remove`, "
                "`gazeline corpus remove`)",
            )
        at.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.symlink(target, at, target_is_directory=target.is_dir())
        except OSError as error:
            raise GazelineError(f"Cannot link {at} to {target}: {error.strerror}") from error
        self.made.append(at)
        return True

    def take_back(self) -> None:
        """Remove the links made so far."""
        for path in reversed(self.made):
            path.unlink(missing_ok=True)
        self.made.clear()


def described(path: Path) -> str:
    """Return a path, and where it leads if it is a link."""
    return f"{path} → {path.resolve()}" if path.is_symlink() else str(path)


def unlink(path: Path) -> bool:
    """Remove a link, never what it points to; a real file is left alone."""
    if path.is_symlink():
        path.unlink()
        return True
    return False
