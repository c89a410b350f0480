"""The decision tree that tells two levels apart by their concepts (paper Fig. 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, f1_score
from sklearn.tree import DecisionTreeClassifier, export_text

from gazeline.statistics.annotations import Bools

TRAINING_SPLITS = ("train", "validation")


@dataclass(frozen=True)
class TreeScore:
    """Scores of predictions against the true levels; f1 is that of the positive level."""

    accuracy: float
    f1: float
    weighted_f1: float
    n: int


def fit_tree(concepts: Bools, positive: Bools, seed: int) -> DecisionTreeClassifier:
    """Fit scikit-learn's default tree, fully grown as the paper's is."""
    return DecisionTreeClassifier(random_state=seed).fit(concepts, positive)


def tree_text(
    tree: DecisionTreeClassifier, names: Sequence[str], levels: Sequence[str]
) -> list[str]:
    """Return every rule of the tree as indented lines of text."""
    text: str = export_text(
        tree,
        feature_names=list(names),
        class_names=[levels[int(present)] for present in tree.classes_],
        max_depth=max(tree.get_depth(), 1),
        show_weights=True,
    )
    return text.rstrip("\n").split("\n")


@dataclass(frozen=True)
class Branch:
    """A node of a tree that is cut at a depth.

    Attributes:
        n, share: segments that reach it, and the share of positives among them.
        concept: what it asks for; None where the branch ends.
        without, having: the branches of segments without and with the concept.
    """

    n: int
    share: float
    concept: str | None = None
    without: Branch | None = None
    having: Branch | None = None


def branches(tree: DecisionTreeClassifier, names: Sequence[str], max_depth: int) -> Branch:
    """Return the tree from its root, cut at a depth."""
    grown = tree.tree_

    def branch(node: int, depth: int) -> Branch:
        left, right = int(grown.children_left[node]), int(grown.children_right[node])
        n, share = int(grown.n_node_samples[node]), float(grown.value[node][0][-1])
        if left == right or depth == max_depth:
            return Branch(n, share)
        name = names[int(grown.feature[node])]
        return Branch(n, share, name, branch(left, depth + 1), branch(right, depth + 1))

    return branch(0, 0)


def tree_rules(
    tree: DecisionTreeClassifier, names: Sequence[str], positive_level: str, max_depth: int
) -> list[str]:
    """Return a line per branch, cut at a depth: its rule, its segments, its share of positives.

    A line reads `Look, no Posture: 120 segments, S 71 %`.
    """

    def lines(branch: Branch, conditions: tuple[str, ...]) -> Iterator[str]:
        if branch.without is None or branch.having is None:
            rule = ", ".join(conditions)
            yield f"{rule}: {branch.n} segments, {positive_level} {branch.share:.0%}"
            return
        yield from lines(branch.without, (*conditions, f"no {branch.concept}"))
        yield from lines(branch.having, (*conditions, str(branch.concept)))

    return list(lines(branches(tree, names, max_depth), ()))


def score_in_sample(concepts: Bools, positive: Bools, seed: int) -> TreeScore:
    """Score the tree on the rows it was grown on, as the paper does."""
    return score(positive, fit_tree(concepts, positive, seed).predict(concepts))


def score_out_of_sample(
    concepts: Bools, positive: Bools, films: pd.Series[str], folds: pd.DataFrame, seed: int
) -> TreeScore | None:
    """Score test films by trees grown on the other films, pooled over the folds.

    Returns:
        None where no fold has both levels to grow on and segments to test on.
    """
    truth, predicted = [], []
    for _, fold in folds.groupby("fold"):
        grows = films.isin(fold.loc[fold["split"].isin(TRAINING_SPLITS), "film_id"]).to_numpy()
        tests = films.isin(fold.loc[fold["split"] == "test", "film_id"]).to_numpy()
        if tests.any() and len(np.unique(positive[grows])) == 2:
            tree = fit_tree(concepts[grows], positive[grows], seed)
            truth.append(positive[tests])
            predicted.append(tree.predict(concepts[tests]))
    return score(np.concatenate(truth), np.concatenate(predicted)) if truth else None


def score(truth: Bools, predicted: Bools) -> TreeScore:
    """Return accuracy, F1 and weighted F1; an F1 with nothing to find or found is 0."""
    return TreeScore(
        accuracy=float(accuracy_score(truth, predicted)),
        f1=float(f1_score(truth, predicted, zero_division=0)),
        weighted_f1=float(f1_score(truth, predicted, average="weighted", zero_division=0)),
        n=len(truth),
    )
