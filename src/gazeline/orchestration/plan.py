"""Expand `params.yaml` into `plan.yaml`: the entries that the stages of `dvc.yaml` loop over.

DVC's `foreach` takes a dictionary but nothing computed, so what is computed stands in a committed
file. The plan depends on nothing but params.yaml. An optional dependency that is absent is named by
the path of one that is there: a list of dependencies cannot be templated, repeated ones are
harmless.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from gazeline.errors import PlanError
from gazeline.files import atomic_path
from gazeline.params.base import read_yaml
from gazeline.params.corpora import CorpusParams, FilmParams, FoldParams
from gazeline.params.learning import ExperimentParams
from gazeline.params.whole import ParamsFile

PLAN_FILE = Path("plan.yaml")
HEADER = (
    "# Written by `gazeline plan` from params.yaml; do not edit.\n"
    "# DVC reads it: these are the entries that the stages of dvc.yaml loop over.\n"
)
SAMPLE = "sample"
MAX_CORPORA_PER_FILM = 2
# The corpus of the paper whose figures stand in the ledger.
PUBLISHED = "mobygaze"
STATISTICS = ("agreement", "description", "consistency")
SPLITS = ("test", "validation", "train")

Entry = dict[str, Any]


@dataclass(frozen=True)
class LeftOut:
    """An experiment or fold that cannot run with the copies there are, and why."""

    name: str
    reason: str


def expand(params: ParamsFile) -> Entry:
    """Return the content of `plan.yaml` for checked params.

    Raises:
        PlanError: two corpora want different encoders for one film.
    """
    films = films_in_plan(params)
    experiments, runs, left_out = _experiments(params, films)
    corpora = {name: _corpus_entry(params, name, films) for name in sorted(params.corpora)}
    entries: Entry = {
        "sample": {"films": {"release": params.corpora[SAMPLE].release}}
        if SAMPLE in params.corpora
        else {},
        "encoders": {name: {"name": name} for name in _encoders_in_use(params, films)},
        "corpora": corpora,
        "thesauri": {name: entry for name, entry in corpora.items() if _has_concepts(params, name)},
        "films": {name: _film_entry(params, name, films[name]) for name in sorted(films)},
        "experiments": experiments,
        "runs": runs,
        "aggregate": _aggregate_entry(params, films, runs),
        "left_out": {item.name: item.reason for item in left_out},
    }
    return {"plan": entries}


def films_in_plan(params: ParamsFile) -> dict[str, FilmParams]:
    """Return the films with a copy that are neither excluded nor outside the subset."""
    kept = {}
    for name, film in params.films.items():
        corpora = [c for c in film.corpora if name not in params.corpora[c].exclude]
        if corpora and (not params.subset.films or name in params.subset.films):
            kept[name] = film.model_copy(update={"corpora": tuple(sorted(corpora))})
    return kept


def _has_concepts(params: ParamsFile, name: str) -> bool:
    """Whether a corpus annotates segments by concepts; only such have text and statistics."""
    groups = params.corpora[name].concepts
    return bool(groups.visual or groups.speech or groups.audio)


def _corpus_entry(params: ParamsFile, name: str, films: dict[str, FilmParams]) -> Entry:
    corpus = params.corpora[name]
    copies = any(name in film.corpora for film in films.values())
    segments = f"data/corpora/{name}/segments.parquet"
    return {
        "release": corpus.release,
        "text_encoder": f"data/encoders/{corpus.encoders.text}",
        "video_encoder": f"data/encoders/{corpus.encoders.video}" if copies else segments,
        "video": "data/features/video" if copies else segments,
        "acoustic": "data/features/acoustic" if copies else segments,
        "aligned": "data/aligned" if copies else segments,
    }


def _film_entry(params: ParamsFile, name: str, film: FilmParams) -> Entry:
    encoders = {
        modality: {getattr(params.corpora[c].encoders, modality) for c in film.corpora}
        for modality in ("video", "audio")
    }
    for modality, names in encoders.items():
        if len(names) > 1:
            raise PlanError(
                f"{name} is in {' and '.join(film.corpora)}, which want different {modality} "
                f"encoders: {', '.join(sorted(names))}",
                where="params.yaml, corpora.<corpus>.encoders",
                todo="give these corpora the same encoder",
            )
    padded = [film.corpora[min(i, len(film.corpora) - 1)] for i in range(MAX_CORPORA_PER_FILM)]
    return {
        "copy": film.copy_,
        "subtitles": film.subtitles or film.copy_,
        "map": film.map or film.copy_,
        **{f"corpus_{i + 1}": f"data/corpora/{c}" for i, c in enumerate(padded)},
        "video_encoder": f"data/encoders/{min(encoders['video'])}",
        "audio_encoder": f"data/encoders/{min(encoders['audio'])}",
    }


def _aggregate_entry(params: ParamsFile, films: dict[str, FilmParams], runs: Entry) -> Entry:
    """Return what is aggregated, and what the ledger needs to know of the paper's corpus."""
    scored = "data/runs" if runs else PLAN_FILE.name
    corpus = params.corpora.get(PUBLISHED)
    statistics = {
        kind: f"metrics/{kind}/{PUBLISHED}.json" if corpus else scored for kind in STATISTICS
    }
    tables = {
        name: f"data/corpora/{PUBLISHED}/{name}.parquet" if corpus else scored
        for name in ("segments", "folds")
    }
    published = {
        "corpus": corpus is not None,
        "copies": any(PUBLISHED in film.corpora for film in films.values()),
        "encoders": corpus.encoders.model_dump() if corpus else {},
    }
    return {"runs": scored, **statistics, **tables, "published": published}


