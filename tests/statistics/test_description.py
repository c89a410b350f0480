"""Description: a small table by hand, scikit-learn and scipy, published values on the release."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr
from sklearn.decomposition import PCA

from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import DescriptionParams
from gazeline.statistics.annotations import concept_matrix
from gazeline.statistics.description.components import principal_components
from gazeline.statistics.description.concepts import correlations
from gazeline.statistics.description.describe import describe
from gazeline.statistics.description.tree import fit_tree, tree_rules, tree_text
from statistics_tables import (
    CONCEPTS,
    VISUAL,
    released_films,
    released_folds,
    released_segments,
    segments,
)

GROUPS = ConceptGroups(visual=VISUAL, speech=("Speech",), audio=("Voice", "Soundtrack"))
SMALL = ConceptGroups(visual=("Body", "Look"), speech=("Speech",))


def small() -> pd.DataFrame:
    table = segments(
        ("a", "annotator1", 0, 9, "EN", ""),
        ("a", "annotator1", 10, 29, "HN", "Body"),
        ("a", "annotator1", 30, 39, "S", "Body, Look"),
        ("a", "annotator2", 0, 39, "S", "Look, Speech"),
        ("b", "annotator1", 0, 19, "NS", "Look"),
    )
    table.at[2, "tags"] = ["Narratology"]
    return table


def films() -> pd.DataFrame:
    return pd.DataFrame({"film_id": ["a", "b"], "genres": [["Drama", "Comedy"], ["Drama"]]})


def no_folds() -> pd.DataFrame:
    return pd.DataFrame({"fold": [], "film_id": [], "split": []})


@pytest.fixture(scope="module")
def described():
    return describe(small(), films(), no_folds(), SMALL, DescriptionParams()).metrics


def test_levels_by_count_and_time_equal_those_worked_by_hand(described):
    levels = described["levels"]
    assert levels["all"]["S"] == {"n": 2, "share": 0.4, "seconds": 50.0, "time_share": 0.5}
    assert levels["by_annotator"]["annotator2"] == {
        "S": {"n": 1, "share": 1.0, "seconds": 40.0, "time_share": 1.0}
    }
    assert levels["by_film"]["b"]["NS"]["seconds"] == 20.0
    assert levels["by_genre"]["Comedy"]["HN"]["share"] == 0.25
    assert levels["by_genre"]["Drama"]["HN"]["share"] == 0.2


def test_sizes_are_counted_by_hand(described):
    assert described["n_segments"] == 5


def test_hours_of_film_are_the_mean_over_a_films_annotators(described):
    assert described["hours_of_film"] == pytest.approx((40 + 20) / 3600, abs=1e-6)


def test_positives_leave_out_the_unsure(described):
    assert described["positives"] == {
        "annotator1": {"a": {"n": 3, "share": 0.666667, "time_share": 0.75}},
        "annotator2": {"a": {"n": 1, "share": 1.0, "time_share": 1.0}},
    }


def test_concepts_are_counted_once_a_segment(described):
    concepts = described["concepts"]
    assert concepts["by_annotator"]["annotator1"] == {"Body": 2, "Look": 2, "Speech": 0}
    assert concepts["by_level"]["S"] == {"Body": 1, "Look": 2, "Speech": 1}
    assert described["modalities"]["S"] == {
        "visual": {"n": 3, "share": 0.75},
        "speech": {"n": 1, "share": 0.25},
    }
    assert described["modalities"]["EN"]["visual"]["n"] == 0
    assert "share" not in described["modalities"]["EN"]["visual"]


def test_mean_concepts_count_tags_and_empty_rows(described):
    assert described["concepts"]["mean_by_level"] == {"EN": 0, "HN": 1, "NS": 1, "S": 2.5}


def test_correlation_equals_scipys(described):
    concepts = concept_matrix(small(), ("Body", "Look", "Speech")).astype(float)
    found = described["concepts"]["correlation"]
    assert found["Body"]["Look"] == pytest.approx(
        pearsonr(concepts[:, 0], concepts[:, 1]).statistic, abs=1e-6
    )
    assert set(found) == {"Body", "Look"}
    assert correlations(np.ones((4, 2), dtype=bool), ("Body", "Look")) == {}


@pytest.mark.parametrize("scaling", ["covariance", "correlation"])
def test_components_equal_scikit_learns(scaling):
    concepts = np.random.default_rng(0).random((60, 4)) < [0.5, 0.3, 0.2, 0.6]
    found = principal_components(concepts, ("A", "B", "C", "D"), scaling)
    columns = concepts.astype(float)
    if scaling == "correlation":
        columns = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    reference = PCA(2).fit(columns)
    assert found is not None
    np.testing.assert_allclose(np.abs(found.loadings), np.abs(reference.components_), atol=1e-9)
    np.testing.assert_allclose(found.explained, reference.explained_variance_ratio_, atol=1e-9)


def test_the_rules_say_what_the_tree_does():
    concepts = np.array([[1, 0], [1, 1], [1, 0], [0, 1], [0, 0], [0, 0]], dtype=bool)
    positive = concepts[:, 0]
    tree = fit_tree(concepts, positive, seed=0)
    assert tree_rules(tree, ("Look", "Body"), "S", 4) == [
        "no Look: 3 segments, S 0%",
        "Look: 3 segments, S 100%",
    ]
    assert "|--- Look <= 0.50" in tree_text(tree, ("Look", "Body"), ("HN", "S"))


def test_the_trees_scores_are_those_worked_by_hand():
    """Rows of one set of concepts get their majority: 1 of 3 with Body, 1 of 5 without, is wrong.

    Of S 2 are found, 1 is missed and 1 is wrongly found: F1 4/6; of HN 4, 1 and 1: F1 8/10.
    """
    rows = [("S", "Body"), ("S", "Body"), ("HN", "Body"), ("S", "")] + [("HN", "")] * 4
    table = segments(*[("a", "annotator1", i, i, *row) for i, row in enumerate(rows)])
    tree = describe(table, films(), no_folds(), SMALL, DescriptionParams()).metrics["tree"]
    scores = {key: tree["in_sample"][key] for key in ("accuracy", "f1", "weighted_f1")}
    wanted = {"accuracy": 6 / 8, "f1": 4 / 6, "weighted_f1": (3 * 4 / 6 + 5 * 8 / 10) / 8}
    assert scores == pytest.approx(wanted, abs=1e-6)


def test_the_tree_is_tested_on_films_it_was_not_grown_on():
    rows = [("a", "annotator1", i, i, "S" if i % 2 else "HN", "Body" if i % 2 else "")
            for i in range(8)]  # fmt: skip
    rows += [("b", "annotator1", i, i, "HN" if i % 2 else "S", "Body" if i % 2 else "")
             for i in range(8)]  # fmt: skip
    folds = pd.DataFrame({"fold": [1, 1], "film_id": ["a", "b"], "split": ["train", "test"]})
    tree = describe(segments(*rows), films(), folds, SMALL, DescriptionParams()).metrics["tree"]
    assert tree["in_sample"]["accuracy"] == 0.5
    assert tree["out_of_sample"] == {"accuracy": 0.0, "f1": 0.0, "weighted_f1": 0.0, "n": 8}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (segments(), "no segments"),
        (segments(("a", "annotator1", 0, 9, "EN", "")), "not both of HN and S"),
        (segments(*[("a", "annotator1", i, i, "S", "Body, Look") for i in range(4)]), "Body, Look"),
        (small(), "no fold to test the tree on"),
    ],
)
def test_thin_tables_give_finite_metrics_and_a_reason(table, words):
    description = describe(table, films(), no_folds(), SMALL, DescriptionParams())
    assert words in description.summary
    json.dumps(description.metrics, allow_nan=False)


def test_a_corpus_without_concepts_is_described():
    description = describe(small(), films(), no_folds(), ConceptGroups(), DescriptionParams())
    assert description.metrics["levels"]["all"]["S"]["n"] == 2
    tree = description.metrics["tree"]
    assert tree["in_sample_undefined"] == tree["out_of_sample_undefined"] == 1
    assert tree["in_sample_reason"] == "the corpus has no concepts"


def test_every_figure_left_out_has_its_reason_beside_the_count(described):
    thin = describe(
        segments(*[("a", "annotator1", i, i, "S", "Body") for i in range(4)]),
        films(),
        no_folds(),
        SMALL,
        DescriptionParams(),
    ).metrics
    few = {"undefined": 1, "reason": "fewer than two concepts are on some segments, not on all"}
    assert thin["components"]["visual_concepts"]["covariance"]["all_rows"] == few
    assert thin["tree"]["in_sample_reason"] == "not both of HN and S are there"
    assert thin["concepts"]["n_without_correlation"] == 3
    assert "on no segment or on all" in thin["concepts"]["correlation_reason"]
    assert described["tree"]["out_of_sample_reason"] == "no fold to test the tree on"
    assert described["modalities"]["EN"]["speech"] == {
        "n": 0,
        "share_undefined": 1,
        "share_reason": "no segment of the level has a concept",
    }
    assert described["positives_undefined"] == 1
    assert described["positives_reason"].startswith("a film annotated with none of ")


def test_a_film_counts_in_each_of_its_genres(described):
    assert described["genres"] == {
        "Comedy": {"films": 1, "share_of_films": 0.5},
        "Drama": {"films": 2, "share_of_films": 1.0},
    }


def test_films_by_genre_are_those_of_the_papers_table(released):
    """Table 18, but for Thriller: three of the release's films have it, the paper prints 0.1."""
    printed = {
        "Action": 0.05,
        "Adventure": 0.1,
        "Biographic": 0.05,
        "Comedy": 0.4,
        "Detective": 0.15,
        "Drama": 0.85,
        "Family": 0.05,
        "Mystery": 0.1,
        "Romantic": 0.45,
        "Science-fiction": 0.05,
        "Thriller": 0.15,
    }
    found = {name: entry["share_of_films"] for name, entry in released["genres"].items()}
    assert found == printed


