"""The entry of an experiment over time in the summary, and its comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gazeline.evaluation.compare import compare_columns
from gazeline.evaluation.intervals import student_interval
from gazeline.evaluation.over_time.runs import TimedRun
from gazeline.evaluation.over_time.scored import ScoredSeed, Scores
from gazeline.evaluation.scores import Floats

# The scores that are compared between experiments, and the baseline they are compared with.
COMPARED = {
    "regression": ("mse", "pearson", "pooled_mse", "pooled_pearson"),
    "detection": ("map", "recall_1", "iou", "pooled_iou"),
}
BASELINE = {"regression": "mean_of_train", "detection": "all"}


@dataclass(frozen=True)
class TimedCandidate:
    """The runs of an experiment over time, folds in order, and the corpus they are of."""

    experiment: str
    corpus: str
    folds: tuple[TimedRun, ...]

    @property
    def seeds(self) -> list[ScoredSeed]:
        """Return every seed of every fold, in order."""
        return [seed for fold in self.folds for seed in fold.seeds]

    @property
    def question(self) -> tuple[Any, ...]:
        """Return what must be the same for two experiments to be compared."""
        pairs = tuple((s.fold, s.seed) for s in self.seeds)
        tested = tuple(
            (s.fold, tuple(sorted(s.films)), tuple(sorted(s.sizes.items()))) for s in self.seeds
        )
        return self.corpus, self.folds[0].task, self.folds[0].classes, pairs, tested


def gather_over_time(folds: Sequence[TimedRun]) -> dict[str, Any]:
    """Return the summary's entry: scores with intervals, by film, baselines, n."""
    seeds = [seed for fold in folds for seed in fold.seeds]
    entry, undefined = _estimates([seed.scores for seed in seeds])
    first = [fold.seeds[0] for fold in folds]
    for name in first[0].baselines:
        entry[name] = _estimates([seed.baselines[name] for seed in first])[0]
    entry["kind"] = folds[0].kind
    entry["per_film"] = _by_film(seeds)
    entry["parameters"] = folds[0].parameters
    entry["n"] = _sizes(folds)
    return entry | ({"undefined": undefined} if undefined else {})


def compare_over_time(candidates: Sequence[TimedCandidate]) -> dict[str, Any]:
    """Return the comparisons by corpus and task, of experiments that answer the same."""
    groups: dict[tuple[Any, ...], list[TimedCandidate]] = {}
    for candidate in sorted(candidates, key=lambda c: c.experiment):
        groups.setdefault(candidate.question, []).append(candidate)
    found: dict[str, Any] = {}
    for members in groups.values():
        entries = found.setdefault(members[0].corpus, {})
        name, number = members[0].folds[0].task, 1
        while name in entries:
            number += 1
            name = f"{members[0].folds[0].task} ({number})"
        entries[name] = _compare(members)
    return found


def _compare(members: Sequence[TimedCandidate]) -> dict[str, Any]:
    kind = members[0].folds[0].kind
    baseline = BASELINE[kind]
    columns = {m.experiment: _columns([s.scores for s in m.seeds]) for m in members}
    guesses = _columns([s.baselines[baseline] for s in members[0].seeds])
    folds = np.array([seed.fold for seed in members[0].seeds])
    names = [n for n in COMPARED[kind] if n in guesses]
    sizes = {"models": len(members), "pairs": len(folds), **_sizes(members[0].folds)}
    return compare_columns(columns, guesses, folds, names, baseline) | {"n": sizes}


def _columns(scores: Sequence[Scores]) -> dict[str, Floats]:
    return {name: np.array([each[name] for each in scores]) for name in scores[0]}


def _estimates(runs: Sequence[Scores]) -> tuple[dict[str, Any], dict[str, int]]:
    found = {name: student_interval([run[name] for run in runs]) for name in runs[0]}
    return (
        {name: estimate.to_json() for name, estimate in found.items() if estimate.n},
        {name: estimate.undefined for name, estimate in found.items() if estimate.undefined},
    )


def _by_film(seeds: Sequence[ScoredSeed]) -> dict[str, dict[str, float]]:
    found: dict[str, list[Scores]] = {}
    for seed in seeds:
        for film, scores in seed.films.items():
            found.setdefault(film, []).append(scores)
    return {film: _means(runs) for film, runs in sorted(found.items())}


def _means(runs: Sequence[Scores]) -> dict[str, float]:
    values = {name: [r[name] for r in runs if math.isfinite(r[name])] for name in runs[0]}
    return {name: float(np.mean(of)) for name, of in values.items() if of}


def _sizes(folds: Sequence[TimedRun]) -> dict[str, int]:
    films = {film for fold in folds for film in fold.seeds[0].films}
    counted = {
        name: sum(fold.seeds[0].sizes[name] for fold in folds)
        for name in folds[0].seeds[0].sizes
        if name != "films"
    }
    seeds = {seed.seed for fold in folds for seed in fold.seeds}
    return {"films": len(films), **counted, "folds": len(folds), "seeds": len(seeds)}
