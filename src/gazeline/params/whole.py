"""The whole of `params.yaml`, with the checks that reach across sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from gazeline.params.alignment import AlignParams
from gazeline.params.base import (
    PARAMS_FILE,
    Section,
    problems,
    problems_error,
    read_yaml,
    register,
)
from gazeline.params.corpora import CorpusParams, FilmParams
from gazeline.params.encoders import EncoderParams
from gazeline.params.features import AudioParams, TextParams, VideoParams
from gazeline.params.kinds import INTERVALS
from gazeline.params.learning import (
    ESTIMATORS,
    ExperimentParams,
    ModelsParams,
    TrainingParams,
    is_segment_task,
)
from gazeline.params.runtime import RuntimeParams
from gazeline.params.sample import SampleParams
from gazeline.params.statistics import AgreementParams, ConsistencyParams, DescriptionParams
from gazeline.params.subset import SubsetParams
from gazeline.params.subtitles import SubtitlesParams
from gazeline.params.temporal import ScenesParams

NAMED = ("corpora", "films", "encoders", "experiments")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


class FeaturesParams(Section):
    """Feature sections, each read by its own stage."""

    video: VideoParams = Field(default_factory=VideoParams)
    audio: AudioParams = Field(default_factory=AudioParams)
    text: TextParams = Field(default_factory=TextParams)


class StatisticsParams(Section):
    """Statistics sections, each read by its own stage."""

    agreement: AgreementParams = Field(default_factory=AgreementParams)
    description: DescriptionParams = Field(default_factory=DescriptionParams)
    consistency: ConsistencyParams = Field(default_factory=ConsistencyParams)


@register
class ParamsFile(Section):
    """Every section of `params.yaml`."""

    corpora: dict[str, CorpusParams] = Field(default_factory=dict)
    films: dict[str, FilmParams] = Field(default_factory=dict)
    subset: SubsetParams = Field(default_factory=SubsetParams)
    sample: SampleParams = Field(default_factory=SampleParams)
    encoders: dict[str, EncoderParams] = Field(default_factory=dict)
    subtitles: SubtitlesParams = Field(default_factory=SubtitlesParams)
    align: AlignParams = Field(default_factory=AlignParams)
    features: FeaturesParams = Field(default_factory=FeaturesParams)
    statistics: StatisticsParams = Field(default_factory=StatisticsParams)
    training: TrainingParams = Field(default_factory=TrainingParams)
    models: ModelsParams = Field(default_factory=ModelsParams)
    scenes: ScenesParams = Field(default_factory=ScenesParams)
    experiments: dict[str, ExperimentParams] = Field(default_factory=dict)
    runtime: RuntimeParams = Field(default_factory=RuntimeParams)


@dataclass(frozen=True)
class Names:
    """Every name the file gives, also to entries that have problems of their own."""

    corpora: frozenset[str]
    encoders: frozenset[str]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Names:
        """Collect the names from the file as read."""
        return cls(_keys(data.get("corpora")), _keys(data.get("encoders")))


def load_params(path: Path = PARAMS_FILE) -> ParamsFile:
    """Load and check the whole file.

    Raises:
        ParamsError: every problem of the file, all at once.
    """
    return check_params(read_yaml(path), path)


def check_params(data: dict[str, Any], path: Path = PARAMS_FILE) -> ParamsFile:
    """Check the file's content (see `load_params`)."""
    lines = list(_name_problems(data))
    data = _with_good_names(data)
    try:
        params = ParamsFile.model_validate(data)
    except ValidationError as error:
        lines += problems(error)
        params = _valid_part(data)
    lines += cross_problems(params, Names.of(data))
    if lines:
        raise problems_error(lines, path)
    return params


def cross_problems(params: ParamsFile, names: Names) -> Iterator[str]:
    """Yield the problems of names that point to other sections."""
    for name, corpus in params.corpora.items():
        yield from _encoder_problems(params, name, corpus, names)
        yield from _fold_problems(name, corpus)
    for film, entry in params.films.items():
        for corpus_name in entry.corpora:
            if corpus_name not in names.corpora:
                yield f"films.{film}.corpora: {corpus_name} is no corpus of this file"
    yield from _subset_problems(params)
    for name, experiment in params.experiments.items():
        yield from _context_problems(name, experiment, params.training)
        if experiment.corpus not in names.corpora:
            yield f"experiments.{name}.corpus: {experiment.corpus} is no corpus of this file"
        elif experiment.corpus in params.corpora:
            yield from _experiment_problems(name, experiment, params.corpora[experiment.corpus])