@pytest.fixture(scope="module")
def released(shared):
    films = released_films(shared)
    table = released_segments(shared)
    params = DescriptionParams()
    return describe(table, films, released_folds(films), GROUPS, params).metrics


@pytest.fixture(scope="module")
def published(shared):
    path = shared / "reference" / "published.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_published_description_is_reproduced_on_the_release(released, published, shared):
    titles = dict(released_films(shared)[["title", "film_id"]].itertuples(index=False))
    names = [entry["name"].split("/")[0] for entry in published]
    checked = 0
    for entry in published:
        found = _look_up(released, entry["name"], titles)
        if found is None:
            continue
        checked += 1
        assert found == pytest.approx(entry["reproduced"], abs=6e-4), entry["name"]
        if entry["published"] is not None and entry["name"] not in OFF_AS_PRINTED:
            assert found == pytest.approx(entry["published"], abs=_last_digit(entry["published"]))
    ours = ("n_segments", "hours_of_film", "fig6", "table3", "table19", "mean_concepts", "fig11")
    assert checked == sum(name in ours for name in names)


# 39.64 % is printed as 39.7; the film list rounds 42.6 h up.
OFF_AS_PRINTED = ("fig6/count_share_pct/Easy Negative", "hours_of_film")
SHARES = {"count_share_pct": "share", "duration_share_pct": "time_share"}
CODES = {"Easy Negative": "EN", "Hard Negative": "HN", "Not Sure": "NS", "Sure": "S"}


