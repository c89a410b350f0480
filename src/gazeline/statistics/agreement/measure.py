"""Agreement of the annotators of a corpus on levels, concepts and groups of concepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gazeline.params.statistics import AgreementParams
from gazeline.statistics.agreement.bootstrap import bootstrap_intervals, film_weights
from gazeline.statistics.agreement.distances import (
    UNMATCHED_CONCEPT,
    BestOverlaps,
    EmptySide,
    best_for_concepts,
    best_for_levels,
    f1_distance_of_concepts,
    f1_distance_of_labels,
    matched_distance,
)
from gazeline.statistics.agreement.pairs import Pairs, PairSample, annotation_pairs, sample
from gazeline.statistics.agreement.reliability import COMPARED, no_interval_reason, reliability
from gazeline.statistics.annotations import Annotations
from gazeline.statistics.overlaps import Floats, Overlap, Overlaps, find_overlaps

DIGITS = 6
OVERLAPS: tuple[Overlap, ...] = ("coverage", "iou")
Metrics = dict[str, Any]


@dataclass(frozen=True)
class Item:
    """What two annotators may agree on: the levels, a concept or a group of concepts.

    Attributes:
        kind, name: where it stands in the metrics.
        best: the best overlaps by each rule.
        f1: F1 distances, shape [K, K].
        threshold: the threshold of its headline figures.
        unmatched: distance of a segment that nothing matches.
    """

    kind: str
    name: str
    best: Mapping[Overlap, BestOverlaps]
    f1: Floats
    threshold: float
    unmatched: float

    def distances(self, overlap: Overlap, threshold: float, empty_side: EmptySide) -> Floats:
        """Return the matched-segment distances by one definition, shape [K, K]."""
        return matched_distance(self.best[overlap], threshold, self.unmatched, empty_side)

    def absent_reason(self) -> str | None:
        """Say that nobody annotated it; None where somebody did."""
        return None if len(self.best["coverage"].of) else f"no segment{COMPARED}"


@dataclass(frozen=True)
class Agreement:
    """The metrics and the one-line summary of a corpus."""

    metrics: Metrics
    summary: str


def measure_agreement(annotations: Annotations, params: AgreementParams) -> Agreement:
    """Measure agreement by every definition, threshold and overlap rule.

    `levels | concepts | groups` → name → `coverage | iou` → threshold holds the curves under
    the params' empty-side rule, with the F1 distance beside them. `as_published` (coverage,
    empty sides count 0) and `literal_reading` (intersection over union, empty sides left out)
    hold the headline threshold whatever the params say.

    Raises:
        StatisticsError: a group has some concepts of the corpus and others that it lacks.
    """
    pairs = annotation_pairs(annotations)
    sizes = _sizes(annotations, pairs)
    reason = _no_pairs_reason(annotations, pairs)
    if reason:
        undefined = _undefined("alpha", reason) | _undefined("sigma", reason)
        return Agreement({**sizes, **undefined}, f"no agreement to measure: {reason}")
    groups, left_out = _groups(annotations, params)
    metrics: Metrics = {**sizes, "groups_left_out": len(left_out)}
    weights = film_weights(pairs.n_films, params.bootstrap, params.seed)
    reasons: Counter[str] = Counter()

    def figures(distances: Floats, absent: str | None = None) -> Metrics:
        return _figures(sample(distances, pairs), weights, absent, reasons)

    for item in _items(annotations, params, groups):
        absent = item.absent_reason()
        _put(metrics, (item.kind, item.name), _curves(item, params, figures))
        published = figures(item.distances("coverage", item.threshold, "zero"), absent)
        literal = figures(item.distances("iou", item.threshold, "drop"), absent)
        _put(metrics, ("as_published", item.kind, item.name), published)
        _put(metrics, ("literal_reading", item.kind, item.name), literal)
    metrics["n_undefined"] = reasons.total()
    return Agreement(metrics, _summary(metrics, params, left_out, reasons))


def distance_samples(
    annotations: Annotations, params: AgreementParams
) -> Iterator[tuple[str, str, PairSample]]:
    """Yield (kind, name, observed and expected distances) as published, for plotting."""
    pairs = annotation_pairs(annotations)
    groups, _ = _groups(annotations, params)
    for item in _items(annotations, params, groups):
        distances = item.distances("coverage", item.threshold, "zero")
        yield item.kind, item.name, sample(distances, pairs)


def threshold_key(threshold: float) -> str:
    """Return a key without dots, which DVC would take for nesting.

    >>> threshold_key(0.9), threshold_key(0.125)
    ('at_90', 'at_12_5')
    """
    return f"at_{threshold * 100:g}".replace(".", "_")


def levels_name(levels: Sequence[str]) -> str:
    """Return the name the levels have in the metrics, e.g. EN_HN_S."""
    return "_".join(levels)


def _items(
    annotations: Annotations, params: AgreementParams, groups: Mapping[str, Sequence[str]]
) -> Iterator[Item]:
    overlaps = find_overlaps(annotations)
    yield Item(
        "levels",
        levels_name(params.levels),
        {o: best_for_levels(annotations, overlaps, o, params.levels) for o in OVERLAPS},
        f1_distance_of_labels(annotations),
        params.level_threshold,
        params.unmatched,
    )
    for concept in annotations.concept_names:
        yield _concept_item("concepts", concept, [concept], annotations, overlaps, params)
    for name, concepts in groups.items():
        yield _concept_item("groups", name, concepts, annotations, overlaps, params)


def _concept_item(
    kind: str,
    name: str,
    concepts: Sequence[str],
    annotations: Annotations,
    overlaps: Overlaps,
    params: AgreementParams,
) -> Item:
    return Item(
        kind,
        name,
        {o: best_for_concepts(annotations, overlaps, o, concepts) for o in OVERLAPS},
        f1_distance_of_concepts(annotations, concepts),
        params.concept_threshold,
        UNMATCHED_CONCEPT,
    )


def _curves(
    item: Item, params: AgreementParams, figures: Callable[[Floats, str | None], Metrics]
) -> Metrics:
    thresholds, absent = sorted({*params.thresholds, item.threshold}), item.absent_reason()
    curves: Metrics = {
        overlap: {
            threshold_key(t): figures(item.distances(overlap, t, params.empty_side), absent)
            for t in thresholds
        }
        for overlap in OVERLAPS
    }
    return {**curves, "f1": figures(item.f1, None)}


def _figures(
    distances: PairSample, weights: Floats, absent: str | None, reasons: Counter[str]
) -> Metrics:
    """Return alpha, sigma, their intervals and sizes.

    What is undefined is left out, counted, and has its reason beside the count.

    Args:
        absent: what to say of a figure that is undefined because nobody annotated the item.
    """
    result = reliability(distances)
    figures: Metrics = {"n_observed": result.n_observed, "n_expected": result.n_expected}
    for name, value, reason in (
        ("alpha", result.alpha, result.alpha_reason),
        ("sigma", result.sigma, result.sigma_reason),
    ):
        if value is not None:
            figures[name] = round(value, DIGITS)
        elif reason is not None:
            figures |= _undefined(name, absent or reason)
    reason = result.sigma_reason and (absent or result.sigma_reason)
    if reason:
        reasons[reason] += 1
    return {**figures, **_interval_figures(distances, weights, reason)}


def _interval_figures(distances: PairSample, weights: Floats, reason: str | None) -> Metrics:
    """Return the intervals, or why there are none; nothing where none are asked for.

    Args:
        reason: why a figure that they would be of is not defined.
    """
    if not len(weights):
        return {}
    reason = reason or no_interval_reason(distances)
    if reason:
        return _undefined("interval", reason)
    intervals = bootstrap_intervals(distances, weights)
    if intervals is None:
        return _undefined("interval", "fewer than two resamples of the films are defined")
    figures: Metrics = {}
    for name, (low, high) in (("alpha", intervals.alpha), ("sigma", intervals.sigma)):
        figures[f"{name}_low"] = round(low, DIGITS)
        figures[f"{name}_high"] = round(high, DIGITS)
    return {**figures, "n_resamples": intervals.n_resamples}


def _undefined(name: str, reason: str) -> Metrics:
    """Return the count and the reason that stand where a figure is not defined."""
    return {f"{name}_undefined": 1, f"{name}_reason": reason}


def _groups(
    annotations: Annotations, params: AgreementParams
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the groups this corpus has concepts of, and the names of the others."""
    known = set(annotations.concept_names)
    kept = {name: group for name, group in params.groups.items() if known & set(group)}
    return kept, [name for name in params.groups if name not in kept]


