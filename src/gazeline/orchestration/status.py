"""Where the project stands: corpora, films, alignment, features and runs on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gazeline.errors import GazelineError
from gazeline.orchestration.plan import Entry, expand
from gazeline.orchestration.unfinished import known_failures
from gazeline.params.corpora import FilmParams
from gazeline.params.whole import ParamsFile


@dataclass(frozen=True)
class CorpusState:
    """A corpus: films annotated, segments, films with a copy."""

    name: str
    n_films: int | None
    n_segments: int | None
    n_copies: int


@dataclass(frozen=True)
class FilmState:
    """A film: its copy, how it is aligned, what is extracted."""

    film_id: str
    title: str
    copy: str
    alignment: str
    features: str


@dataclass(frozen=True)
class ExperimentState:
    """An experiment: folds trained of those planned, or why it is left out."""

    name: str
    state: str


def corpora_states(params: ParamsFile) -> list[CorpusState]:
    """Return a row per corpus."""
    return [_corpus_state(params, name) for name in sorted(params.corpora)]


def film_states(params: ParamsFile) -> list[FilmState]:
    """Return a row per film that a corpus annotates or a copy is registered for."""
    titles = _titles(params)
    return [
        _film_state(film, titles.get(film, ""), params.films.get(film))
        for film in sorted({*titles, *params.films})
    ]


def experiment_states(params: ParamsFile) -> list[ExperimentState]:
    """Return a row per experiment of params.yaml, in its order."""
    plan = expand(params)["plan"]
    return [ExperimentState(name, _experiment_state(name, plan)) for name in params.experiments]


def _corpus_state(params: ParamsFile, name: str) -> CorpusState:
    import pyarrow.parquet as pq

    folder = Path(f"data/corpora/{name}")
    counts = [
        pq.read_metadata(path).num_rows if (path := folder / f"{table}.parquet").is_file() else None
        for table in ("films", "segments")
    ]
    copies = sum(name in film.corpora for film in params.films.values())
    return CorpusState(name, counts[0], counts[1], copies)


def _titles(params: ParamsFile) -> dict[str, str]:
    import pyarrow.parquet as pq

    titles: dict[str, str] = {}
    for name in params.corpora:
        path = Path(f"data/corpora/{name}/films.parquet")
        if path.is_file():
            table = pq.read_table(path, columns=["film_id", "title"]).to_pylist()
            titles |= {row["film_id"]: row["title"] for row in table}
    return titles


def _film_state(film: str, title: str, entry: FilmParams | None) -> FilmState:
    if entry is None:
        return FilmState(film, title, "no copy", "", "")
    copy = "here" if Path(entry.copy_).exists() else "absent"
    return FilmState(film, title, copy, _alignment(film), _features(film))


def _alignment(film: str) -> str:
    from gazeline.files import read_json

    path = Path(f"data/aligned/{film}.json")
    if not path.is_file():
        return _not_aligned(film)
    try:
        return ", ".join(
            f"{entry['status']} {entry['confidence']:.2f} ({entry['method']})"
            for _, entry in sorted(read_json(path)["corpora"].items())
        )
    except (GazelineError, KeyError, TypeError, AttributeError, ValueError):
        return "unreadable"


def _not_aligned(film: str) -> str:
    if f"align@{film}" not in known_failures():
        return "not yet"
    return f"failed in the last run, see `gazeline align check {film}`"


def _features(film: str) -> str:
    kinds = ("video", "audio", "acoustic")
    done = [k for k in kinds if Path(f"data/features/{k}/{film}.parquet").is_file()]
    return ", ".join(done) or "none"


def _experiment_state(name: str, plan: Entry) -> str:
    planned = [run for run in plan["runs"].values() if run["experiment"] == name]
    if not planned:
        return f"left out: {plan['left_out'].get(name) or '; '.join(_reasons(name, plan))}"
    done = sum(Path(f"data/runs/{name}/fold-{run['fold']}").is_dir() for run in planned)
    missing = "; ".join(_reasons(name, plan))
    return f"{done} of {len(planned)} folds trained" + (f" ({missing})" if missing else "")


def _reasons(name: str, plan: Entry) -> Iterator[str]:
    for key, reason in plan["left_out"].items():
        if key == name or (key.startswith(f"{name}-") and key.removeprefix(f"{name}-").isdigit()):
            yield reason