def _last_digit(printed: float) -> float:
    text = str(printed)
    return 0.51 * 10.0 ** -(len(text.split(".")[1]) if "." in text else 0)


def _look_up(metrics, name, titles):
    """Return the figure of our metrics that an entry of published.json names."""
    part, *rest = name.split("/")
    if part in ("n_segments", "hours_of_film"):
        return metrics[part]
    if part == "fig6":
        return 100 * metrics["levels"]["all"][CODES[rest[1]]][SHARES[rest[0]]]
    if part == "table3":
        return metrics["concepts"]["by_annotator"][rest[1]][rest[2]]
    if part == "table19":
        share = {"duration": "time_share", "clips": "share"}[rest[0]]
        return metrics["positives"]["annotator2"][titles["/".join(rest[1:])]][share]
    if part == "mean_concepts":
        return metrics["concepts"]["mean_by_level"][rest[0]]
    if part == "fig11":
        return metrics["tree"]["in_sample"][rest[0]]
    return None


def test_the_tree_is_weaker_out_of_sample_on_the_release(released):
    tree = released["tree"]
    assert (tree["depth"], tree["n_leaves"], tree["in_sample"]["n"]) == (11, 340, 3376)
    found = [round(tree["out_of_sample"][key], 3) for key in ("accuracy", "f1", "weighted_f1")]
    assert found == [0.703, 0.599, 0.692]
    assert tree["out_of_sample"]["n"] == 3376


def test_components_read_as_the_paper_reads_them(released):
    rows = released["components"]["visual_concepts"]["covariance"]["without_EN"]
    largest = [
        {k for k, _ in sorted(rows[pc]["loadings"].items(), key=lambda i: -abs(i[1]))[:2]}
        for pc in ("PC1", "PC2")
    ]
    assert largest == [{"Body", "Clothing"}, {"Posture", "Activities"}]


def test_concepts_that_go_together_on_the_release(released):
    """Fig. 7a: Body with Clothing, Type of shot with Look."""
    pairs = [
        (r, a, b)
        for a, row in released["concepts"]["correlation"].items()
        for b, r in row.items()
        if a in VISUAL and b in VISUAL
    ]
    assert max(pairs)[1:] == ("Body", "Clothing")
    assert len(released["concepts"]["correlation"]) == len(CONCEPTS) - 1


def test_every_figure_on_the_release_is_finite(released):
    def finite(value: object) -> bool:
        if isinstance(value, dict):
            return all(finite(item) for item in value.values())
        return isinstance(value, list | str) or math.isfinite(value)

    assert finite(released)
