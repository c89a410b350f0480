"""Chance is the mean over folds of the classes' shares on the test films."""

from __future__ import annotations

import pytest

from gazeline.evaluation.chance import chance
from gazeline.evaluation.published import load_published
from gazeline.evaluation.setting import papers_corpus
from gazeline.learning.datasets.tasks import make_task


def segment(film, label, concepts=(), annotator="annotator2"):
    return {"film_id": film, "annotator": annotator, "label": label, "concepts": list(concepts)}


def test_shares_are_averaged_over_folds_and_the_unsure_left_out():
    segments = [
        segment("a", "S", ["Body"]),
        segment("a", "EN"),
        segment("b", "S", ["Speech"]),
        segment("b", "HN", ["Look"]),
        segment("b", "EN"),
        segment("b", "EN"),
        segment("b", "NS", ["Body"]),
        segment("a", "S", ["Body"], "annotator1"),
        segment("c", "S", ["Body"]),
    ]
    folds = [
        {"film_id": film, "fold": fold, "split": split}
        for film, fold, split in (("a", 1, "test"), ("b", 2, "test"), ("c", 1, "train"))
    ]
    task = make_task("visual", papers_corpus().concepts, ["video"])
    found = chance(task, segments, folds)
    assert found["ap_positive"] == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert found["ap_negative"] == pytest.approx(1 - (1 / 2 + 1 / 4) / 2)
    assert (found["ap_macro"], found["n"]) == (0.5, 2)
    assert chance(task, segments, []) == {"n": 0}


def test_every_random_baseline_that_is_printed_has_a_chance():
    read = {
        item.ours[1]
        for item in load_published()
        if item.ours and item.ours[1].startswith("chance/")
    }
    assert len(read) == 13