def _sizes(annotations: Annotations, pairs: Pairs) -> Metrics:
    both = np.unique(pairs.film_of[pairs.observed[:, 0]])
    return {
        "n_films": pairs.n_films,
        "n_films_with_one_annotator": pairs.n_films - len(both),
        "n_annotators": len(set(annotations.annotators)),
        "n_segments": len(annotations.of),
        "n_observed": len(pairs.observed),
        "n_expected": len(pairs.expected),
    }


def _no_pairs_reason(annotations: Annotations, pairs: Pairs) -> str | None:
    if len(set(annotations.annotators)) < 2:
        return f"{len(set(annotations.annotators))} annotator in {pairs.n_films} films"
    if not len(pairs.observed):
        return "no film has two annotators"
    if not len(pairs.expected):
        return "one film, so nothing to tell agreement from chance"
    return None


def _put(metrics: Metrics, path: Sequence[str], value: Metrics) -> None:
    for key in path[:-1]:
        metrics = metrics.setdefault(key, {})
    metrics[path[-1]] = value


def _summary(
    metrics: Metrics, params: AgreementParams, left_out: Sequence[str], reasons: Counter[str]
) -> str:
    name = levels_name(params.levels)
    parts = [
        f"{metrics['n_observed']} pairs of annotations over {metrics['n_films']} films",
        f"levels as published: {_words(metrics['as_published']['levels'][name])}",
        f"read literally: {_words(metrics['literal_reading']['levels'][name])}",
    ]
    if left_out:
        parts.append(f"no concept of the groups {', '.join(left_out)} here")
    for reason, count in sorted(reasons.items()):
        parts.append(f"{count} figures undefined: {reason}")
    return ", ".join(parts)


def _words(figures: Metrics) -> str:
    return ", ".join(
        f"{name} {figures[name]:.3f}" if name in figures else f"{name} undefined"
        for name in ("alpha", "sigma")
    )
