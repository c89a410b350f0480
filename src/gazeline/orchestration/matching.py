"""Which file is a copy of which film. Listed where it is not certain, never guessed.

A file is matched, in this order,
1. by an IMDb key in its name, or its name being the film's id;
2. by title and year: what stands before the year is the title, give or take articles; a title of
   three words or more may have other words before it (a series' name);
3. by the name of its folder, in the same ways.
A title alone, without a year, is listed as likely and left to the user: other films bear it too.
(`Help.mkv` is not even likely to be The Help, `Crash.1996.mkv` is none of Crash, 2004.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gazeline.orchestration.sidecars import sidecars_of
from gazeline.orchestration.titles import (
    Words,
    before_release_words,
    name_words,
    without_articles,
    words,
    years_in,
)

VIDEO_SUFFIXES = frozenset(
    {
        ".mkv", ".mp4", ".m4v", ".avi", ".mov", ".webm", ".ts", ".m2ts", ".mts", ".mpg", ".mpeg",
        ".wmv", ".ogv", ".ogm", ".vob", ".flv", ".3gp", ".divx",
    }
)  # fmt: skip
EXTRAS = frozenset({"sample", "trailer", "teaser", "featurette"})
DISTINCTIVE_WORDS = 3
_IMDB_KEY = re.compile(r"(?<![a-z0-9])tt\d{7,9}(?!\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FilmKey:
    """What is known of a film that copies are looked for."""

    film_id: str
    title: str
    year: int | None


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Files and films of which it is not certain which belongs to which."""

    files: tuple[Path, ...]
    film_ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A video file that is no copy of any film, and why."""

    file: Path
    reason: str


@dataclass(frozen=True)
class Matches:
    """The outcome: every video file and every film is in it once.

    Attributes:
        matched: the copy of each film that has one.
        subtitles: the subtitle file beside a matched copy, where there is exactly one.
        subtitle_choices: the subtitle files beside a matched copy, where there are several.
        ambiguous: what the user has to settle.
        unknown: video files of no film.
        without_copy: films that no file was found for, not even an ambiguous one.
    """

    matched: Mapping[str, Path]
    subtitles: Mapping[str, Path]
    subtitle_choices: Mapping[str, tuple[Path, ...]]
    ambiguous: tuple[Ambiguity, ...]
    unknown: tuple[Unknown, ...]
    without_copy: tuple[str, ...]


def match_copies(files: Sequence[Path], films: Sequence[FilmKey]) -> Matches:
    """Match the video files among `files` to `films`; the others may be their subtitles."""
    videos = sorted(file for file in files if file.suffix.lower() in VIDEO_SUFFIXES)
    unknown, several, likely = [], [], []
    found: dict[str, list[Path]] = {}
    for file in videos:
        film_ids, reason = film_ids_of(file, films)
        if not film_ids:
            unknown.append(Unknown(file, reason))
        elif len(film_ids) > 1:
            several.append(Ambiguity((file,), film_ids, "one file fits several films"))
        elif reason:
            likely.append(Ambiguity((file,), film_ids, reason))
        else:
            found.setdefault(film_ids[0], []).append(file)
    contested = {film for each in several for film in each.film_ids}
    matched = {f: p[0] for f, p in sorted(found.items()) if len(p) == 1 and f not in contested}
    ambiguous = several + [
        Ambiguity(tuple(paths), (film,), "several files fit one film")
        for film, paths in sorted(found.items())
        if film not in matched
    ]
    ambiguous += likely
    named = {film for each in likely for film in each.film_ids}
    beside = {film: sidecars_of(copy, files) for film, copy in matched.items()}
    return Matches(
        matched=matched,
        subtitles={film: paths[0] for film, paths in beside.items() if len(paths) == 1},
        subtitle_choices={film: paths for film, paths in beside.items() if len(paths) > 1},
        ambiguous=tuple(ambiguous),
        unknown=tuple(unknown),
        without_copy=tuple(sorted({f.film_id for f in films} - set(found) - contested - named)),
    )


def film_ids_of(file: Path, films: Sequence[FilmKey]) -> tuple[tuple[str, ...], str]:
    """Return the films that a file's name fits, and where it fits none the reason."""
    named = tuple(film.film_id for film in films if film.film_id.casefold() == file.stem.casefold())
    if named:
        return named, ""
    extra = _extra_in(file, films)
    if extra is not None:
        return (), f"is named a {extra}"
    by_key, keys = _by_key(file.stem, films)
    if keys:
        return by_key, f"{', '.join(keys)} is no film of the corpus"
    folder = file.parent.name
    certain = (
        _by_title(file.stem, films, alone=False)
        or _by_key(folder, films)[0]
        or _by_title(folder, films, alone=False)
    )
    if certain:
        return certain, ""
    by_title_alone = _by_title(file.stem, films, alone=True)
    if by_title_alone:
        return by_title_alone, "the name has the title and no year"
    return (), _hint(name_words(file.stem), films)


