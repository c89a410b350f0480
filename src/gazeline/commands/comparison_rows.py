"""The comparisons of experiments as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

HEADER = (
    "corpus",
    "task and test labels",
    "experiments",
    "difference",
    "p (Holm)",
    "p over folds",
    "Cohen's d",
    "effect",
    "n",
)
ABSENT = "–"
SCORE = "ap_macro"
# Sawilowsky (2009), as the paper: from this |d| on, the effect has this name.
EFFECTS = (
    (2.0, "huge"),
    (1.2, "very large"),
    (0.8, "large"),
    (0.5, "medium"),
    (0.2, "small"),
    (0.0, "very small"),
)


def comparison_rows(found: Mapping[str, Any], score: str = SCORE) -> list[tuple[str, ...]]:
    """Return a row per pair of compared experiments of `metrics/comparisons.json`."""
    return [
        (
            corpus,
            question,
            pair,
            f"{row['difference']:+.3f}",
            _p(row.get("p_holm")),
            _p(row.get("p_folds")),
            ABSENT if "d" not in row else f"{row['d']:.2f}",
            ABSENT if "d" not in row else effect_word(row["d"]),
            str(row["n"]),
        )
        for corpus, question, entry in _groups(found)
        for pair, row in entry.get("significance", {}).get(score, {}).items()
    ]


def apart_rows(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the pairs of one task that are not compared, and why."""
    return [
        (" and ".join(item["experiments"]), item["why"]) for item in found.get("not_comparable", ())
    ]


def _groups(found: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for corpus, questions in found.items():
        if isinstance(questions, Mapping):
            for question, entry in questions.items():
                if isinstance(entry, Mapping):
                    yield corpus, question, entry


def _p(value: float | None) -> str:
    if value is None:
        return ABSENT
    return "< .001" if value < 0.001 else f"{value:.3f}"


def effect_word(d: float) -> str:
    """Return the name of an effect of size |d|.

    >>> effect_word(-0.9), effect_word(0.1)
    ('large', 'very small')
    """
    return next(word for least, word in EFFECTS if abs(d) >= least)
