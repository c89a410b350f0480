"""The summary: right figures, only the runs of the plan, finite numbers."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from gazeline.commands.summary_rows import summary_rows
from gazeline.errors import LearningError
from gazeline.evaluation.aggregate import aggregate, score_runs
from gazeline.evaluation.curves import precision_at_recalls
from gazeline.params.subset import SubsetParams
from runs_support import write_run


def two_folds(root, experiment="toy"):
    rng = np.random.default_rng(1)
    given = {}
    for fold in (1, 2):
        targets = np.array([1, 0, 1, 0, 0, 1, 0, 0, 1, 0])
        scores = np.float32(np.clip(targets * 0.3 + rng.random((2, 10)) * 0.7, 0, 1))
        write_run(root, experiment, fold, targets.tolist(), scores.tolist())
        given[fold] = targets, scores
    return given


def read_rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_scores_are_means_with_student_intervals_over_folds_and_seeds(tmp_path):
    given = two_folds(tmp_path)
    entry = aggregate({"toy": "sample"}, [("toy", 1), ("toy", 2)], {}, tmp_path)["toy"]
    values = [
        metrics.average_precision_score(targets, of_seed)
        for targets, scores in given.values()
        for of_seed in scores
    ]
    low, high = stats.t.interval(0.95, 3, loc=np.mean(values), scale=stats.sem(values))
    assert entry["ap_positive"]["mean"] == pytest.approx(np.mean(values))
    assert entry["ap_positive"]["low"] == pytest.approx(low)
    assert entry["ap_positive"]["high"] == pytest.approx(high)
    assert entry["random"]["ap_positive"]["mean"] == pytest.approx(0.4)
    assert entry["random"]["ap_macro"]["mean"] == 0.5
    assert entry["n"] == {"films": 4, "segments": 20, "folds": 2, "seeds": 2, "positives": 8}


def test_accuracy_per_film_and_its_heterogeneity(tmp_path):
    given = two_folds(tmp_path)
    entry = aggregate({"toy": "sample"}, [("toy", 1), ("toy", 2)], {}, tmp_path)["toy"]
    deviations, means = [], {}
    for fold, (targets, scores) in given.items():
        for of_seed in scores:
            right = (of_seed >= 0.5) == targets
            films = right[::2].mean(), right[1::2].mean()
            deviations.append(np.std(films))
            for index, value in enumerate(films):
                means.setdefault(f"film-{fold}-{index}", []).append(value)
    assert entry["heterogeneity"]["mean"] == pytest.approx(np.mean(deviations))
    found = {film: scores["accuracy"] for film, scores in entry["per_film"].items()}
    assert found == pytest.approx({f: np.mean(v) for f, v in means.items()})


def test_validation_films_are_not_scored(tmp_path):
    two_folds(tmp_path)
    entry = aggregate({"toy": "sample"}, [("toy", 1)], {}, tmp_path)["toy"]
    assert entry["n"]["segments"] == 10


def test_only_runs_of_the_plan_count(tmp_path):
    """A run left on disk by a removed fold or experiment leaves no trace."""
    two_folds(tmp_path)
    two_folds(tmp_path, "removed")
    summary = aggregate({"toy": "sample"}, [("toy", 1)], {}, tmp_path)
    assert set(summary) == {"toy", "n_experiments"}
    assert set(summary["toy"]["per_film"]) == {"film-1-0", "film-1-1"}
    assert {r["experiment"] for r in read_rows(tmp_path / "data/plots/learning_curves.csv")} == {
        "toy"
    }


def test_a_missing_run_names_the_stage_to_run(tmp_path):
    two_folds(tmp_path)
    with pytest.raises(LearningError, match=r"toy on fold 3(.|\n)*dvc repro train@toy-3"):
        aggregate({"toy": "sample"}, [("toy", 1), ("toy", 3)], {}, tmp_path)
    assert not (tmp_path / "metrics").exists()


def test_runs_that_failed_are_named_and_the_rest_is_scored(tmp_path):
    two_folds(tmp_path)
    missing = {"train@toy-3": "a loss diverges", "train@bad-1": "no positive"}
    experiments = {"toy": "sample", "bad": "sample"}
    figures = score_runs(experiments, [("toy", 1), ("toy", 2)], {}, tmp_path, missing=missing)
    assert figures.summary["n_experiments"] == 1
    assert figures.summary["missing"] == missing
    assert "bad" not in figures.summary
    assert [row.experiment for row in summary_rows(figures.summary)] == ["toy"]
    (question,) = figures.comparisons["sample"].values()
    assert set(question["models"]) <= {"toy", "random"}


def test_an_undefined_score_is_left_out_and_counted(tmp_path):
    write_run(tmp_path, "toy", 1, [1, 0, 1, 0], [[0.9, 0.1, 0.8, 0.3]] * 2)
    write_run(tmp_path, "toy", 2, [0, 0, 0, 0], [[0.9, 0.1, 0.8, 0.3]] * 2)
    entry = aggregate({"toy": "sample"}, [("toy", 1), ("toy", 2)], {}, tmp_path)["toy"]
    assert entry["ap_macro"]["mean"] == 1.0
    assert entry["undefined"]["ap_macro"] == 2
    assert "accuracy" not in entry["undefined"]
    write_run(tmp_path, "none", 1, [0, 0], [[0.9, 0.1]] * 2)
    entry = aggregate({"none": "sample"}, [("none", 1)], {}, tmp_path)["none"]
    assert "ap_macro" not in entry
    assert summary_rows({"none": entry})[0].cells()[3] == "–"


def test_three_classes_are_named(tmp_path):
    scores = np.random.default_rng(0).dirichlet([1, 1, 1], (2, 6))
    levels = ("EN", "HN", "S")
    write_run(tmp_path, "toy", 1, [0, 1, 2, 0, 1, 2], scores, classes=levels)
    entry = aggregate({"toy": "sample"}, [("toy", 1)], {}, tmp_path)["toy"]
    assert {"ap_EN", "ap_HN", "ap_S", "ap_macro"} < set(entry)
    assert entry["n"]["of_HN"] == 2
    assert entry["random"]["ap_macro"]["mean"] == pytest.approx(1 / 3)


def test_no_runs_at_all_give_an_empty_summary_and_plots(tmp_path):
    assert aggregate({}, [], {}, tmp_path) == {"n_experiments": 0}
    assert json.loads((tmp_path / "metrics/summary.json").read_text()) == {"n_experiments": 0}
    for name in ("learning_curves", "precision_recall"):
        assert read_rows(tmp_path / f"data/plots/{name}.csv") == []
    assert summary_rows({"n_experiments": 0}) == []


def test_a_subset_is_stamped_on_the_summary(tmp_path):
    two_folds(tmp_path)
    stamp = SubsetParams(share=0.5).stamp()
    summary = aggregate({"toy": "sample"}, [("toy", 1)], stamp, tmp_path)
    assert summary["subset"] == {"films": 0, "share": 0.5}
    assert [row.experiment for row in summary_rows(summary)] == ["toy"]


def test_learning_curves_average_the_runs_that_reached_an_epoch(tmp_path):
    two_folds(tmp_path)
    aggregate({"toy": "sample"}, [("toy", 1), ("toy", 2)], {}, tmp_path)
    rows = read_rows(tmp_path / "data/plots/learning_curves.csv")
    assert [(row["epoch"], row["runs"]) for row in rows] == [("1", "4"), ("2", "4"), ("3", "2")]
    assert [float(r["validation_loss"]) for r in rows] == pytest.approx([1.5, 1.0, 1 + 1 / 3])


def test_precision_is_read_where_each_recall_is_first_reached():
    positive = np.array([True, False, True, False])
    curve = precision_at_recalls(positive, np.array([0.9, 0.8, 0.7, 0.1]))
    assert len(curve) == 101
    assert curve[:51].tolist() == [1.0] * 51
    assert curve[51:] == pytest.approx(2 / 3)
    assert precision_at_recalls(np.array([True]), np.array([0.1])) is None


def test_the_table_shows_mean_and_interval(tmp_path):
    two_folds(tmp_path)
    summary = aggregate({"toy": "sample"}, [("toy", 1), ("toy", 2)], {}, tmp_path)
    row = summary_rows(summary)[0]
    ap = summary["toy"]["ap_macro"]
    assert row.cells()[:4] == (
        "toy",
        "4",
        "20",
        f"{ap['mean']:.3f} [{ap['low']:.3f}, {ap['high']:.3f}]",
    )
    assert row.cells()[4] == "0.500"


def test_every_number_is_finite(tmp_path):
    two_folds(tmp_path)
    aggregate({"toy": "sample"}, [("toy", 1), ("toy", 2)], {}, tmp_path)

    def numbers(value):
        return [n for v in value.values() for n in (numbers(v) if isinstance(v, dict) else [v])]

    summary = json.loads((tmp_path / "metrics/summary.json").read_text())
    assert all(math.isfinite(n) for n in numbers(summary))


def test_scores_per_film_and_class_are_scikit_learns(tmp_path):
    given = two_folds(tmp_path)
    entry = aggregate({"toy": "sample"}, [("toy", 1), ("toy", 2)], {}, tmp_path)["toy"]
    targets, scores = given[1]
    film = entry["per_film"]["film-1-0"]
    expected = [
        metrics.recall_score(targets[::2], s[::2] >= 0.5, pos_label=0, zero_division=np.nan)
        for s in scores
    ]
    assert film["recall_negative"] == pytest.approx(np.mean(expected))
    precision = [metrics.average_precision_score(targets[::2], s[::2]) for s in scores]
    assert film["ap_positive"] == pytest.approx(np.mean(precision))
    assert film["n"] == {"segments": 5, "of_negative": 2, "of_positive": 3}
    f1 = [
        metrics.f1_score(targets, s >= 0.5, average=None)[0]
        for targets, scores in given.values()
        for s in scores
    ]
    assert entry["f1_negative"]["mean"] == pytest.approx(np.mean(f1))
    shares = [(s >= 0.5).mean() for _, scores in given.values() for s in scores]
    assert entry["predicted_positive"]["mean"] == pytest.approx(np.mean(shares))


def test_a_film_without_a_class_leaves_scores_out_and_counts_them(tmp_path):
    write_run(tmp_path, "toy", 1, [1, 0, 1, 0], [[0.9, 0.1, 0.8, 0.3]] * 2)
    entry = aggregate({"toy": "sample"}, [("toy", 1)], {}, tmp_path)["toy"]
    film = entry["per_film"]["film-1-0"]
    assert film["recall_positive"] == 1.0
    assert "recall_negative" not in film
    assert film["undefined"]["ap_macro"] == 2
    assert film["n"] == {"segments": 2, "of_negative": 0, "of_positive": 2}
