"""How an experiment's setting departs from the paper's, so that the ledger claims no more. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gazeline.params.corpora import ConceptGroups, FoldParams
from gazeline.params.features import AudioParams, TextParams, VideoParams
from gazeline.params.learning import LATE, ExperimentParams, ModelsParams, TrainingParams
from gazeline.params.subtitles import SubtitlesParams

# 5 folds times 5 seeds (paper A.4.1).
PUBLISHED_RUNS = 25
NO_PRESET = "no preset describes it"
ASKED = ("task", "modalities", "model", "positives", "train_annotators", "test_annotators")
# The sections of `models` that a model takes its sizes from.
SIZES = {
    "mlp": ("mlp",),
    "transformer": ("transformer",),
    "differential": ("transformer", "differential"),
    "perceiver": ("perceiver", "transformer.max_tokens"),
}
# What the paper says of the features of a modality; the rest of these sections is ours.
PUBLISHED_FEATURES: Mapping[str, Mapping[str, Any]] = {
    "video": {"window_frames": 16, "stride_frames": 16},
    "audio": {"chunk_s": 2.0},
    "text": {"max_tokens": 512, "lowercase": True},
}


@dataclass(frozen=True)
class Corpus:
    """What decides which films and segments are learnt from."""

    folds: tuple[FoldParams, ...] = ()
    concepts: ConceptGroups = field(default_factory=ConceptGroups)
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """The sections of `params.yaml` that experiments on one corpus depend on."""

    experiments: Mapping[str, ExperimentParams]
    training: TrainingParams
    models: ModelsParams
    subtitles: SubtitlesParams
    features: Mapping[str, VideoParams | AudioParams | TextParams]
    corpus: Corpus


def other_settings(
    settings: Settings, presets: Mapping[str, ExperimentParams], corpus: Corpus
) -> dict[str, str]:
    """Return what is otherwise than in the paper, for each experiment of which something is.

    Args:
        presets: the paper's experiments by id.
        corpus: the paper's folds and thesaurus.
    """
    found = {
        name: list(_departures(experiment, presets.get(name), settings, corpus))
        for name, experiment in settings.experiments.items()
    }
    return {name: "; ".join(dict.fromkeys(parts)) for name, parts in found.items() if parts}


def other_corpus(ours: Corpus, papers: Corpus) -> str:
    """Return in what the films and segments are not the paper's; nothing where they are."""
    keys = ("folds", "concepts", "exclude")
    return ", ".join(f"other {k}" for k in keys if getattr(ours, k) != getattr(papers, k))


def _departures(
    experiment: ExperimentParams,
    wanted: ExperimentParams | None,
    settings: Settings,
    corpus: Corpus,
) -> Iterator[str]:
    if wanted is None:
        yield NO_PRESET
        return
    for key in ASKED:
        yield from _differs(key, getattr(experiment, key), getattr(wanted, key))
    ours = experiment.training.applied_to(settings.training).model_dump()
    papers = wanted.training.applied_to(TrainingParams()).model_dump()
    for key, value in ours.items():
        if key != "warmup_share" or ours["schedule"] == "warmup":
            yield from _differs(key, value, papers[key])
    for path in SIZES.get(experiment.model.removeprefix(LATE), ()):
        yield from _size_departures(path, settings.models)
    for modality in experiment.modalities:
        for key, value in PUBLISHED_FEATURES[modality].items():
            name = f"features.{modality}.{key}"
            yield from _differs(name, getattr(settings.features[modality], key), value)
    if "text" in experiment.modalities:
        yield from _differs("join", settings.subtitles.join, "released")
        yield from _differs("cleaning", settings.subtitles.preset, "released")
    if other := other_corpus(settings.corpus, corpus):
        yield other


def _size_departures(path: str, models: ModelsParams) -> Iterator[str]:
    """Yield how a section of `models`, or a key of one, departs from the published sizes."""
    section, _, only = path.partition(".")
    ours = getattr(models, section).model_dump()
    papers = getattr(ModelsParams(), section).model_dump()
    for key in [only] if only else ours:
        yield from _differs(f"{section}.{key}", ours[key], papers[key])


def _differs(name: str, ours: Any, papers: Any) -> Iterator[str]:
    if ours != papers:
        yield f"{name} {_shown(ours)}, not {_shown(papers)}"


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "+".join(str(part) for part in value) or "none"
    if isinstance(value, Mapping):
        return " ".join(f"{key} {part}" for key, part in value.items())
    return str(value)