def _encoders_in_use(params: ParamsFile, films: dict[str, FilmParams]) -> list[str]:
    used = {c.encoders.text for name, c in params.corpora.items() if _has_concepts(params, name)}
    for film in films.values():
        for corpus in film.corpora:
            used |= {params.corpora[corpus].encoders.video, params.corpora[corpus].encoders.audio}
    return sorted(used)


def _experiments(
    params: ParamsFile, films: dict[str, FilmParams]
) -> tuple[Entry, Entry, list[LeftOut]]:
    entries: Entry = {}
    runs: Entry = {}
    left_out: list[LeftOut] = []
    for name, experiment in sorted(params.experiments.items()):
        corpus = params.corpora[experiment.corpus]
        folds, reasons = _usable_folds(params, experiment, corpus, films)
        left_out += [LeftOut(f"{name}{suffix}", reason) for suffix, reason in reasons]
        if not folds:
            continue
        entries[name] = _experiment_entry(experiment)
        runs |= {f"{name}-{k}": {"experiment": name, "fold": k} for k in folds}
    return entries, runs, left_out


def _experiment_entry(experiment: ExperimentParams) -> Entry:
    segments = f"data/corpora/{experiment.corpus}/segments.parquet"
    on_copy = set(experiment.modalities) & {"video", "audio"}
    return {
        "corpus": experiment.corpus,
        "video": "data/features/video" if "video" in on_copy else segments,
        "audio": "data/features/audio" if "audio" in on_copy else segments,
        "aligned": "data/aligned" if on_copy else segments,
        "text": f"data/features/text/{experiment.corpus}.parquet"
        if "text" in experiment.modalities
        else segments,
    }


def _usable_folds(
    params: ParamsFile,
    experiment: ExperimentParams,
    corpus: CorpusParams,
    films: dict[str, FilmParams],
) -> tuple[list[int], list[tuple[str, str]]]:
    """Return the folds that have films in every split, and why others (or all) are left out."""
    needs_copies = sorted(set(experiment.modalities) & {"video", "audio"})
    wanted = [f for f in corpus.folds if not experiment.folds or f.fold in experiment.folds]
    if not wanted:
        return [], [("", f"corpus {experiment.corpus} has no folds in params.yaml")]
    there = {name for name, film in films.items() if experiment.corpus in film.corpora}
    if needs_copies and not there:
        return [], [("", f"needs {' and '.join(needs_copies)}: no film of the corpus has a copy")]
    kept, reasons = [], []
    for fold in wanted:
        lacking = _lacking_split(fold, corpus, params, there if needs_copies else None)
        if lacking:
            reasons.append((f"-{fold.fold}", f"fold {fold.fold} has no {lacking} film left"))
        else:
            kept.append(fold.fold)
    return kept, reasons


def _lacking_split(
    fold: FoldParams, corpus: CorpusParams, params: ParamsFile, there: set[str] | None
) -> str | None:
    """Return the first split of the fold that no film is left for.

    Args:
        there: the films with a copy; None where none is needed. Films that only train are then not
            all known from the parameters, so that a fold without any is for `dataset` to refuse,
            unless a subset names the films.
    """
    named = {f for each in corpus.folds for f in (*each.test, *each.validation)} | (there or set())
    left = {
        film
        for film in named
        if film not in corpus.exclude
        and (there is None or film in there)
        and (not params.subset.films or film in params.subset.films)
    }
    parts = {
        "test": left & set(fold.test),
        "validation": left & set(fold.validation),
        "train": left - set(fold.test) - set(fold.validation),
    }
    judged = SPLITS if there is not None or params.subset.films else SPLITS[:2]
    return next((split for split in judged if not parts[split]), None)


def plan_text(plan: Entry) -> str:
    """Return a plan as the text of `plan.yaml`."""
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.width = 100
    buffer = StringIO()
    yaml.dump(plan, buffer)
    return HEADER + buffer.getvalue()


def write_plan(params: ParamsFile, path: Path = PLAN_FILE) -> bool:
    """Write `plan.yaml`; return whether it changed."""
    text = plan_text(expand(params))
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return True


def read_plan(path: Path = PLAN_FILE) -> Entry:
    """Return the entries of the plan on disk."""
    entries: Entry = read_yaml(path).get("plan", {})
    return entries


def check_plan(params: ParamsFile, path: Path = PLAN_FILE) -> None:
    """Check that the plan on disk is the one `params` expand to.

    Raises:
        PlanError: the plan is stale.
    """
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if text != plan_text(expand(params)):
        raise PlanError(
            "plan.yaml is not what params.yaml expands to",
            where=str(path),
            todo="run `gazeline plan`, then run again",
        )
