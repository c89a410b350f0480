"""The significance table as `gazeline summary` shows it."""

from __future__ import annotations

from gazeline.commands.comparison_rows import apart_rows, comparison_rows
from gazeline.commands.summary_rows import undefined_scores

FOUND = {
    "n_comparisons": 1,
    "subset": {"films": 2, "share": 1.0},
    "sample": {
        "speech on annotator1": {
            "significance": {
                "ap_macro": {
                    "a vs b": {
                        "difference": -0.0213,
                        "d": -1.3,
                        "p": 0.01,
                        "p_holm": 0.02,
                        "p_folds": 0.2,
                        "n": 25,
                    },
                    "a vs random": {"difference": 0.2, "p": 1e-9, "p_holm": 3e-9, "n": 25},
                }
            }
        }
    },
    "not_comparable": [{"experiments": ["a", "c"], "why": "other seeds: 0 against 1"}],
}


def test_rows_say_difference_p_effect_and_n():
    first, second = comparison_rows(FOUND)
    assert first == (
        "sample",
        "speech on annotator1",
        "a vs b",
        "-0.021",
        "0.020",
        "0.200",
        "-1.30",
        "very large",
        "25",
    )
    assert second[4:8] == ("< .001", "–", "–", "–")


def test_what_is_not_compared_is_shown_with_the_reason():
    assert apart_rows(FOUND) == [("a and c", "other seeds: 0 against 1")]
    assert comparison_rows({"n_comparisons": 0}) == []


def test_undefined_scores_are_counted_per_experiment():
    summary = {"a": {"n": {}, "undefined": {"ap_macro": 2, "ap_positive": 2}}, "n_experiments": 1}
    assert undefined_scores(summary) == {"a": 4}
