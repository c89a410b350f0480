"""When a stage fails, what waits for it is named with the reason; the rest is scored."""

from __future__ import annotations

import pytest

from gazeline.console import FAILURES
from gazeline.orchestration.pending import Pending
from gazeline.orchestration.unfinished import (
    forget_failures,
    known_failures,
    left_out,
    waits_in_vain,
)

PLAN = {
    "runs": {
        "good-1": {"experiment": "good", "fold": 1},
        "bad-1": {"experiment": "bad", "fold": 1},
        "bad-2": {"experiment": "bad", "fold": 2},
    },
    "aggregate": {"published": {"corpus": False}},
}


def pending(*stages):
    return [Pending(stage, "changed", True) for stage in stages]


def test_a_fold_that_fails_is_left_out_alone_with_its_reason():
    found = left_out(
        PLAN, pending("train@bad-2", "aggregate"), {"train@bad-2": "No positive segment in train"}
    )
    assert found == {"train@bad-2": "No positive segment in train"}


def test_what_a_failed_dataset_or_film_holds_up_says_so():
    waiting = ("dataset@bad", "train@bad-1", "train@bad-2", "aggregate")
    found = left_out(PLAN, pending(*waiting), {"dataset@bad": "sample has no annotator x"})
    assert found == {
        f"train@bad-{fold}": "dataset@bad failed: sample has no annotator x" for fold in (1, 2)
    }
    found = left_out(PLAN, pending("video@film", *waiting), {"video@film": "no picture"})
    assert found["train@bad-1"] == "not run; failed: video@film"


def test_statistics_of_the_papers_corpus_can_be_missing_too():
    plan = PLAN | {"aggregate": {"published": {"corpus": True}}}
    found = left_out(plan, pending("agreement@mobygaze"), {"agreement@mobygaze": "no segment"})
    assert found == {"agreement@mobygaze": "no segment"}


@pytest.fixture
def _failed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FAILURES.mkdir(parents=True)
    (FAILURES / "train@bad-1").write_text("a loss diverges")


@pytest.mark.usefixtures("_failed")
def test_only_a_failure_that_still_holds_makes_aggregate_wait_in_vain():
    assert waits_in_vain(pending("train@bad-1", "aggregate"))
    assert not waits_in_vain(pending("train@bad-1"))
    assert not waits_in_vain(pending("train@good-1", "aggregate"))
    assert known_failures() == {"train@bad-1": "a loss diverges"}
    forget_failures()
    assert known_failures() == {}
    assert not waits_in_vain(pending("train@bad-1", "aggregate"))
