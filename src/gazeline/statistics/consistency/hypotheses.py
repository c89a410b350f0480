"""Compare segments with and without a concept: Mann-Whitney, Benjamini-Hochberg, effect sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import false_discovery_control, mannwhitneyu

from gazeline.statistics.annotations import Bools
from gazeline.statistics.consistency.testable import NotTestable, not_testable
from gazeline.statistics.overlaps import Floats

EFFECT_WORDS = ((0.1, "negligible"), (0.3, "small"), (0.5, "medium"))
LARGEST = "large"
P_DIGITS = 6
Metrics = dict[str, Any]


@dataclass(frozen=True)
class Comparison:
    """Two-sided Mann-Whitney test of positives against negatives.

    Attributes:
        difference: mean of the positives minus mean of the negatives.
        effect: rank-biserial correlation 2U/(n₁n₂) - 1, positive where the positives are higher.
        p: two-sided p value.
    """

    n_positive: int
    n_negative: int
    difference: float
    effect: float
    p: float


def compare(
    values: Floats, positive: Bools, concept: str = "the concept", among: str = "values"
) -> Comparison | NotTestable:
    """Compare the values of positives and negatives.

    Args:
        values: finite, shape [n]. positive: shape [n].
        concept, among: words of the reason where one side is empty (see `not_testable`).
    """
    if lacking := not_testable(positive, concept, among):
        return lacking
    high, low = values[positive], values[~positive]
    test = mannwhitneyu(high, low, alternative="two-sided")
    return Comparison(
        n_positive=len(high),
        n_negative=len(low),
        difference=float(high.mean() - low.mean()),
        effect=float(2 * test.statistic / (len(high) * len(low)) - 1),
        p=float(test.pvalue),
    )


def adjusted(p_values: Sequence[float]) -> list[float]:
    """Return the q value of each p value by Benjamini and Hochberg."""
    if not len(p_values):
        return []
    return [float(q) for q in false_discovery_control(p_values, method="bh")]


def effect_word(effect: float) -> str:
    """Name the size of a rank-biserial correlation by its absolute value (paper Sec. 3.2.2).

    >>> [effect_word(r) for r in (0.05, -0.1, 0.3, -0.5)]
    ['negligible', 'small', 'medium', 'large']
    """
    return next((word for limit, word in EFFECT_WORDS if abs(effect) < limit), LARGEST)


def family_metrics(comparisons: Mapping[str, Comparison | NotTestable]) -> Metrics:
    """Return the metrics of a family of tests, its q values adjusted over those that were made.

    What cannot be tested says `undefined: 1` and the `reason` instead.
    """
    defined = {name: c for name, c in comparisons.items() if isinstance(c, Comparison)}
    q_values = dict(zip(defined, adjusted([c.p for c in defined.values()]), strict=True))
    return {
        name: undefined_metrics(c.reason)
        if isinstance(c, NotTestable)
        else _comparison_metrics(c, q_values[name])
        for name, c in comparisons.items()
    }


def undefined_metrics(reason: str) -> Metrics:
    """Return what stands in the metrics where nothing could be tested."""
    return {"undefined": 1, "reason": reason}


def family_counts(family: Metrics, q: float) -> Metrics:
    """Return how many tests of a family could be made and are significant, and why others not."""
    reasons = sorted({entry["reason"] for entry in family.values() if "reason" in entry})
    tested: Metrics = {
        "n_tested": n_tested(family),
        "n_not_testable": len(family) - n_tested(family),
        "n_significant": n_significant(family, q),
    }
    return {**tested, "reason": "; ".join(reasons)} if reasons else tested


def family_words(family: Metrics, q: float) -> str:
    """Say how many of the tests that could be made are significant, and why others were not.

    >>> family_words({"war": {"q": 0.01}, "love": {"q": 0.9}}, 0.05)
    '1 of the 2 tested'
    """
    counts = family_counts(family, q)
    why = f"not testable: {counts['reason']}" if "reason" in counts else ""
    if not counts["n_tested"]:
        return why or "nothing to test"
    found = f"{counts['n_significant']} of the {counts['n_tested']} tested"
    return f"{found} ({counts['n_not_testable']} {why})" if why else found


def n_tested(family: Metrics) -> int:
    """Return how many tests of a family could be made."""
    return sum("q" in entry for entry in family.values())


def n_significant(family: Metrics, q: float) -> int:
    """Return how many tests of a family have a q value below `q`."""
    return sum(entry.get("q", 1.0) < q for entry in family.values())


def _comparison_metrics(comparison: Comparison, q: float) -> Metrics:
    return {
        "n_positive": comparison.n_positive,
        "n_negative": comparison.n_negative,
        "difference": significant_digits(comparison.difference),
        "effect": significant_digits(comparison.effect),
        "effect_size": effect_word(comparison.effect),
        "p": significant_digits(comparison.p),
        "q": significant_digits(q),
    }


def significant_digits(value: float) -> float:
    """Round to six significant digits; p values need them at any size.

    >>> significant_digits(1.23456789e-32)
    1.23457e-32
    """
    return float(f"{np.float64(value):.{P_DIGITS}g}")
