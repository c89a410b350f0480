"""Find the files of each film in a release folder, however deep they lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gazeline.corpora.vsd2011.events import KINDS, VIOLENCE
from gazeline.corpora.vsd2011.shots import SUFFIXES
from gazeline.corpora.vsd2011.titles import Title, film_of
from gazeline.errors import ReleaseError

UNREAD = ("features",)


@dataclass
class FilmFiles:
    """The files of one film: an event file per kind, and the shots where they are there."""

    title: Title
    events: dict[str, Path] = field(default_factory=dict)
    shots: Path | None = None


def find_files(folder: Path) -> Mapping[str, FilmFiles]:
    """Return the films of a release by id, with the files of each.

    Folders called `features` are not looked into.

    Raises:
        ReleaseError: there is no `<Film>_violence.txt`, or two files say the same of a film.
    """
    films: dict[str, FilmFiles] = {}
    for path, name, kind in sorted(_event_files(folder)):
        title = film_of(name)
        entry = films.setdefault(title.film_id, FilmFiles(title))
        if kind in entry.events:
            raise _twice(entry.events[kind], path)
        entry.events[kind] = path
    for path, name in sorted(_shot_files(folder)):
        title = film_of(name)
        entry = films.setdefault(title.film_id, FilmFiles(title))
        if entry.shots is not None:
            raise _twice(entry.shots, path)
        entry.shots = path
    films = {film: entry for film, entry in films.items() if VIOLENCE in entry.events}
    if not films:
        raise ReleaseError(
            f"The release has no <Film>_{VIOLENCE}.txt",
            where=str(folder),
            todo="point at the folder of the annotations, as the owners hand it out",
        )
    return films


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        inside = path.relative_to(folder).parts[:-1]
        if path.is_file() and not any(part.lower() in UNREAD for part in inside):
            yield path


def _event_files(folder: Path) -> Iterator[tuple[Path, str, str]]:
    for path in _files(folder):
        name, _, kind = path.stem.rpartition("_")
        if path.suffix.lower() == ".txt" and name and kind.lower() in KINDS:
            yield path, name, kind.lower()


def _shot_files(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in _files(folder):
        for suffix in SUFFIXES:
            if path.name.lower().endswith(suffix) and len(path.name) > len(suffix):
                yield path, path.name[: -len(suffix)]
                break


def _twice(first: Path, second: Path) -> ReleaseError:
    return ReleaseError(
        f"Two files say the same of one film: {first.name} and {second.name}",
        where=f"{first} and {second}",
        todo="leave one of them in the release folder",
    )
