"""Sections `training`, `models` and `experiments`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from gazeline.errors import ParamsError
from gazeline.params.actionformer import ActionFormerParams
from gazeline.params.base import PARAMS_FILE, S, Section, read_yaml, register, validate
from gazeline.params.kinds import INTERVALS, SECONDS, SHOTS, answers, kind_of, measures_of
from gazeline.params.temporal import RidgeParams, TemporalParams

Modality = Literal["video", "text", "audio"]
# late-<model> trains that model on each modality alone and takes the largest probability.
ModelName = Literal[
    "mlp",
    "transformer",
    "perceiver",
    "differential",
    "late-mlp",
    "late-transformer",
    "late-perceiver",
    "logistic",
    "kernel",
    "temporal",
    "ridge",
    "actionformer",
    "actionformer-classes",
]
Optimiser = Literal["adam", "adamw"]
ScheduleName = Literal["constant", "plateau", "warmup", "cosine"]
Balance = Literal["oversample", "resample", "weights", "none"]
LATE = "late-"
Seed = Annotated[int, Field(ge=0, lt=2**31)]
Width = Annotated[int, Field(ge=1, le=65_536)]
Tokens = Annotated[int, Field(ge=1, le=65_536)]
GROUPS = ("visual", "speech", "audio")
# The group of concepts that a modality of features perceives.
GROUP_OF: dict[str, str] = {"video": "visual", "text": "speech", "audio": "audio"}
LEVEL_TASKS = ("hard", "sure", "clear", "levels")
TASKS = (*GROUPS, *LEVEL_TASKS)
# The models that are not trained by epochs, and that can look at neighbouring segments.
ESTIMATORS = ("logistic", "kernel")


@register
class TrainingParams(Section):
    """How a model is fitted (paper A.3)."""

    seeds: tuple[Seed, ...] = Field(default=(0, 1, 2, 3, 4), min_length=1)
    epochs: int = Field(default=100, ge=1)
    patience: int = Field(default=10, ge=1)
    batch_size: int = Field(default=32, ge=2)
    learning_rate: float = Field(default=1e-3, gt=0, le=1)
    weight_decay: float = Field(default=5e-5, ge=0)
    optimiser: Optimiser = "adam"
    schedule: ScheduleName = "plateau"
    schedule_patience: int = Field(default=5, ge=1)
    warmup_share: float = Field(default=0.1, ge=0, lt=1)
    warmup_epochs: int = Field(default=0, ge=0)
    clip: float | None = Field(default=None, gt=0)
    ema: float | None = Field(default=None, gt=0, lt=1)
    balance: Balance = "oversample"
    standardise: bool = True
    context: int = Field(default=0, ge=0, le=2)


@register
class TrainingOverrides(Section):
    """The same keys as `training`, each optional, for one experiment."""

    seeds: tuple[Seed, ...] | None = Field(default=None, min_length=1)
    epochs: int | None = Field(default=None, ge=1)
    patience: int | None = Field(default=None, ge=1)
    batch_size: int | None = Field(default=None, ge=2)
    learning_rate: float | None = Field(default=None, gt=0, le=1)
    weight_decay: float | None = Field(default=None, ge=0)
    optimiser: Optimiser | None = None
    schedule: ScheduleName | None = None
    schedule_patience: int | None = Field(default=None, ge=1)
    warmup_share: float | None = Field(default=None, ge=0, lt=1)
    warmup_epochs: int | None = Field(default=None, ge=0)
    clip: float | None = Field(default=None, gt=0)
    ema: float | None = Field(default=None, gt=0, lt=1)
    balance: Balance | None = None
    standardise: bool | None = None
    context: int | None = Field(default=None, ge=0, le=2)

    def applied_to(self, training: TrainingParams) -> TrainingParams:
        """Return `training` with the keys given here replaced."""
        given = self.model_dump(exclude_none=True)
        return TrainingParams.model_validate({**training.model_dump(), **given})


def _published_max_tokens() -> dict[Modality, int]:
    return {"video": 160, "audio": 15, "text": 512}


class MlpParams(Section):
    """Mean-pooled features, hidden layers with batch norm and dropout."""

    hidden: tuple[Width, ...] = (512, 256)
    dropout: float = Field(default=0.2, ge=0, lt=1)


class TransformerParams(Section):
    """Linear to `width`, a CLS token, `layers` encoder layers, a two-layer head (paper A.4.2)."""

    width: int = Field(default=128, ge=8)
    layers: int = Field(default=2, ge=1)
    heads: int = Field(default=8, ge=1)
    feedforward: int = Field(default=1024, ge=8)
    dropout: float = Field(default=0.1, ge=0, lt=1)
    max_tokens: dict[Modality, Tokens] = Field(default_factory=_published_max_tokens)

    @field_validator("max_tokens")
    @classmethod
    def _other_modalities_as_published(cls, given: dict[Modality, int]) -> dict[Modality, int]:
        return _published_max_tokens() | given

    @model_validator(mode="after")
    def _heads_divide_width(self) -> TransformerParams:
        _check_heads(self.heads, self.width)
        return self


class PerceiverParams(Section):
    """Learned latents read the tokens, attend to each other, and are read by one query.

    The paper does not print its sizes (Sec. 4.5.1); tokens are capped as for the Transformer.
    """

    latents: int = Field(default=32, ge=1)
    width: int = Field(default=128, ge=8)
    layers: int = Field(default=2, ge=1)
    heads: int = Field(default=8, ge=1)
    feedforward: int = Field(default=1024, ge=8)
    dropout: float = Field(default=0.1, ge=0, lt=1)

    @model_validator(mode="after")
    def _heads_divide_width(self) -> PerceiverParams:
        _check_heads(self.heads, self.width)
        return self


class DifferentialParams(Section):
    """Batches of the Differential model, a Transformer otherwise (paper Sec. 4.4.4)."""

    films_per_batch: int = Field(default=2, ge=1)
    segments_per_film: int = Field(default=32, ge=2)


def _check_heads(heads: int, width: int) -> None:
    if width % heads:
        raise ValueError(f"heads {heads} does not divide width {width}")


class LogisticParams(Section):
    """Logistic regression on mean-pooled features and the layout of the segment (scikit-learn)."""

    inverse_penalty: float = Field(default=0.01, gt=0)


class KernelParams(Section):
    """Kernel ridge regression; each scale multiplies a mean squared difference of features."""

    ridge: float = Field(default=4.0, gt=0)
    own_scale: float = Field(default=2.0, gt=0)
    neighbour_scale: float = Field(default=0.6, gt=0)
    landmark_scale: float = Field(default=0.3, gt=0)
    layout_scale: float = Field(default=0.5, gt=0)
    landmarks: int = Field(default=64, ge=0)
    window_tokens: int = Field(default=16, ge=2)


@register
class ModelsParams(Section):
    """Sizes of the models."""

    mlp: MlpParams = Field(default_factory=MlpParams)
    transformer: TransformerParams = Field(default_factory=TransformerParams)
    perceiver: PerceiverParams = Field(default_factory=PerceiverParams)
    differential: DifferentialParams = Field(default_factory=DifferentialParams)
    logistic: LogisticParams = Field(default_factory=LogisticParams)
    kernel: KernelParams = Field(default_factory=KernelParams)
    temporal: TemporalParams = Field(default_factory=TemporalParams)
    ridge: RidgeParams = Field(default_factory=RidgeParams)
    actionformer: ActionFormerParams = Field(default_factory=ActionFormerParams)


def is_segment_task(name: str) -> bool:
    """Whether `name` classifies segments by levels and concepts."""
    by_level, _, kinds = name.partition("/")
    if by_level in LEVEL_TASKS and kinds:
        return set(kinds.split("+")) <= set(GROUPS)
    return name in TASKS or name.startswith("concept/")


class TaskChoice(Section):
    """What an experiment asks of its corpus: the part that the dataset stage depends on."""

    task: str
    modalities: tuple[Modality, ...] = Field(min_length=1)
    positives: Literal["specific", "agnostic"]
    train_annotators: tuple[str, ...] = Field(min_length=1)
    test_annotators: tuple[str, ...] = Field(min_length=1)

    @field_validator("task")
    @classmethod
    def _task_is_known(cls, task: str) -> str:
        if task.startswith(SECONDS):
            measures = measures_of(task)
            if not all(measures) or len(set(measures)) < len(measures):
                raise ValueError("names measures as seconds/valence+arousal, each once")
        elif task.startswith(SHOTS):
            if not task.removeprefix(SHOTS):
                raise ValueError("names a label of segments, as shots/violence")
        elif task.startswith(INTERVALS):
            if not task.removeprefix(INTERVALS):
                raise ValueError("names a label of segments or a task, as intervals/fear")
        elif not is_segment_task(task):
            raise ValueError(
                f"is no task; take one of {', '.join(TASKS)}, concept/<name>, one by levels with "
                "groups of concepts, as hard/visual+speech, or one over time: shots/<label>, "
                "seconds/<measure>+<measure>, intervals/<label or task>"
            )
        return task

    @field_validator("modalities")
    @classmethod
    def _modalities_differ(cls, modalities: tuple[Modality, ...]) -> tuple[Modality, ...]:
        if len(set(modalities)) < len(modalities):
            raise ValueError(f"a modality is given twice: {', '.join(modalities)}")
        return modalities


class ModelChoice(Section):
    """How an experiment answers: the part that the train stage depends on."""

    model: ModelName
    training: TrainingOverrides


@register
class ExperimentParams(ModelChoice, TaskChoice):
    """A task, the modalities and model that solve it, and whose labels count."""

    corpus: str
    folds: tuple[int, ...]

    @model_validator(mode="after")
    def _model_answers_the_task(self) -> ExperimentParams:
        kind = kind_of(self.task)
        if not answers(self.model, kind):
            raise ValueError(f"model {self.model} does not answer {kind} (task {self.task})")
        return self

    @model_validator(mode="after")
    def _text_belongs_to_segments(self) -> ExperimentParams:
        if "text" in self.modalities and self.task.startswith((SHOTS, SECONDS, INTERVALS)):
            raise ValueError(
                f"text is joined to segments, and {self.task} has none; take video, audio or both"
            )
        return self

    @model_validator(mode="after")
    def _late_fusion_has_something_to_fuse(self) -> ExperimentParams:
        if self.model.startswith(LATE) and len(self.modalities) < 2:
            raise ValueError(f"model {self.model} needs two modalities or more")
        if self.model.startswith(LATE) and self.task.startswith("levels"):
            raise ValueError(f"model {self.model} takes the larger probability of two classes")
        return self

    @model_validator(mode="after")
    def _each_part_of_a_late_fusion_has_positives(self) -> ExperimentParams:
        """Check that no part is left without positives of its own modality (paper Sec. 4.5.1)."""
        if not self.model.startswith(LATE) or self.positives == "agnostic":
            return self
        by_level, _, kinds = self.task.partition("/")
        if by_level not in LEVEL_TASKS:
            raise ValueError(
                f"model {self.model} trains each modality on positives of its own, and {self.task} "
                "has those of one modality; take a task by levels, or positives: agnostic"
            )
        lacking = [m for m in self.modalities if kinds and GROUP_OF[m] not in kinds.split("+")]
        if lacking:
            raise ValueError(
                f"model {self.model} trains each modality on positives of its own, and {self.task} "
                f"has none for {' and '.join(lacking)}; leave it out, or take positives: agnostic"
            )
        return self


def load_part(model: type[S], experiment: str, path: Path = PARAMS_FILE) -> S:
    """Load the keys of one part of an experiment and depend on no others.

    Raises:
        ParamsError: the experiment is not there, or every problem of the part.
    """
    entry = read_yaml(path).get("experiments", {}).get(experiment)
    if not isinstance(entry, dict):
        raise ParamsError(f"There is no experiment {experiment}", where=f"{path.name}, experiments")
    part = {name: entry[name] for name in model.model_fields if name in entry}
    return validate(model, part, f"experiments.{experiment}", path)
