"""What the annotations of a corpus are like: levels, concepts, what goes with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any, get_args

import pandas as pd

from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import DescriptionParams
from gazeline.statistics.annotations import Bools, concept_matrix
from gazeline.statistics.description.components import Components, Scaling, principal_components
from gazeline.statistics.description.concepts import (
    concept_counts,
    correlations,
    mean_concepts,
    modality_counts,
    used,
)
from gazeline.statistics.description.shares import (
    films_by_genre,
    hours_of_film,
    level_shares,
    positive_shares,
    shares_by,
    shares_by_genre,
)
from gazeline.statistics.description.tree import (
    Branch,
    TreeScore,
    branches,
    fit_tree,
    score_in_sample,
    score_out_of_sample,
    tree_rules,
)

DIGITS = 6
RULES_DEPTH = 4
FIGURE_DEPTH = 3
TOO_FEW = "fewer than two concepts are on some segments, not on all"
NO_NAMES = "the corpus has no concepts"
UNUSED = "a concept on no segment or on all goes with nothing"
Metrics = dict[str, Any]


@dataclass(frozen=True)
class Description:
    """The metrics and the one-line summary of a corpus.

    Attributes:
        tree: the tree cut at a depth that can be read; None where there is none.
    """

    metrics: Metrics
    summary: str
    tree: Branch | None = None


def describe(
    segments: pd.DataFrame,
    films: pd.DataFrame,
    folds: pd.DataFrame,
    groups: ConceptGroups,
    params: DescriptionParams,
) -> Description:
    """Describe the `segments` of a corpus (tables as `ingest` writes them).

    What is not defined is left out of the metrics, with a count beside it and a reason in the
    summary.
    """
    segments = segments.reset_index(drop=True)
    if segments.empty:
        return Description({"n_segments": 0, "n_films": 0}, "no segments to describe")
    modalities = {name: names for name, names in groups.model_dump().items() if names}
    names = tuple(name for group in modalities.values() for name in group)
    concepts = concept_matrix(segments, names)
    by_level = concept_counts(segments["label"], concepts, names)
    unused = [name for name, varies in zip(names, used(concepts), strict=True) if not varies]
    positives = positive_shares(segments, params.positive_levels, params.negative_levels)
    tree, root, reason = _tree(segments, concepts, names, folds, params)
    metrics: Metrics = {
        **_sizes(segments),
        "genres": films_by_genre(segments, films),
        "levels": _levels(segments, films),
        "positives": positives,
        **_left_out(segments, positives, params),
        "concepts": {
            "by_annotator": concept_counts(segments["annotator"], concepts, names),
            "by_level": by_level,
            "mean_by_level": mean_concepts(segments),
            "correlation": correlations(concepts, names),
            "n_without_correlation": len(unused),
            **({"correlation_reason": UNUSED} if unused else {}),
        },
        "modalities": modality_counts(by_level, modalities),
        "components": _components(segments, concepts, names, len(groups.visual), params),
        "tree": tree,
    }
    return Description(metrics, _summary(metrics, unused, reason), root)


def _sizes(segments: pd.DataFrame) -> Metrics:
    return {
        "n_segments": len(segments),
        "n_films": int(segments["film_id"].nunique()),
        "n_annotators": int(segments["annotator"].nunique()),
        "hours_of_film": round(hours_of_film(segments), DIGITS),
    }


def _levels(segments: pd.DataFrame, films: pd.DataFrame) -> Metrics:
    return {
        "all": level_shares(segments),
        "by_annotator": shares_by(segments, "annotator"),
        "by_film": shares_by(segments, "film_id"),
        "by_genre": shares_by_genre(segments, films),
    }


def _left_out(segments: pd.DataFrame, positives: Metrics, params: DescriptionParams) -> Metrics:
    """Count the annotations that have no fraction of positives, and say why; {} without any."""
    annotations = segments.groupby(["annotator", "film_id"]).ngroups
    n = annotations - sum(len(by_film) for by_film in positives.values())
    levels = ", ".join([*params.positive_levels, *params.negative_levels])
    reason = f"a film annotated with none of {levels} has no fraction of positives"
    return {"positives_undefined": n, "positives_reason": reason} if n else {}


def _components(
    segments: pd.DataFrame,
    concepts: Bools,
    names: Sequence[str],
    n_visual: int,
    params: DescriptionParams,
) -> Metrics:
    """Return concepts → scaling → rows → components; concepts stand in the order visual first."""
    without = ~segments["label"].isin(params.negative_levels).to_numpy()
    rows = {"all_rows": concepts, f"without_{'_'.join(params.negative_levels)}": concepts[without]}
    columns = {"visual_concepts": n_visual, "all_concepts": len(names)}
    metrics: Metrics = {}
    for (kind, n), scaling, (which, taken) in product(
        columns.items(), get_args(Scaling), rows.items()
    ):
        found = principal_components(taken[:, :n], names[:n], scaling)
        metrics.setdefault(kind, {}).setdefault(scaling, {})[which] = _component_metrics(found)
    return metrics


def _component_metrics(components: Components | None) -> Metrics:
    if components is None:
        return {
            "undefined": 1,
            "reason": "fewer than two concepts are on some segments, not on all",
        }
    return {
        f"PC{i + 1}": {
            "explained": round(float(components.explained[i]), DIGITS),
            "loadings": {
                name: round(float(value), DIGITS)
                for name, value in zip(components.names, components.loadings[i], strict=True)
            },
        }
        for i in range(len(components.explained))
    }


def _tree(
    segments: pd.DataFrame,
    concepts: Bools,
    names: Sequence[str],
    folds: pd.DataFrame,
    params: DescriptionParams,
) -> tuple[Metrics, Branch | None, str | None]:
    """Return the scores and rules of the tree, its top, and why something is not there."""
    rows = segments["label"].isin(params.tree_levels).to_numpy()
    positive = (segments["label"] == params.tree_levels[1]).to_numpy()[rows]
    if positive.all() or not positive.any() or not names:
        reason = f"not both of {' and '.join(params.tree_levels)} are there" if names else NO_NAMES
        undefined = _undefined("in_sample", reason) | _undefined("out_of_sample", reason)
        return undefined, None, f"no tree: {reason}"
    concepts, seed = concepts[rows], params.tree_seed
    tree = fit_tree(concepts, positive, seed)
    metrics: Metrics = {
        "in_sample": _score_metrics(score_in_sample(concepts, positive, seed)),
        "depth": int(tree.get_depth()),
        "n_leaves": int(tree.get_n_leaves()),
        "rules": tree_rules(tree, names, params.tree_levels[1], RULES_DEPTH),
    }
    root = branches(tree, names, FIGURE_DEPTH)
    beyond = score_out_of_sample(concepts, positive, segments.loc[rows, "film_id"], folds, seed)
    if beyond is None:
        reason = "no fold to test the tree on"
        return {**metrics, **_undefined("out_of_sample", reason)}, root, reason
    return {**metrics, "out_of_sample": _score_metrics(beyond)}, root, None


def _undefined(name: str, reason: str) -> Metrics:
    """Return the count and the reason that stand where a figure is not defined."""
    return {f"{name}_undefined": 1, f"{name}_reason": reason}


def _score_metrics(score: TreeScore) -> Metrics:
    return {key: round(value, DIGITS) for key, value in asdict(score).items()}


def _summary(metrics: Metrics, unused: Sequence[str], reason: str | None) -> str:
    levels = ", ".join(f"{k} {v['share']:.1%}" for k, v in metrics["levels"]["all"].items())
    parts = [
        f"{metrics['n_segments']} segments, {metrics['hours_of_film']:.1f} h of film ({levels})"
    ]
    if unused:
        parts.append(f"no correlation of {', '.join(unused)}: on no segment or on all")
    return "; ".join([*parts, *([reason] if reason else [])])
