"""What a dataset is made for: an experiment, its corpus and its choices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gazeline.errors import LearningError
from gazeline.params.corpora import ConceptGroups
from gazeline.params.learning import TaskChoice
from gazeline.params.temporal import ScenesParams

MODALITIES = ("video", "text", "audio")
ON_COPY = ("video", "audio")


@dataclass(frozen=True)
class Request:
    """An experiment to list: its corpus and thesaurus, its choices, the films with a copy.

    `scenes` says how films are cut for a task over time.
    """

    experiment: str
    corpus: str
    groups: ConceptGroups
    choice: TaskChoice
    copies: tuple[str, ...]
    scenes: ScenesParams = field(default_factory=ScenesParams)

    @property
    def where(self) -> str:
        """Return the experiment's place in params.yaml, for messages."""
        return f"params.yaml, experiments.{self.experiment}"

    @property
    def on_copy(self) -> tuple[str, ...]:
        """Return the modalities that need a copy of the film."""
        return tuple(m for m in self.choice.modalities if m in ON_COPY)

    def check_annotators(self, known: Iterable[str]) -> None:
        """Check that the annotators chosen are among those known.

        Raises:
            LearningError: one is not.
        """
        there = sorted(set(known))
        for key in ("train_annotators", "test_annotators"):
            unknown = sorted(set(getattr(self.choice, key)) - set(there))
            if unknown:
                raise LearningError(
                    f"{self.corpus} has no annotator {', '.join(unknown)}"
                    + (f" for the task {self.choice.task}" if "/" in self.choice.task else ""),
                    where=f"{self.where}.{key}",
                    todo=f"take of {', '.join(there)}",
                )