def list_files(folder: Path) -> list[Path]:
    """Return the files under a folder, sorted, without hidden ones.

    Raises:
        OSError: the folder cannot be read.
    """
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def _extra_in(file: Path, films: Iterable[FilmKey]) -> str | None:
    """Return the word that makes a file a sample or trailer, unless a title has that word."""
    in_titles = {word for film in films for word in (*words(film.title), *words(film.film_id))}
    in_name = [*words(file.stem), *words(file.parent.name)]
    return next((w for w in in_name if w.rstrip("s") in EXTRAS and w not in in_titles), None)


def _by_key(name: str, films: Iterable[FilmKey]) -> tuple[tuple[str, ...], list[str]]:
    """Return the films whose IMDb key stands in `name`, and all keys that stand there."""
    keys = sorted({key.lower() for key in _IMDB_KEY.findall(name)})
    return tuple(sorted(film.film_id for film in films if film.film_id.lower() in keys)), keys


def _by_title(name: str, films: Iterable[FilmKey], *, alone: bool) -> tuple[str, ...]:
    """Return the films whose title and year, or (`alone`) title, are those of `name`."""
    found = name_words(name)
    fitting = {f.film_id for f in films if _fits_with_year(found, f)}
    if not fitting and alone:
        fitting = {f.film_id for f in films if found == words(f.title)}
    return tuple(sorted(fitting))


def _fits_with_year(found: Words, film: FilmKey) -> bool:
    title = without_articles(words(film.title))
    return any(
        (film.year is None or film.year == year)
        and (_is_title(part, title) or _is_title(before_release_words(part), title))
        for year, part in _title_parts(found)
    )


def _title_parts(found: Words) -> list[tuple[int, Words]]:
    """Return (year, words taken for the title) for each year that `found` may have."""
    return [(year, found[:at] or found[1:]) for at, year in years_in(found)]


def _is_title(part: Words, title: Words) -> bool:
    part = without_articles(part)
    if part == title:
        return True
    # "03 - Juno" in a numbered collection, "Indiana Jones 3 - Indiana Jones and ..." in a series.
    if len(part) > 1 and part[0].isdigit() and len(part[0]) < 3 and part[1:] == title:
        return True
    return len(title) >= DISTINCTIVE_WORDS and part[-len(title) :] == title


def _hint(found: Words, films: Iterable[FilmKey]) -> str:
    """Say what speaks for a film although it was not matched."""
    for film in films:
        title = without_articles(words(film.title))
        if not _contains(without_articles(found), title):
            continue
        years = [str(year) for _, year in years_in(found)]
        if years and film.year is not None and str(film.year) not in years:
            return f"has {film.title!r} in its name, but {years[-1]}, not {film.year}"
        return f"may be {film.title!r} ({film.film_id}); its name is not sure enough"
    return "has neither key nor title of a film of the corpus in its name"


def _contains(found: Words, title: Words) -> bool:
    n = len(title)
    return any(found[i : i + n] == title for i in range(len(found) - n + 1))
