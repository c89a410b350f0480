"""Compare the experiments of one question: adjusted intervals, effects and their significance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from gazeline.evaluation.comparable import Candidate, Group, group, not_comparable
from gazeline.evaluation.paired import (
    Adjusted,
    PairedTest,
    adjusted_intervals,
    cohens_d,
    holm,
    paired_test,
)
from gazeline.evaluation.scores import (
    Floats,
    film_accuracies,
    heterogeneity,
    random_scores,
    run_scores,
)

RANDOM = "random"
BESIDE_AP = ("trapezoid_macro", "accuracy", "f1_macro", "heterogeneity")


@dataclass(frozen=True)
class Row:
    """One line of a significance table: `first` minus `second` on the pairs where both have it."""

    first: str
    second: str
    test: PairedTest
    p_folds: float
    d: float

    def to_json(self, p_holm: float) -> dict[str, float]:
        """Return the numbers there are; metrics files hold no null."""
        numbers = {
            "difference": self.test.difference,
            "d": self.d,
            "t": self.test.t,
            "p": self.test.p,
            "p_holm": p_holm,
            "p_folds": self.p_folds,
        }
        defined = {name: value for name, value in numbers.items() if math.isfinite(value)}
        return {**defined, "n": self.test.n}


def comparisons(candidates: Sequence[Candidate]) -> dict[str, Any]:
    """Return the content of `metrics/comparisons.json`.

    Returns:
        by corpus, then by task and test annotators: adjusted intervals per model, significance
        per score. Lists, which DVC does not compare, say who was left apart and why.
    """
    found: dict[str, Any] = {"n_comparisons": 0}
    for item in group(candidates):
        entries = found.setdefault(item.corpus, {})
        name = base = f"{item.task} on {'+'.join(item.annotators)}"
        number = 1
        while name in entries:
            number += 1
            name = f"{base} ({number})"
        entries[name] = compare(item)
        found["n_comparisons"] += 1
    apart = [
        {"experiments": list(item.experiments), "why": item.why}
        for item in not_comparable(candidates)
    ]
    return found | ({"not_comparable": apart} if apart else {})


def compare(item: Group) -> dict[str, Any]:
    """Return the adjusted intervals and the significance tables of one group.

    A single model is compared with guessing alone, as in the paper's Table 9.
    """
    columns = {member.experiment: _columns(member) for member in item.members}
    guesses = _guesses(item.members[0])
    scores = [name for name in next(iter(columns.values())) if _is_compared(name)]
    folds = np.array([fold for fold, _ in item.members[0].pairs])
    return compare_columns(columns, guesses, folds, scores, RANDOM) | {"n": _sizes(item)}


def compare_columns(
    columns: Mapping[str, Mapping[str, Floats]],
    guesses: Mapping[str, Floats],
    folds: Any,
    scores: Sequence[str],
    baseline: str,
) -> dict[str, Any]:
    """Return adjusted intervals and significance tables of models, and of a baseline beside them.

    Args:
        columns: by model and score, a value per (fold, seed) pair.
        guesses: the same of the baseline, by score.
        folds: the fold of each pair.
        scores: names of the scores to compare.
        baseline: what the baseline is called.
    """
    models: dict[str, Any] = {}
    errors: dict[str, Any] = {}
    significance: dict[str, Any] = {}
    for name in scores:
        values = {experiment: c[name] for experiment, c in columns.items()}
        guess = guesses.get(name)
        table, names = _adjusted(values, guess, baseline)
        if table is not None:
            for experiment, mean in zip(names, table.means, strict=True):
                models.setdefault(experiment, {})[name] = _interval(mean, table.half_width)
            errors[name] = {"ms": table.ms_error, "df": table.df_error, "n": table.n}
        if rows := _significance(values, guess, folds, baseline):
            significance[name] = rows
    entry = {"models": models, "error": errors, "significance": significance}
    return {key: value for key, value in entry.items() if value}


def _columns(member: Candidate) -> dict[str, Floats]:
    """Return every score of a model, one value a (fold, seed) pair."""
    found: dict[str, list[float]] = {}
    for fold in member.folds:
        for seed in fold.seeds:
            scores = run_scores(seed.targets, seed.scores, fold.classes)
            films = film_accuracies(seed.film_ids, seed.targets, seed.scores)
            for name, value in {**scores, "heterogeneity": heterogeneity(films)}.items():
                found.setdefault(name, []).append(value)
    return {name: np.array(values) for name, values in found.items()}


def _guesses(member: Candidate) -> dict[str, Floats]:
    found: dict[str, list[float]] = {}
    for fold in member.folds:
        for seed in fold.seeds:
            for name, value in random_scores(seed.targets, fold.classes).items():
                found.setdefault(name, []).append(value)
    return {name: np.array(values) for name, values in found.items()}


def _is_compared(name: str) -> bool:
    return name.startswith("ap_") or name in BESIDE_AP


def _adjusted(
    values: dict[str, Floats], guess: Floats | None, baseline: str
) -> tuple[Adjusted | None, tuple[str, ...]]:
    """Return the intervals of the models, or of the only model and of guessing."""
    if len(values) == 1 and guess is not None:
        values = {**values, baseline: guess}
    table = _finite_rows(list(values.values()))
    if len(values) < 2 or len(table) < 2:
        return None, ()
    return adjusted_intervals(table), tuple(values)


def _significance(
    values: dict[str, Floats], guess: Floats | None, folds: Any, baseline: str
) -> dict[str, dict[str, float]]:
    pooled = _finite_rows(list(values.values()))
    table = adjusted_intervals(pooled) if len(values) > 1 and len(pooled) > 1 else None
    names = tuple(values)
    rows = []
    for first, second in combinations(names, 2):
        pair = names.index(first), names.index(second)
        rows.append(_row((first, second), (values[first], values[second]), folds, table, pair))
    if guess is not None:
        for name in names:
            both = _finite_rows([values[name], guess])
            own = adjusted_intervals(both) if len(both) > 1 else None
            rows.append(_row((name, baseline), (values[name], guess), folds, own, (0, 1)))
    rows = [row for row in rows if row.test.n]
    corrected = holm([row.test.p for row in rows])
    return {
        f"{row.first} vs {row.second}": row.to_json(p)
        for row, p in zip(rows, corrected, strict=True)
    }


def _row(
    names: tuple[str, str],
    values: tuple[Floats, Floats],
    folds: Any,
    table: Adjusted | None,
    places: tuple[int, int],
) -> Row:
    finite = np.isfinite(values[0]) & np.isfinite(values[1])
    first, second, folds = values[0][finite], values[1][finite], folds[finite]
    means = [
        np.array([column[folds == fold].mean() for fold in np.unique(folds)])
        for column in (first, second)
    ]
    d = cohens_d(table, *places) if table is not None else math.nan
    return Row(*names, paired_test(first, second), paired_test(means[0], means[1]).p, d)


def _finite_rows(columns: Sequence[Floats]) -> Floats:
    table: Floats = np.column_stack(columns)
    kept: Floats = table[np.isfinite(table).all(axis=1)]
    return kept


def _interval(mean: float, half: float) -> dict[str, float]:
    return {"mean": mean, "low": mean - half, "high": mean + half}


def _sizes(item: Group) -> dict[str, int]:
    first = item.members[0]
    tested = {s for fold in first.folds for s in fold.seeds[0].segment_ids}
    films = {f for fold in first.folds for f in fold.seeds[0].film_ids}
    sizes = {
        "models": len(item.members),
        "pairs": len(first.pairs),
        "folds": len(first.folds),
        "films": len(films),
        "segments": len(tested),
    }
    return sizes | ({"not_shared": item.not_shared} if item.not_shared else {})
