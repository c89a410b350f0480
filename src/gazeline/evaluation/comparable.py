"""Which experiments may be compared with each other, and why others may not. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from gazeline.evaluation.runs import FoldRun, SeedScores


@dataclass(frozen=True)
class Candidate:
    """An experiment's runs, folds in order, and the corpus they are of."""

    experiment: str
    corpus: str
    folds: tuple[FoldRun, ...]

    @property
    def task(self) -> str:
        """Return the task that every fold has."""
        return self.folds[0].task

    @property
    def annotators(self) -> tuple[str, ...]:
        """Return the annotators whose labels are tested on."""
        return tuple(sorted({name for fold in self.folds for name in fold.annotators}))

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Return the (fold, seed) pairs in order."""
        return tuple((fold.fold, seed.seed) for fold in self.folds for seed in fold.seeds)


@dataclass(frozen=True)
class Group:
    """Experiments that answer one question, reduced to the segments that all of them answered.

    `not_shared` counts the test segments that some of them lack and that are left out.
    """

    corpus: str
    task: str
    annotators: tuple[str, ...]
    members: tuple[Candidate, ...]
    not_shared: int


@dataclass(frozen=True)
class NotComparable:
    """Two experiments of one task that are not compared, and why."""

    experiments: tuple[str, str]
    why: str


def why_not(first: Candidate, second: Candidate) -> str | None:
    """Return why two experiments cannot be compared, or None where they can."""
    for name in ("corpus", "task", "annotators"):
        one, other = getattr(first, name), getattr(second, name)
        if one != other:
            label = "test annotators" if name == "annotators" else name
            return f"other {label}: {_shown(one)} against {_shown(other)}"
    return _other_pairs(first, second) or _other_tests(first, second)


def group(candidates: Iterable[Candidate]) -> list[Group]:
    """Return the groups of experiments that are comparable with each other, by name."""
    groups: list[list[Candidate]] = []
    for candidate in sorted(candidates, key=lambda c: c.experiment):
        home = next((g for g in groups if all(why_not(m, candidate) is None for m in g)), None)
        if home is None:
            groups.append([candidate])
        else:
            home.append(candidate)
    return [_on_common_segments(members) for members in groups]


def not_comparable(candidates: Sequence[Candidate]) -> list[NotComparable]:
    """Return the pairs of experiments of one corpus and task that are not compared, and why."""
    ordered = sorted(candidates, key=lambda c: c.experiment)
    found = []
    for first, second in combinations(ordered, 2):
        same = (first.corpus, first.task) == (second.corpus, second.task)
        if same and (why := why_not(first, second)):
            found.append(NotComparable((first.experiment, second.experiment), why))
    return found


def _other_pairs(first: Candidate, second: Candidate) -> str | None:
    if first.pairs == second.pairs:
        return None
    folds = [tuple(fold.fold for fold in c.folds) for c in (first, second)]
    if folds[0] != folds[1]:
        return f"other folds: {_shown(folds[0])} against {_shown(folds[1])}"
    seeds = [tuple(sorted({seed for _, seed in c.pairs})) for c in (first, second)]
    return f"other seeds: {_shown(seeds[0])} against {_shown(seeds[1])}"


def _other_tests(first: Candidate, second: Candidate) -> str | None:
    """Return how the test films or the true classes differ on some fold."""
    for one, other in zip(first.folds, second.folds, strict=True):
        if one.classes != other.classes:
            return f"other classes: {_shown(one.classes)} against {_shown(other.classes)}"
        films = [sorted(set(fold.seeds[0].film_ids)) for fold in (one, other)]
        if films[0] != films[1]:
            return (
                f"other test films on fold {one.fold}: "
                f"{_shown(films[0])} against {_shown(films[1])}"
            )
        true = [_targets(fold.seeds[0]) for fold in (one, other)]
        n_other = sum(true[0][s] != true[1][s] for s in true[0].keys() & true[1].keys())
        if n_other:
            return f"other true classes of {n_other} test segments on fold {one.fold}"
    return None


def _on_common_segments(members: Sequence[Candidate]) -> Group:
    common: list[set[str]] = []
    not_shared = 0
    for folds in zip(*(m.folds for m in members), strict=True):
        answered = [set(fold.seeds[0].segment_ids) for fold in folds]
        common.append(set.intersection(*answered))
        not_shared += len(set.union(*answered)) - len(common[-1])
    first = members[0]
    reduced = tuple(_reduced(m, common) for m in members) if not_shared else tuple(members)
    return Group(first.corpus, first.task, first.annotators, reduced, not_shared)


def _reduced(member: Candidate, common: Sequence[set[str]]) -> Candidate:
    folds = tuple(
        replace(fold, seeds=tuple(_kept(seed, segments) for seed in fold.seeds))
        for fold, segments in zip(member.folds, common, strict=True)
    )
    return replace(member, folds=folds)


def _kept(seed: SeedScores, segments: set[str]) -> SeedScores:
    kept = np.array([name in segments for name in seed.segment_ids], dtype=bool)
    return replace(
        seed,
        segment_ids=seed.segment_ids[kept],
        film_ids=seed.film_ids[kept],
        targets=seed.targets[kept],
        scores=seed.scores[kept],
    )


def _targets(seed: SeedScores) -> dict[str, int]:
    return dict(zip(seed.segment_ids.tolist(), seed.targets.tolist(), strict=True))


def _shown(value: object) -> str:
    return ", ".join(str(v) for v in value) if isinstance(value, list | tuple) else str(value)
