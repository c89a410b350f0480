"""What the ledger needs to know of the project: the plan, the settings and the other metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from gazeline.evaluation.as_published import Corpus, Settings, other_corpus, other_settings
from gazeline.evaluation.chance import read_chance
from gazeline.evaluation.ledger import CORPUS, Setup
from gazeline.evaluation.sources import Metrics
from gazeline.files import read_json
from gazeline.params.base import Section, parse_yaml, read_yaml, validate
from gazeline.params.corpora import ConceptGroups, FoldParams
from gazeline.params.features import AudioParams, TextParams, VideoParams
from gazeline.params.learning import ExperimentParams, ModelsParams, TrainingParams
from gazeline.params.subtitles import SubtitlesParams

PRESETS = Path("presets")
# The paper's folds and thesaurus are those that `gazeline corpus add mobygaze` enters.
TEMPLATE = files("gazeline.orchestration") / f"templates/{CORPUS}.yaml"
# The stage that writes each kind of statistics.
STATISTICS = {
    "agreement": "agreement",
    "description": "describe",
    "consistency": "consistency",
}
S = TypeVar("S", bound=Section)


def setup_of(
    plan: Mapping[str, Any], params: Mapping[str, Any], root: Path = Path(), *, subset: bool
) -> Setup:
    """Return what there is of the paper's corpus, and what is otherwise than in the paper.

    Args:
        plan: the content of `plan.yaml` below `plan`.
        params: the content of `params.yaml`.
        root: folder of the project, with `presets/`.

    Raises:
        ParamsError: a preset or a section has problems.
    """
    published = plan["aggregate"]["published"]
    encoders = params.get("encoders") or {}
    chosen = {m: encoders.get(name, {}) for m, name in published["encoders"].items()}
    settings, papers = settings_of(params), papers_corpus()
    return Setup(
        corpus=published["corpus"],
        copies=published["copies"],
        experiments=frozenset(plan["experiments"]),
        left_out=plan["left_out"],
        encoders={m: str(e.get("location") or e.get("source")) for m, e in chosen.items()},
        subset=subset,
        other_settings=other_settings(settings, papers_experiments(root / PRESETS), papers),
        other_corpus=other_corpus(settings.corpus, papers),
    )


def settings_of(params: Mapping[str, Any]) -> Settings:
    """Return the settings of the experiments on the paper's corpus."""

    def section(model: type[S], *keys: str) -> S:
        value: Any = params
        for key in keys:
            value = value.get(key) or {}
        return validate(model, value, ".".join(keys))

    experiments = params.get("experiments") or {}
    return Settings(
        experiments={
            name: section(ExperimentParams, "experiments", name)
            for name, entry in experiments.items()
            if entry["corpus"] == CORPUS
        },
        training=section(TrainingParams, "training"),
        models=section(ModelsParams, "models"),
        subtitles=section(SubtitlesParams, "subtitles"),
        features={
            "video": section(VideoParams, "features", "video"),
            "audio": section(AudioParams, "features", "audio"),
            "text": section(TextParams, "features", "text"),
        },
        corpus=_corpus((params.get("corpora") or {}).get(CORPUS) or {}),
    )


def papers_experiments(folder: Path) -> dict[str, ExperimentParams]:
    """Return the experiments behind the paper's tables by id; none where there is no folder."""
    return {
        name: validate(ExperimentParams, entry, f"experiments.{name}", path)
        for path in sorted(folder.glob("*.yaml"))
        for name, entry in read_yaml(path)["experiments"].items()
    }


def papers_corpus() -> Corpus:
    """Return the paper's folds and thesaurus."""
    return _corpus(parse_yaml(TEMPLATE.read_text(encoding="utf-8"))["corpora"][CORPUS])


def _corpus(entry: Mapping[str, Any]) -> Corpus:
    return Corpus(
        folds=tuple(validate(FoldParams, fold, "folds") for fold in entry.get("folds") or ()),
        concepts=validate(ConceptGroups, entry.get("concepts"), "concepts"),
        exclude=tuple(entry.get("exclude") or ()),
    )


def read_metrics(
    setup: Setup, params: Mapping[str, Any], root: Path = Path(), left_out: Collection[str] = ()
) -> Metrics:
    """Return the metrics that published figures are looked up in, by the name of their file.

    Args:
        params: the content of `params.yaml`.
        left_out: stages whose metrics or tables are not there or out of date.

    Raises:
        TableError: a metrics file or table is missing or damaged.
    """
    found = {name: read_json(root / f"metrics/{name}.json") for name in ("summary", "comparisons")}
    if not setup.corpus:
        return found
    for kind, stage in STATISTICS.items():
        if f"{stage}@{CORPUS}" not in left_out:
            found[kind] = read_json(root / f"metrics/{kind}/{CORPUS}.json")
    if f"ingest@{CORPUS}" not in left_out:
        groups = _corpus(params["corpora"][CORPUS]).concepts
        found["chance"] = read_chance(root / "data/corpora" / CORPUS, groups)
    return found
