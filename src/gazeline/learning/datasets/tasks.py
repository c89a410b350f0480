"""What is to be told apart: from labels and concepts to classes. Pure (paper Sec. 4.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from gazeline.errors import LearningError
from gazeline.params.corpora import ConceptGroups

UNUSED = -1
UNSURE = "NS"
CONCEPT = "concept/"
BINARY = ("negative", "positive")
LEVELS: dict[str, dict[str, int]] = {
    "hard": {"EN": 0, "HN": 1, "S": 1},
    "sure": {"EN": 0, "HN": 0, "S": 1},
    "levels": {"EN": 0, "HN": 1, "S": 2},
}

Positives = Literal["specific", "agnostic"]


@dataclass(frozen=True)
class Task:
    """A task: its class names, and either classes by level or the concepts that are positive.

    `specific` are the concepts of the task itself; with agnostic positives any concept counts.
    """

    name: str
    classes: tuple[str, ...]
    by_level: dict[str, int] | None
    specific: frozenset[str]

    def target(self, label: str, concepts: Collection[str], positives: Positives) -> int:
        """Return the class of a segment, or -1 where the annotator was not sure (NS).

        A segment of a concept task is negative when it lacks the concepts, whatever its level.

        Raises:
            LearningError: the label is no level that the task knows.
        """
        if label == UNSURE:
            return UNUSED
        if self.by_level is not None:
            if label not in self.by_level:
                raise LearningError(f"Task {self.name} knows no level {label!r}")
            return self.by_level[label]
        if positives == "agnostic":
            return int(bool(concepts))
        return int(not self.specific.isdisjoint(concepts))


def make_task(name: str, groups: ConceptGroups) -> Task:
    """Return the task called `name` over the thesaurus `groups`.

    Raises:
        LearningError: the name is no task, or no concept stands behind it.
    """
    if name in LEVELS:
        levels = LEVELS[name]
        classes = BINARY if max(levels.values()) == 1 else tuple(levels)
        return Task(name, classes, levels, frozenset())
    return Task(name, BINARY, None, _concepts(name, groups))


def _concepts(name: str, groups: ConceptGroups) -> frozenset[str]:
    by_modality: dict[str, Sequence[str]] = groups.model_dump()
    if name in by_modality:
        concepts = frozenset(by_modality[name])
        if not concepts:
            raise LearningError(f"Task {name}: the corpus has no {name} concepts")
        return concepts
    concept = name.removeprefix(CONCEPT)
    known = sorted(c for group in by_modality.values() for c in group)
    if name.startswith(CONCEPT) and concept in known:
        return frozenset([concept])
    raise LearningError(
        f"{name} is no task of this corpus",
        todo=f"take {', '.join([*by_modality, *LEVELS])} or {CONCEPT}<one of {', '.join(known)}>",
    )
