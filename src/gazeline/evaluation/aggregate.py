"""Stage `aggregate`: score every run of the plan and gather the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gazeline.evaluation.comparable import Candidate
from gazeline.evaluation.compare import comparisons
from gazeline.evaluation.curves import (
    LEARNING_COLUMNS,
    PRECISION_COLUMNS,
    Row,
    learning_curve,
    precision_at_recalls,
    precision_curve,
    write_rows,
)
from gazeline.evaluation.films import scores_by_film
from gazeline.evaluation.intervals import student_interval
from gazeline.evaluation.over_time.gather import (
    TimedCandidate,
    compare_over_time,
    gather_over_time,
)
from gazeline.evaluation.over_time.runs import TimedRun, kind_of_run, read_timed_run
from gazeline.evaluation.runs import FoldRun, SeedScores, read_fold_run
from gazeline.evaluation.scores import (
    class_scores,
    film_accuracies,
    heterogeneity,
    random_scores,
    run_scores,
)
from gazeline.evaluation.shots import shot_scores
from gazeline.files import write_json
from gazeline.params.kinds import SHOTS

BINARY = ("negative", "positive")
SUMMARY = Path("metrics/summary.json")
COMPARISONS = Path("metrics/comparisons.json")
LEARNING_CURVES = Path("data/plots/learning_curves.csv")
PRECISION_RECALL = Path("data/plots/precision_recall.csv")

Scores = dict[str, float]


@dataclass(frozen=True)
class Gathered:
    """An experiment's figures: its entry of the summary and its rows of both plots."""

    entry: dict[str, Any]
    learning: list[Row]
    precision: list[Row]


@dataclass(frozen=True)
class Figures:
    """What the runs come to: the content of both metrics files and the rows of both plots."""

    summary: dict[str, Any]
    comparisons: dict[str, Any]
    learning: list[Row]
    precision: list[Row]


def aggregate(
    experiments: Mapping[str, str],
    runs: Sequence[tuple[str, int]],
    stamp: Mapping[str, Mapping[str, float]],
    root: Path = Path(),
) -> dict[str, Any]:
    """Write the summary, the comparisons and the plots' tables of the runs (see `score_runs`).

    Returns:
        the summary.
    """
    return write_figures(score_runs(experiments, runs, stamp, root), root)


def write_figures(figures: Figures, root: Path) -> dict[str, Any]:
    """Write the figures and return the summary."""
    write_rows(root / LEARNING_CURVES, LEARNING_COLUMNS, figures.learning)
    write_rows(root / PRECISION_RECALL, PRECISION_COLUMNS, figures.precision)
    write_json(root / COMPARISONS, figures.comparisons)
    write_json(root / SUMMARY, figures.summary)
    return figures.summary


def score_runs(
    experiments: Mapping[str, str],
    runs: Sequence[tuple[str, int]],
    stamp: Mapping[str, Mapping[str, float]],
    root: Path = Path(),
    *,
    missing: Mapping[str, str] | None = None,
) -> Figures:
    """Score the runs that are named, and compare experiments.

    Args:
        experiments: the corpus of every experiment in the plan, by the experiment's id.
        runs: (experiment, fold) of every run to score; nothing else on disk is looked at.
        stamp: what a subset says of itself, merged into the metrics; {} for the whole.
        missing: runs that are not scored and why, by stage; said in the summary.

    Raises:
        LearningError: a run is missing or damaged; the stage to run is named.
    """
    scored = sorted(set(experiments) & {experiment for experiment, _ in runs})
    timed = {name for name in scored if _is_timed(name, runs, root)}
    candidates = [
        Candidate(name, experiments[name], _read_folds(name, runs, root))
        for name in scored
        if name not in timed
    ]
    over_time = [
        TimedCandidate(name, experiments[name], _read_timed(name, runs, root))
        for name in scored
        if name in timed
    ]
    gathered = {c.experiment: gather(c.experiment, c.folds) for c in candidates}
    gathered |= {c.experiment: _gather_timed(c) for c in over_time}
    gathered = dict(sorted(gathered.items()))
    about = {"n_experiments": len(gathered), **stamp}
    return Figures(
        summary={name: item.entry for name, item in gathered.items()}
        | about
        | ({"missing": dict(missing)} if missing else {}),
        comparisons=_comparisons(candidates, over_time) | dict(stamp),
        learning=[row for item in gathered.values() for row in item.learning],
        precision=[row for item in gathered.values() for row in item.precision],
    )


