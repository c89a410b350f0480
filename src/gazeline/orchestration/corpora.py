"""Register a release and the film copies that go with it, or undo it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gazeline.errors import GazelineError, MediaError, ReleaseError, SubtitleError
from gazeline.orchestration.annotating import release_films
from gazeline.orchestration.edits import apply_text
from gazeline.orchestration.films import Copy, check_copy, link_copies, register_copies
from gazeline.orchestration.links import RELEASES, Links, unlink
from gazeline.orchestration.matching import FilmKey, Matches, list_files, match_copies
from gazeline.orchestration.params_text import flow_entry, remove_entry, replace_entry
from gazeline.orchestration.plan import SAMPLE, expand
from gazeline.orchestration.release import Release, open_release
from gazeline.orchestration.sidecars import sidecars_of
from gazeline.orchestration.templates import (
    brought_encoders,
    choose_text_encoder,
    template_data,
    with_template,
)
from gazeline.params.base import parse_yaml, read_text
from gazeline.params.corpora import CorpusParams
from gazeline.params.whole import check_params


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
    """What `corpus add` found and did; `left_out` are the experiments that cannot run, and why."""

    films: tuple[FilmKey, ...]
    matches: Matches
    changed: bool
    text_encoder: str
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class Prepared:
    """A checked registration that has not been carried out."""

    films: tuple[FilmKey, ...]
    matches: Matches
    copies: tuple[Copy, ...]
    text: str
    left_out: Mapping[str, str]


def preview(request: Request) -> Outcome:
    """Match copies and check everything that `add_corpus` checks, without changing anything.

    Raises:
        ReleaseError, MediaError, ParamsError, PlanError: as `add_corpus`.
    """
    text = read_text()
    encoder = choose_text_encoder(request.name, request.text_encoder)
    if request.name == SAMPLE:
        return Outcome((), match_copies([], []), False, encoder, {})
    with open_release(request.name, request.release, request.rev, request.inner) as release:
        prepared = prepare(request, encoder, text, release.folder)
    return Outcome(prepared.films, prepared.matches, False, encoder, prepared.left_out)


def add_corpus(request: Request) -> Outcome:
    """Link the release and copies, enter them in `params.yaml` and expand the plan.

    Raises:
        ReleaseError: the release cannot be read.
        MediaError: a matched copy is not a film.
        ParamsError, PlanError: the result would not be valid; nothing has been changed.
    """
    text = read_text()
    encoder = choose_text_encoder(request.name, request.text_encoder)
    if request.name == SAMPLE:
        return _add_sample(text, request.text_encoder, encoder)
    with open_release(request.name, request.release, request.rev, request.inner) as release:
        prepared = prepare(request, encoder, text, release.folder)
        changed = _apply(request.name, release, prepared.copies, prepared.text)
        release.keep()
    return Outcome(prepared.films, prepared.matches, changed, encoder, prepared.left_out)


def prepare(request: Request, encoder: str, text: str, folder: Path) -> Prepared:
    """Match, probe and check; see `add_corpus` for what is raised."""
    films = release_films(_format_of(request.name), folder)
    matches = find_copies(request, films)
    copies = tuple(
        Copy(film, path, matches.subtitles.get(film))
        for film, path in sorted(matches.matched.items())
    )
    check_copies(copies)
    new_text = register_copies(
        with_template(text, request.name, encoder),
        copies,
        {copy.film_id: [request.name] for copy in copies},
    )
    params = check_params(parse_yaml(new_text))
    _check_folds(request.name, params.corpora[request.name], films, folder)
    plan = expand(params)["plan"]
    return Prepared(films, matches, copies, new_text, plan["left_out"])


def remove_corpus(name: str) -> list[Path]:
    """Take a corpus, its experiments, films and encoders out; the user's files stay untouched.

    Raises:
        GazelineError: there is no such corpus.
    """
    text = read_text()
    data = parse_yaml(text)
    if name not in (data.get("corpora") or {}):
        known = ", ".join(sorted(data.get("corpora") or {})) or "none"
        raise GazelineError(
            f"There is no corpus {name}", where=f"params.yaml has: {known}", todo="check the name"
        )
    new_text = without_corpus(text, name)
    removed = list(apply_text(new_text).removed)
    kept = parse_yaml(new_text).get("films") or {}
    for film, entry in (data.get("films") or {}).items():
        if film not in kept:
            links = [Path(entry[key]) for key in ("copy", "subtitles") if entry.get(key)]
            removed += [path for path in links if unlink(path)]
    return removed + Release.forget(RELEASES / name)


def _check_folds(name: str, corpus: CorpusParams, films: Sequence[FilmKey], folder: Path) -> None:
    """Check that this is the release that the folds are of.

    Raises:
        ReleaseError: it lacks films of theirs; `ingest` would stop at the first.
    """
    wanted = sorted({film for fold in corpus.folds for film in (*fold.test, *fold.validation)})
    there = sorted(film.film_id for film in films)
    if wanted and not set(wanted) & set(there):
        raise ReleaseError(
            f"The release annotates none of the {len(wanted)} films in the folds of {name}",
            where=f"{folder} has {', '.join(there[:4])}, not, e.g., {', '.join(wanted[:4])}",
            todo=f"give the release of {name} (see the README)",
        )
    lacking = [film for film in wanted if film not in there]
    if lacking:
        more = f" and {len(lacking) - 4} more" if len(lacking) > 4 else ""
        raise ReleaseError(
            f"The release lacks {len(lacking)} of the {len(wanted)} films in the folds of {name}",
            where=f"{folder} annotates no {', '.join(lacking[:4])}{more}",
            todo=f"give the whole release of {name} (see the README)",
        )


def find_copies(request: Request, films: Sequence[FilmKey]) -> Matches:
    """Match the files of the folder given, then what the user settled by hand.

    Raises:
        GazelineError: a settled film is unknown, or its file is not there.
    """
    files = list_files(request.copies) if request.copies else []
    matches = match_copies(files, films)
    for item in request.settled:
        film, copy = _settled(item, {film.film_id for film in films})
        matches = _with_settled(matches, film, copy)
    return matches


def check_copies(copies: Sequence[Copy]) -> None:
    """Probe every copy and read its subtitles before anything is changed.

    Raises:
        MediaError: names every copy, or its subtitle file, that cannot be read, or that is given
            for two films.
    """
    problems = _given_twice(copies)
    for copy in copies:
        try:
            check_copy(copy)
        except MediaError as error:
            problems.append(f"{copy.film_id}: {copy.path}: {error.what}")
        except SubtitleError as error:
            problems.append(f"{copy.film_id}: {copy.subtitles}: {error.what}")
    if problems:
        raise MediaError(
            f"{len(problems)} of {len(copies)} copies cannot be read; nothing was changed",
            where="\n    ".join(problems),
            todo="mend or move these files, then run the command again",
        )


def _given_twice(copies: Sequence[Copy]) -> list[str]:
    films: dict[Path, list[str]] = {}
    for copy in copies:
        films.setdefault(copy.path.resolve(), []).append(copy.film_id)
    return [
        f"{' and '.join(of)}: {path}: one file is given for {len(of)} films"
        for path, of in films.items()
        if len(of) > 1
    ]


def without_corpus(text: str, name: str) -> str:
    """Return `params.yaml` without a corpus and what belongs to it alone."""
    data = parse_yaml(text)
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


def _format_of(name: str) -> str:
    return str(template_data(name)["corpora"][name]["format"])


def _apply(name: str, release: Release, copies: Sequence[Copy], text: str) -> bool:
    with Links() as links:
        changed = release.imported or links.link(release.folder, RELEASES / name)
        changed |= bool(link_copies(copies, links))
        return apply_text(text).changed or changed


def _add_sample(text: str, asked: str | None, encoder: str) -> Outcome:
    changed = apply_text(with_template(text, SAMPLE, asked)).changed
    return Outcome((), match_copies([], []), changed, encoder, {})


def _settled(item: str, known: set[str]) -> tuple[str, Path]:
    film, _, file = item.partition("=")
    path = Path(file).expanduser()
    if film not in known or not file:
        raise GazelineError(
            f"--copy {item} does not name a film of the release",
            where=f"its films are, e.g., {', '.join(sorted(known)[:4])}",
            todo="write --copy FILM=FILE",
        )
    if not path.is_file():
        raise GazelineError(f"--copy {item}: there is no file {path}", todo="check the path")
    return film, path


def _with_settled(matches: Matches, film: str, copy: Path) -> Matches:
    beside = sidecars_of(copy, list(copy.parent.iterdir()))
    subtitles = {f: path for f, path in matches.subtitles.items() if f != film}
    if len(beside) == 1:
        subtitles[film] = beside[0]
    settled = copy.resolve()
    return replace(
        matches,
        matched={**matches.matched, film: copy},
        subtitles=subtitles,
        ambiguous=tuple(
            a
            for a in matches.ambiguous
            if film not in a.film_ids and settled not in {f.resolve() for f in a.files}
        ),
        unknown=tuple(u for u in matches.unknown if u.file.resolve() != settled),
        without_copy=tuple(f for f in matches.without_copy if f != film),
    )


def _unused_encoders(data: Mapping[str, Any], name: str) -> list[str]:
    """Return encoders that the corpus's template brought and nothing else needs."""
    corpora = data.get("corpora") or {}
    used = {encoder for corpus in corpora.values() for encoder in corpus["encoders"].values()}
    others = set().union(*(brought_encoders(other) for other in corpora))
    present = data.get("encoders") or {}
    return sorted(e for e in brought_encoders(name) if e in present and e not in used | others)