def _subset_problems(params: ParamsFile) -> Iterator[str]:
    folds = [fold for corpus in params.corpora.values() for fold in corpus.folds]
    known = {film for fold in folds for film in (*fold.test, *fold.validation)} | {*params.films}
    if not params.corpora:
        return
    for film in params.subset.films:
        if film not in known:
            yield f"subset.films: {film} is in no fold and has no copy"


def _name_problems(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names that cannot be part of a stage's or a file's name."""
    for section in NAMED:
        entries = data.get(section)
        for name in entries if isinstance(entries, Mapping) else ():
            if not _is_name(name):
                yield (
                    f"{section}.{name}: {name!r} cannot be a name; "
                    "take letters, digits, - and _, a letter or digit first"
                )


def _with_good_names(data: dict[str, Any]) -> dict[str, Any]:
    return {
        key: {name: entry for name, entry in value.items() if _is_name(name)}
        if key in NAMED and isinstance(value, Mapping)
        else value
        for key, value in data.items()
    }


def _is_name(name: object) -> bool:
    return isinstance(name, str) and NAME.fullmatch(name) is not None


def _valid_part(data: Mapping[str, Any]) -> ParamsFile:
    """Return the entries that are valid by themselves, so that the rest is checked too."""
    parts: dict[str, Any] = {}
    for name, model in (
        ("corpora", CorpusParams),
        ("films", FilmParams),
        ("encoders", EncoderParams),
        ("experiments", ExperimentParams),
    ):
        entries = data.get(name)
        if isinstance(entries, Mapping):
            parts[name] = {key: value for key, value in entries.items() if _valid(model, value)}
    return ParamsFile.model_validate(parts)


def _valid(model: type[Section], value: Any) -> bool:
    try:
        model.model_validate(value)
    except ValidationError:
        return False
    return True


def _keys(value: Any) -> frozenset[str]:
    return frozenset(str(key) for key in value) if isinstance(value, Mapping) else frozenset()


def _encoder_problems(
    params: ParamsFile, name: str, corpus: CorpusParams, names: Names
) -> Iterator[str]:
    for modality, encoder in corpus.encoders.model_dump().items():
        entry = params.encoders.get(encoder)
        if encoder not in names.encoders:
            yield f"corpora.{name}.encoders.{modality}: {encoder} is no encoder of this file"
        elif entry is not None and entry.modality != modality:
            yield f"corpora.{name}.encoders.{modality}: {encoder} is for {entry.modality}"


def _fold_problems(name: str, corpus: CorpusParams) -> Iterator[str]:
    numbers = [fold.fold for fold in corpus.folds]
    if len(set(numbers)) < len(numbers):
        yield f"corpora.{name}.folds: a fold number is given twice"
    for fold in corpus.folds:
        both = set(fold.test) & set(fold.validation)
        if both:
            yield (
                f"corpora.{name}.folds: fold {fold.fold} has {', '.join(sorted(both))} "
                "in test and validation"
            )


def _context_problems(
    name: str, experiment: ExperimentParams, training: TrainingParams
) -> Iterator[str]:
    if not experiment.training.applied_to(training).context:
        return
    key = f"experiments.{name}.training.context"
    if experiment.model not in ESTIMATORS:
        yield f"{key}: only {' and '.join(ESTIMATORS)} see neighbouring segments"
    elif experiment.modalities != ("text",):
        yield f"{key}: neighbouring segments are seen by their text, not {experiment.modalities[0]}"


def _experiment_problems(
    name: str, experiment: ExperimentParams, corpus: CorpusParams
) -> Iterator[str]:
    yield from _task_problems(name, experiment, corpus)
    unknown = set(experiment.folds) - {fold.fold for fold in corpus.folds}
    if unknown:
        yield (
            f"experiments.{name}.folds: {experiment.corpus} has no fold "
            f"{', '.join(str(k) for k in sorted(unknown))}"
        )


def _task_problems(name: str, experiment: ExperimentParams, corpus: CorpusParams) -> Iterator[str]:
    """Yield why a task for segments cannot be asked of a corpus: its concepts are not there.

    Without a thesaurus there is no text either, which no stage would then make.
    """
    task = experiment.task.removeprefix(INTERVALS)
    if not is_segment_task(task):
        return
    key = f"experiments.{name}.task"
    groups: dict[str, tuple[str, ...]] = corpus.concepts.model_dump()
    known = {concept for concepts in groups.values() for concept in concepts}
    concept = task.removeprefix("concept/")
    if not known:
        yield (
            f"{key}: {experiment.task} goes by concepts, and corpus {experiment.corpus} has none; "
            "take shots/<label>, seconds/<measure> or intervals/<label>"
        )
    elif concept != task and concept not in known:
        yield f"{key}: {concept} is no concept of corpus {experiment.corpus}"