def _is_timed(experiment: str, runs: Sequence[tuple[str, int]], root: Path) -> bool:
    fold = min(fold for name, fold in runs if name == experiment)
    return kind_of_run(experiment, fold, root) != "classification"


def _read_timed(
    experiment: str, runs: Sequence[tuple[str, int]], root: Path
) -> tuple[TimedRun, ...]:
    folds = sorted(fold for name, fold in runs if name == experiment)
    return tuple(read_timed_run(experiment, fold, root) for fold in folds)


def _gather_timed(candidate: TimedCandidate) -> Gathered:
    histories = [h for fold in candidate.folds for h in fold.histories]
    return Gathered(
        gather_over_time(candidate.folds), learning_curve(candidate.experiment, histories), []
    )


def _comparisons(
    candidates: Sequence[Candidate], over_time: Sequence[TimedCandidate]
) -> dict[str, Any]:
    """Return the comparisons of segments and shots, with those over time beside them."""
    found = comparisons(candidates)
    for corpus, entries in compare_over_time(over_time).items():
        found[corpus] = found.get(corpus, {}) | entries
        found["n_comparisons"] += len(entries)
    return found


def _read_folds(
    experiment: str, runs: Sequence[tuple[str, int]], root: Path
) -> tuple[FoldRun, ...]:
    folds = sorted(fold for name, fold in runs if name == experiment)
    return tuple(read_fold_run(experiment, fold, root) for fold in folds)


def gather(experiment: str, folds: Sequence[FoldRun]) -> Gathered:
    """Score the folds and seeds of one experiment."""
    classes = folds[0].classes
    runs = [seed for fold in folds for seed in fold.seeds]
    by_film = [film_accuracies(run.film_ids, run.targets, run.scores) for run in runs]
    shots = folds[0].task.startswith(SHOTS)
    scored = [
        run_scores(run.targets, run.scores, classes)
        | {"heterogeneity": heterogeneity(films)}
        | (shot_scores(run) if shots else {})
        for run, films in zip(runs, by_film, strict=True)
    ]
    entry, undefined = _estimates(scored)
    entry["random"] = _estimates([random_scores(f.seeds[0].targets, classes) for f in folds])[0]
    entry["per_film"] = scores_by_film(runs, classes)
    entry["parameters"] = folds[0].parameters
    entry["n"] = _sizes(folds, classes)
    if undefined:
        entry["undefined"] = undefined
    curves = [curve for run in runs for curve in _precision_curves(run, len(classes))]
    return Gathered(
        entry,
        learning_curve(experiment, [h for fold in folds for h in fold.histories]),
        precision_curve(experiment, curves),
    )


def _estimates(runs: Sequence[Scores]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return mean and interval of every score, and how many of its values are undefined."""
    found = {name: student_interval([run[name] for run in runs]) for name in runs[0]}
    entry: dict[str, Any] = {name: e.to_json() for name, e in found.items() if e.n}
    return entry, {name: e.undefined for name, e in found.items() if e.undefined}


def _sizes(folds: Sequence[FoldRun], classes: tuple[str, ...]) -> dict[str, Any]:
    """Return n: distinct test films and segments, folds, seeds, and segments of each class."""
    first = [fold.seeds[0] for fold in folds]
    target_of = {
        segment: target
        for run in first
        for segment, target in zip(run.segment_ids, run.targets.tolist(), strict=True)
    }
    found = Counter(target_of.values())
    sizes: dict[str, Any] = {
        "films": len({film for run in first for film in run.film_ids}),
        "segments": len(target_of),
        "folds": len(folds),
        "seeds": len({seed.seed for fold in folds for seed in fold.seeds}),
    }
    if classes == BINARY:
        return {**sizes, "positives": found[1]}
    return {**sizes, **{f"of_{name}": found[index] for index, name in enumerate(classes)}}


def _precision_curves(run: SeedScores, n_classes: int) -> list[Any]:
    """Return the curve of the positive class, or of each of several classes."""
    scores = class_scores(run.scores)
    wanted = [1] if n_classes == len(BINARY) else range(n_classes)
    curves = [precision_at_recalls(run.targets == c, scores[:, c]) for c in wanted]
    return [curve for curve in curves if curve is not None]
