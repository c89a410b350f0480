"""The everyday command: `dvc repro` after a look at what is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gazeline.orchestration.dvc import Reproduction, reproduce
from gazeline.orchestration.links import FILMS, RELEASES
from gazeline.orchestration.plan import SAMPLE, check_plan
from gazeline.params.whole import ParamsFile, load_params

ASIDE = ".absent"
HASH_NOTICE_BYTES = 2_000_000_000


@dataclass(frozen=True)
class OwnFile:
    """A file or folder of the user's that the pipeline reads through a link."""

    owner: str
    path: Path

    @property
    def there(self) -> bool:
        """Whether the link leads to something."""
        return self.path.exists()


def own_files(params: ParamsFile) -> list[OwnFile]:
    """Return the copies, their subtitles and the releases that the user brings."""
    files = [
        OwnFile(name, Path(corpus.release))
        for name, corpus in params.corpora.items()
        if name != SAMPLE
    ]
    for film, entry in params.films.items():
        paths = [Path(p) for p in (entry.copy_, entry.subtitles, entry.map) if p]
        files += [OwnFile(film, path) for path in paths if not _is_made(film, path)]
    return files


def _is_made(film: str, path: Path) -> bool:
    """Return whether the sample's stage makes the file."""
    return film.startswith(f"{SAMPLE}-") and path.stem == film and not path.is_symlink()


def repro(arguments: Sequence[str] = ()) -> Reproduction:
    """Run `dvc repro --keep-going`; with `--allow-missing` where the user's own files are absent.

    Plain `dvc repro` deletes the results of a film whose copy is absent before it fails, so absent
    copies are named and their finished results kept.

    Raises:
        ParamsError, PlanError: params.yaml has problems or the plan is stale.
    """
    params = load_params()
    check_plan(params)
    with absent_set_aside(params) as options:
        _announce_hashing(own_files(params))
        return reproduce([*options, *arguments])


@contextmanager
def absent_set_aside(params: ParamsFile) -> Iterator[list[str]]:
    """Name the user's own files that are not there and yield the options of `dvc repro` that fit.

    DVC takes links that lead nowhere for files and fails on them, so they are renamed meanwhile.
    """
    restore_links()
    absent = absent_files(params)
    for file in absent:
        print(f"{file.owner}: {file.path} is absent; its finished results are kept as they are")
    try:
        for file in absent:
            if file.path.is_symlink():
                file.path.rename(file.path.with_name(f".{file.path.name}{ASIDE}"))
        yield ["--keep-going", *(["--allow-missing"] if absent else [])]
    finally:
        restore_links()


def restore_links() -> None:
    """Give links their names back, also those of a run that was killed."""
    for folder in (FILMS, RELEASES):
        for path in folder.glob(f".*{ASIDE}") if folder.is_dir() else ():
            path.rename(path.with_name(path.name.removeprefix(".").removesuffix(ASIDE)))


def absent_files(params: ParamsFile) -> list[OwnFile]:
    """Return the user's own files that are not there."""
    return [file for file in own_files(params) if not file.there]


def _announce_hashing(files: Sequence[OwnFile]) -> None:
    """Say that large copies are hashed once, before DVC falls silent over it."""
    sizes = [f.path.stat().st_size for f in files if f.there and f.path.is_file()]
    if sum(sizes) > HASH_NOTICE_BYTES and not Path(".gazeline/hashed").is_file():
        gib = sum(sizes) / 2**30
        print(f"DVC reads the {len(sizes)} copies ({gib:.0f} GiB) once to hash them, then no more")
        Path(".gazeline").mkdir(exist_ok=True)
        Path(".gazeline/hashed").touch()
