"""Register a film's copy, or take a film out of every analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

from gazeline.errors import GazelineError, MediaError
from gazeline.orchestration.annotating import corpora_annotating
from gazeline.orchestration.edits import apply_text
from gazeline.orchestration.links import FILMS, Links, described, unlink
from gazeline.orchestration.params_text import (
    flow_entry,
    insert_entry,
    remove_entry,
    replace_entry,
    set_list,
)
from gazeline.orchestration.sidecars import check_subtitles, sidecars_of
from gazeline.params.base import parse_yaml, read_text
from gazeline.params.whole import check_params


@dataclass(frozen=True)
class Copy:
    """A user's file of a film, and the subtitle file beside it."""

    film_id: str
    path: Path
    subtitles: Path | None = None


def register_copies(text: str, copies: Sequence[Copy], corpora: Mapping[str, list[str]]) -> str:
    """Return `params.yaml` with an entry for each copy.

    Args:
        corpora: for each film id, the corpora that annotate it.
    """
    for copy in sorted(copies, key=lambda item: item.film_id):
        films = parse_yaml(text).get("films") or {}
        old = films.get(copy.film_id, {})
        entry = dict(old)
        entry["copy"] = str(link_path(copy.film_id, copy.path))
        if copy.subtitles is not None:
            entry["subtitles"] = str(link_path(copy.film_id, copy.subtitles))
        entry["corpora"] = sorted({*old.get("corpora", []), *corpora[copy.film_id]})
        if entry == old:
            continue
        block = flow_entry(copy.film_id, entry)
        text = (
            replace_entry(text, "films", copy.film_id, block)
            if old
            else insert_entry(text, "films", block)
        )
    return text


def link_path(film_id: str, file: Path) -> Path:
    """Return where a file of a film is linked: `data/films/<film><suffix>`.

    Where another file has that name (the sample's own, say), `<film>-2<suffix>`, and so on.
    """
    endings = chain([""], (f"-{number}" for number in count(2)))
    paths = (FILMS / f"{film_id}{ending}{file.suffix.lower()}" for ending in endings)
    return next(path for path in paths if not path.exists() or path.resolve() == file.resolve())


def link_copies(copies: Sequence[Copy], links: Links) -> int:
    """Link copies and their subtitles into `data/films`; return how many links are new."""
    new = 0
    for copy in copies:
        new += links.link(copy.path, link_path(copy.film_id, copy.path))
        if copy.subtitles is not None:
            new += links.link(copy.subtitles, link_path(copy.film_id, copy.subtitles))
    return new


def add_film(copy: Copy, corpora: list[str]) -> bool:
    """Register one copy of a film that `corpora` annotate; return whether anything changed.

    Raises:
        MediaError: the file is missing or is not a film.
        SubtitleError: the subtitle file given, or the one beside the copy, is none.
        GazelineError: another copy of the film is registered, or the file is another film's copy.
    """
    copy = with_sidecar(copy)
    check_copy(copy)
    text = read_text()
    data = parse_yaml(text)
    _refuse_second_copy(copy, data)
    _refuse_shared_copy(copy, data)
    for corpus in corpora:
        text = _without_exclusion(text, data, corpus, copy.film_id)
    new_text = register_copies(text, [copy], {copy.film_id: corpora})
    with Links() as links:
        linked = link_copies([copy], links)
        return apply_text(new_text).changed or bool(linked)


def with_sidecar(copy: Copy) -> Copy:
    """Add the subtitle file beside a copy, where there is exactly one and none was given."""
    if copy.subtitles is not None or not copy.path.is_file():
        return copy
    beside = sidecars_of(copy.path, list(copy.path.parent.iterdir()))
    return Copy(copy.film_id, copy.path, beside[0] if len(beside) == 1 else None)


def check_copy(copy: Copy) -> None:
    """Check that the files are there, that the copy can be probed and its subtitles read.

    Raises:
        MediaError: a file is missing or is not a film.
        SubtitleError: the subtitle file is none, or has no cue.
    """
    from gazeline.media.probing.probe import probe

    for path in filter(None, (copy.path, copy.subtitles)):
        if not path.is_file():
            raise MediaError(f"There is no file {path}", where=copy.film_id, todo="check the path")
    info = probe(copy.path)
    if copy.subtitles is not None:
        check_subtitles(copy.subtitles, info.video.fps if info.video else None)


def remove_film(film_id: str, *, copy_only: bool) -> list[Path]:
    """Unregister a film's copy and, unless `copy_only`, leave its annotations out of everything.

    Returns:
        what was deleted from the workspace; the user's own file is never touched.

    Raises:
        GazelineError: no corpus knows the film.
    """
    text = read_text()
    data = parse_yaml(text)
    entry = (data.get("films") or {}).get(film_id)
    corpora = corpora_annotating(film_id, check_params(data))
    if entry:
        text = remove_entry(text, "films", film_id)
    if not copy_only:
        for corpus in corpora:
            text = _with_exclusion(text, parse_yaml(text), corpus, film_id)
    removed = apply_text(text).removed
    links = [entry[k] for k in ("copy", "subtitles") if entry and entry.get(k)]
    return [*removed, *(Path(path) for path in links if unlink(Path(path)))]


def _refuse_second_copy(copy: Copy, data: Mapping[str, Any]) -> None:
    entry = (data.get("films") or {}).get(copy.film_id)
    if entry is None:
        return
    registered = Path(entry["copy"])
    if registered.exists() and registered.resolve() != copy.path.resolve():
        raise GazelineError(
            f"{copy.film_id} already has another copy",
            where=described(registered),
            todo=f"`gazeline film remove {copy.film_id} --copy-only` first",
        )


def _refuse_shared_copy(copy: Copy, data: Mapping[str, Any]) -> None:
    for film, entry in (data.get("films") or {}).items():
        if film != copy.film_id and Path(entry["copy"]).resolve() == copy.path.resolve():
            raise GazelineError(
                f"This file is the copy of {film} already, so it is none of {copy.film_id}",
                where=str(copy.path),
                todo=f"give the copy of {copy.film_id}, or first "
                f"`gazeline film remove {film} --copy-only` where that is wrong",
            )


def _with_exclusion(text: str, data: Mapping[str, Any], corpus: str, film_id: str) -> str:
    excluded = list(data["corpora"][corpus]["exclude"])
    return _set_exclusions(text, corpus, sorted({*excluded, film_id}))


def _without_exclusion(text: str, data: Mapping[str, Any], corpus: str, film_id: str) -> str:
    excluded = list(data["corpora"][corpus]["exclude"])
    if film_id not in excluded:
        return text
    return _set_exclusions(text, corpus, [film for film in excluded if film != film_id])


def _set_exclusions(text: str, corpus: str, films: list[str]) -> str:
    return set_list(text, ("corpora", corpus, "exclude"), films)
