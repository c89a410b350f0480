"""Which experiments are compared, over which pairs and segments, and with what figures."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score

from gazeline.errors import LearningError
from gazeline.evaluation.aggregate import aggregate
from gazeline.evaluation.comparable import Candidate, group, not_comparable, why_not
from gazeline.evaluation.compare import comparisons
from gazeline.evaluation.runs import read_fold_run
from gazeline.files import write_json
from runs_support import write_run

TARGETS = [1, 0, 1, 0, 0, 1, 0, 0, 1, 0]


def answers(seed, skill, n_seeds=3, targets=TARGETS):
    noise = np.random.default_rng(seed).random((n_seeds, len(targets)))
    return np.float32(np.array(targets) * skill + noise * (1 - skill)).tolist()


@pytest.fixture
def make(tmp_path):
    """Write an experiment of two folds and three seeds and return it as a candidate."""

    def write(name, skill, corpus="sample", folds=(1, 2), targets=TARGETS, n_seeds=3, **options):
        for fold in folds:
            given = answers(fold, skill, n_seeds, targets)
            write_run(tmp_path, name, fold, targets, given, **options)
        runs = tuple(read_fold_run(name, fold, tmp_path) for fold in folds)
        return Candidate(name, corpus, runs)

    return write


def score_of(candidate, score=average_precision_score):
    return np.array([score(s.targets, s.scores[:, 0]) for f in candidate.folds for s in f.seeds])


def test_two_models_of_one_task_are_compared_over_their_pairs(make):
    weak, strong = make("weak", 0.2), make("strong", 0.35)
    entry = comparisons([weak, strong])["sample"]["speech on annotator1"]
    assert entry["n"] == {"models": 2, "pairs": 6, "folds": 2, "films": 4, "segments": 20}
    row = entry["significance"]["ap_positive"]["strong vs weak"]
    theirs = stats.ttest_rel(score_of(strong), score_of(weak))
    assert row["t"] == pytest.approx(theirs.statistic)
    assert row["p"] == pytest.approx(theirs.pvalue)
    assert row["n"] == 6
    deviation = (score_of(strong) - score_of(weak)).std(ddof=1) / math.sqrt(2)
    assert row["d"] == pytest.approx(row["difference"] / deviation)
    interval = theirs.confidence_interval(0.95)
    model = entry["models"]["strong"]["ap_positive"]
    assert model["mean"] == pytest.approx(score_of(strong).mean())
    assert model["high"] - model["low"] == pytest.approx((interval.high - interval.low) / 2)


def test_every_model_is_also_compared_with_guessing_and_p_is_corrected_over_the_table(make):
    candidates = [make("weak", 0.2), make("strong", 0.35)]
    rows = comparisons(candidates)["sample"]["speech on annotator1"]["significance"]["ap_macro"]
    assert list(rows) == ["strong vs weak", "strong vs random", "weak vs random"]
    ordered = sorted(rows.values(), key=lambda row: row["p"])
    assert ordered[0]["p_holm"] == pytest.approx(3 * ordered[0]["p"])
    assert all(row["p_holm"] >= row["p"] for row in ordered)


def test_the_test_over_fold_means_is_there_too(make):
    """Seeds of a fold share their films, so a test over folds asks about new films."""
    weak, strong = make("weak", 0.2), make("strong", 0.35)
    row = comparisons([weak, strong])["sample"]["speech on annotator1"]["significance"]
    means = [score_of(c).reshape(2, 3).mean(axis=1) for c in (strong, weak)]
    expected = stats.ttest_rel(*means).pvalue
    assert row["ap_positive"]["strong vs weak"]["p_folds"] == pytest.approx(expected)


def test_a_single_model_is_compared_with_guessing(make):
    entry = comparisons([make("alone", 0.5)])["sample"]["speech on annotator1"]
    assert set(entry["models"]) == {"alone", "random"}
    assert entry["models"]["random"]["ap_macro"]["mean"] == 0.5
    assert "trapezoid_macro" not in entry["models"].get("random", {})


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"corpus": "mobygaze"}, "other corpus: sample against mobygaze"),
        ({"task": "visual"}, "other task: speech against visual"),
        ({"annotator": "annotator2"}, "other test annotators: annotator1 against annotator2"),
        ({"folds": (1,)}, "other folds: 1, 2 against 1"),
        ({"n_seeds": 2}, "other seeds: 0, 1, 2 against 0, 1"),
        ({"seeds": [0, 1, 7]}, "other seeds: 0, 1, 2 against 0, 1, 7"),
        ({"film": "other"}, "other test films on fold 1: film-1-0, film-1-1 against other-1-0"),
        ({"targets": [1 - t for t in TARGETS]}, "other true classes of 10 test segments on fold 1"),
        ({"classes": ("no", "yes")}, "other classes: negative, positive against no, yes"),
    ],
)
def test_what_is_not_comparable_says_why(make, options, why):
    first, second = make("first", 0.4), make("second", 0.4, **options)
    assert why_not(first, second).startswith(why)
    assert len(group([first, second])) == 2
    assert why_not(first, first) is None


def test_experiments_of_one_task_that_are_left_apart_are_listed(make):
    candidates = [make("a", 0.4), make("b", 0.5), make("c", 0.5, n_seeds=2)]
    found = comparisons(candidates)
    assert set(found["sample"]) == {"speech on annotator1", "speech on annotator1 (2)"}
    assert found["n_comparisons"] == 2
    why = "other seeds: 0, 1, 2 against 0, 1"
    assert found["not_comparable"] == [
        {"experiments": ["a", "c"], "why": why},
        {"experiments": ["b", "c"], "why": why},
    ]
    other_task = make("d", 0.5, task="visual")
    assert not_comparable([candidates[0], other_task]) == []


def test_only_segments_that_all_models_answered_are_compared(make):
    """A modality may lack a segment (too short for a window); the others leave it out too."""
    whole, part = make("whole", 0.4), make("part", 0.4, targets=TARGETS[:8])
    (item,) = group([whole, part])
    assert item.not_shared == 4
    (first, second) = ([len(f.seeds[0].targets) for f in m.folds] for m in item.members)
    assert first == second == [8, 8]
    entry = comparisons([whole, part])["sample"]["speech on annotator1"]
    assert entry["n"]["segments"] == 16
    assert entry["n"]["not_shared"] == 4


def test_pairs_without_both_classes_are_left_out_and_n_says_so(make, tmp_path):
    candidates = []
    for name, skill in (("one", 0.3), ("two", 0.6)):
        make(name, skill)
        write_run(tmp_path, name, 2, [0] * 10, answers(5, skill, targets=[0] * 10))
        runs = tuple(read_fold_run(name, fold, tmp_path) for fold in (1, 2))
        candidates.append(Candidate(name, "sample", runs))
    entry = comparisons(candidates)["sample"]["speech on annotator1"]
    assert entry["error"]["ap_macro"]["n"] == 3
    assert entry["error"]["accuracy"]["n"] == 6
    row = entry["significance"]["ap_macro"]["one vs two"]
    assert row["n"] == 3
    assert "p_folds" not in row


def test_the_file_holds_finite_numbers_and_no_undefined_p(make, tmp_path):
    """Two experiments with the same answers differ by nothing that could vary."""
    make("a", 0.4)
    make("b", 0.4)
    runs = [(name, fold) for name in ("a", "b") for fold in (1, 2)]
    aggregate({"a": "sample", "b": "sample"}, runs, {}, tmp_path)
    found = json.loads((tmp_path / "metrics/comparisons.json").read_text())
    row = found["sample"]["speech on annotator1"]["significance"]["ap_macro"]["a vs b"]
    assert row == {"difference": 0.0, "n": 6}


def damage(folder, what):
    if what == "parquet":
        (folder / "predictions.parquet").write_bytes(b"PAR1 cut short")
    elif what == "json":
        write_json(folder / "run.json", {"classes": ["negative", "positive"], "parameters": 9})
    elif what == "history":
        (folder / "history.csv").write_text("epoch,loss\n1,2\n")
    elif what == "classes":
        write_json(
            folder / "run.json", {"classes": ["EN", "HN", "S"], "task": "levels", "parameters": 9}
        )


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("parquet", "predictions cannot be read"),
        ("json", "damaged: no 'task'"),
        ("history", "history.csv has no column seed, train_loss, validation_loss"),
        ("classes", "a score of seed 0 does not have 3 numbers"),
    ],
)
def test_a_damaged_run_names_the_file_and_writes_nothing(make, tmp_path, what, message):
    make("toy", 0.4)
    damage(tmp_path / "data/runs/toy/fold-1", what)
    with pytest.raises(Exception, match=message) as caught:
        aggregate({"toy": "sample"}, [("toy", 1)], {}, tmp_path)
    assert "fold-1" in str(caught.value)
    assert not (tmp_path / "metrics").exists()


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[0.5, 1.5]], "is no probability"),
        ([[0.5, math.nan]], "is no probability"),
    ],
)
def test_scores_that_are_no_probabilities_are_refused(tmp_path, scores, message):
    write_run(tmp_path, "toy", 1, [0, 1], scores)
    with pytest.raises(LearningError, match=message):
        read_fold_run("toy", 1, tmp_path)


def test_targets_beyond_the_classes_are_refused(tmp_path):
    write_run(tmp_path, "toy", 1, [0, 2], [[0.5, 0.5]])
    with pytest.raises(LearningError, match="none of the 2 classes"):
        read_fold_run("toy", 1, tmp_path)
