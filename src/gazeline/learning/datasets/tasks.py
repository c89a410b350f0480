"""What is to be told apart: from labels and concepts to classes. Pure (paper Sec. 4.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gazeline.errors import LearningError
from gazeline.params.corpora import ConceptGroups
from gazeline.params.learning import GROUP_OF

UNUSED = -1
UNSURE = "NS"
CONCEPT = "concept/"
BINARY = ("negative", "positive")
LEVELS: dict[str, dict[str, int]] = {
    "hard": {"EN": 0, "HN": 1, "S": 1},
    "sure": {"EN": 0, "HN": 0, "S": 1},
    "clear": {"EN": 0, "HN": -1, "S": 1},
    "levels": {"EN": 0, "HN": 1, "S": 2},
}

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
        """Return the class of a segment, or -1 where it has none.

        It has none where the annotator was not sure (NS), or at a level that the task leaves out.

        A positive has one of the specific concepts, an agnostic one any concept (CMAD, Sec. 4.5.1);
        without, a segment is negative, whatever its level.

        Raises:
            LearningError: the label is no level that the task knows.
        """
        if label == UNSURE:
            return UNUSED
        agnostic = positives == "agnostic"
        present = bool(concepts) if agnostic else not self.specific.isdisjoint(concepts)
        if self.by_level is None:
            return int(present)
        if label not in self.by_level:
            raise LearningError(f"Task {self.name} knows no level {label!r}")
        return self.by_level[label] if present or self.by_level[label] == UNUSED else 0


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


def make_part_task(name: str, groups: ConceptGroups, modality: str) -> Task:
    """Return the task as a model of one modality learns it in a late fusion.

    Its specific positives have a concept of the task that this modality perceives, of which there
    may be none (paper Sec. 4.5.1).
    """
    task = make_task(name, groups, [modality])
    own: Sequence[str] = groups.model_dump()[GROUP_OF[modality]]
    return replace(task, specific=task.specific.intersection(own))


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
