"""What is to be told apart: from labels and concepts to classes. Pure (paper Sec. 4.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
# The group of concepts that a modality of features perceives.
GROUP_OF = {"video": "visual", "text": "speech", "audio": "audio"}

Positives = Literal["specific", "agnostic"]


@dataclass(frozen=True)
class Task:
    """A task: its class names, and either classes by level or the concepts that are positive.

    `specific` are the concepts that a specific positive has one of: those of the task itself, or,
    where classes go by level, those of the experiment's modalities (paper A.4.5).
    """

    name: str
    classes: tuple[str, ...]
    by_level: dict[str, int] | None
    specific: frozenset[str]

    def target(self, label: str, concepts: Collection[str], positives: Positives) -> int:
        """Return the class of a segment, or -1 where the annotator was not sure (NS).

        Lacking the specific concepts, a segment is negative, whatever its level. Agnostic positives
        have any concept in a concept task, and only their level counts in the others.

        Raises:
            LearningError: the label is no level that the task knows.
        """
        if label == UNSURE:
            return UNUSED
        if self.by_level is not None:
            if label not in self.by_level:
                raise LearningError(f"Task {self.name} knows no level {label!r}")
            level = self.by_level[label]
            return level if positives == "agnostic" or self._has_specific(concepts) else 0
        if positives == "agnostic":
            return int(bool(concepts))
        return int(self._has_specific(concepts))

    def _has_specific(self, concepts: Collection[str]) -> bool:
        return not self.specific.isdisjoint(concepts)


def make_task(name: str, groups: ConceptGroups, modalities: Iterable[str]) -> Task:
    """Return the task called `name` over the thesaurus `groups`, for models of `modalities`.

    A task by levels may name the groups whose concepts its positives have, `hard/visual+speech`, so
    that models of different modalities answer the same question (paper Sec. 4.4.2).

    Raises:
        LearningError: the name is no task, or no concept stands behind it.
    """
    by_level, _, kinds = name.partition("/")
    if by_level in LEVELS:
        levels = LEVELS[by_level]
        classes = BINARY if max(levels.values()) == 1 else tuple(levels)
        wanted = kinds.split("+") if kinds else [GROUP_OF[modality] for modality in modalities]
        return Task(name, classes, levels, _perceived(name, groups, wanted))
    return Task(name, BINARY, None, _concepts(name, groups))


def _perceived(name: str, groups: ConceptGroups, kinds: Sequence[str]) -> frozenset[str]:
    """Return the concepts of any of the groups."""
    by_modality: dict[str, Sequence[str]] = groups.model_dump()
    unknown = sorted(set(kinds) - by_modality.keys())
    if unknown:
        raise LearningError(
            f"Task {name}: {', '.join(unknown)} is no group of concepts",
            todo=f"take some of {', '.join(by_modality)}",
        )
    concepts = frozenset(concept for kind in kinds for concept in by_modality[kind])
    if not concepts:
        raise LearningError(f"Task {name}: the corpus has no {' or '.join(kinds)} concepts")
    return concepts


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
