"""Agreement: distances by hand, alpha and sigma against scipy, published values on the release."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import gaussian_kde

from gazeline.errors import StatisticsError
from gazeline.params.statistics import AgreementParams
from gazeline.statistics.agreement.bootstrap import bootstrap_intervals, film_weights
from gazeline.statistics.agreement.distances import (
    best_for_concepts,
    best_for_levels,
    f1_distance_of_concepts,
    f1_distance_of_labels,
    matched_distance,
)
from gazeline.statistics.agreement.measure import (
    distance_samples,
    levels_name,
    measure_agreement,
    threshold_key,
)
from gazeline.statistics.agreement.pairs import PairSample, annotation_pairs, sample
from gazeline.statistics.agreement.reliability import chance_probability, reliability
from gazeline.statistics.annotations import from_segments
from gazeline.statistics.overlaps import find_overlaps, overlapping, union
from statistics_tables import CONCEPTS, released_segments, segments

GROUPS = {
    "body-clothing": ("Body", "Clothing"),
    "posture-activities": ("Posture", "Activities"),
    "shot-look": ("Type of shot", "Look"),
    "speech": ("Speech",),
    "audio": ("Voice", "Soundtrack"),
}


def two_films() -> pd.DataFrame:
    """Two films of 100 frames; film b has one annotator per half of what is tested."""
    return segments(
        ("a", "annotator1", 0, 9, "EN", ""),
        ("a", "annotator1", 10, 19, "S", "Body"),
        ("a", "annotator1", 20, 99, "HN", "Body, Look"),
        ("a", "annotator2", 0, 9, "EN", ""),
        ("a", "annotator2", 10, 17, "HN", "Body"),
        ("a", "annotator2", 18, 99, "NS", "Look"),
        ("b", "annotator1", 0, 49, "EN", ""),
        ("b", "annotator1", 50, 99, "S", "Look"),
        ("b", "annotator2", 0, 99, "EN", ""),
    )


def observed(distances: np.ndarray, table: pd.DataFrame) -> dict[str, float]:
    annotations = from_segments(table, CONCEPTS)
    pairs = annotation_pairs(annotations)
    taken = sample(distances, pairs)
    names = sorted(set(annotations.films))
    return {names[f]: d for f, d in zip(taken.observed_film, taken.observed, strict=True)}


def test_level_distances_equal_those_worked_by_hand():
    annotations = from_segments(two_films(), CONCEPTS)
    overlaps = find_overlaps(annotations)
    coverage = best_for_levels(annotations, overlaps, "coverage", ("EN", "HN", "S"))
    at_80 = observed(matched_distance(coverage, 0.8, 2, "zero"), two_films())
    # Film a, 1 to 2: EN 0, S against HN covers 8/10 so 1, HN meets only NS so 2: mean 1.
    # 2 to 1 without NS: EN 0, HN lies in S so 1: mean 1/2.
    assert at_80["a"] == pytest.approx((1 + 1 / 2) / 2)
    # Film b: EN in EN 0, S in EN 2; back, neither half covers 8/10 of the whole: 2.
    assert at_80["b"] == pytest.approx((1 + 2) / 2)
    at_90 = observed(matched_distance(coverage, 0.9, 2, "zero"), two_films())
    assert at_90["a"] == pytest.approx(((0 + 2 + 2) / 3 + 1 / 2) / 2)


def test_a_match_by_iou_needs_both_sides():
    annotations = from_segments(two_films(), CONCEPTS)
    iou = best_for_levels(annotations, find_overlaps(annotations), "iou", ("EN", "HN", "S"))
    at_50 = observed(matched_distance(iou, 0.5, 2, "zero"), two_films())
    # Film b: EN [0, 50) with the whole has IoU exactly 1/2, S too: 0 and 2; back the nearest is 0.
    assert at_50["b"] == pytest.approx((1 + 0) / 2)
    at_51 = observed(matched_distance(iou, 0.51, 2, "zero"), two_films())
    assert at_51["b"] == pytest.approx(2)


def test_value_of_the_unmatched_is_a_parameter():
    annotations = from_segments(two_films(), CONCEPTS)
    best = best_for_levels(annotations, find_overlaps(annotations), "iou", ("EN", "HN", "S"))
    assert observed(matched_distance(best, 1.0, 7, "zero"), two_films())["b"] == 7


def test_a_side_without_the_concept_counts_zero_or_is_left_out():
    annotations = from_segments(two_films(), CONCEPTS)
    best = best_for_concepts(annotations, find_overlaps(annotations), "coverage", ["Look"])
    zero = observed(matched_distance(best, 0.8, 1, "zero"), two_films())
    # Film a: [20, 100) lies in [18, 100), which lies in it by 80/82; film b: 1 and 0.
    assert zero == {"a": 0.0, "b": 0.5}
    assert observed(matched_distance(best, 0.8, 1, "drop"), two_films()) == {"a": 0.0}


def test_a_group_is_present_where_any_of_its_concepts_is():
    annotations = from_segments(two_films(), CONCEPTS)
    best = best_for_concepts(annotations, find_overlaps(annotations), "coverage", ["Body", "Look"])
    # 1: [10, 20) is covered 8/10 by one segment, [20, 100) wholly; back, 80/82.
    assert observed(matched_distance(best, 0.8, 1, "drop"), two_films())["a"] == 0.0


def test_f1_distance_counts_frames_of_the_same_label():
    table = segments(
        ("a", "annotator1", 0, 10, "EN", ""),
        ("a", "annotator1", 10, 20, "S", ""),
        ("a", "annotator2", 0, 5, "EN", ""),
        ("a", "annotator2", 5, 20, "S", ""),
        ("b", "annotator1", 0, 20, "NS", ""),
        ("b", "annotator2", 0, 20, "HN", ""),
    )
    found = observed(f1_distance_of_labels(from_segments(table, CONCEPTS)), table)
    precision, recall = (5 / 10 + 10 / 10) / 2, (5 / 5 + 10 / 15) / 2
    assert found["a"] == pytest.approx(1 - 2 * precision * recall / (precision + recall))
    assert found["b"] == 1


def test_f1_distance_of_a_concept_neither_side_has_is_left_out():
    table = two_films()
    annotations = from_segments(table, CONCEPTS)
    assert observed(f1_distance_of_concepts(annotations, ["Voice"]), table) == {}
    assert observed(f1_distance_of_concepts(annotations, ["Look"]), table)["b"] == 1


def test_overlapping_segments_of_one_annotation_are_found_and_counted_once():
    start, stop = np.array([0, 0, 8]), np.array([100, 4, 12])
    query, target, common = overlapping(np.array([9, 200]), np.array([11, 201]), start, stop)
    assert list(zip(query, target, common, strict=True)) == [(0, 0, 2), (0, 2, 2)]
    merged = union(np.array([0, 2, 10]), np.array([5, 4, 12]))
    assert [list(part) for part in merged] == [[0, 10], [5, 12]]


def test_distances_equal_a_loop_over_random_overlapping_segments():
    rng = np.random.default_rng(3)
    rows = []
    for film in ("a", "b", "c"):
        for annotator in ("annotator1", "annotator2", "annotator3"):
            for _ in range(int(rng.integers(1, 9))):
                first = int(rng.integers(0, 50))
                level = str(rng.choice(["EN", "HN", "NS", "S"]))
                rows.append((film, annotator, first, first + int(rng.integers(1, 30)), level, ""))
    annotations = from_segments(segments(*rows), CONCEPTS)
    best = best_for_levels(annotations, find_overlaps(annotations), "iou", ("EN", "HN", "S"))
    found = matched_distance(best, 0.4, 2, "drop")
    expected = _loop(annotations, 0.4)
    off = ~np.eye(len(found), dtype=bool)
    np.testing.assert_allclose(found[off], expected[off], atol=1e-12)


def _loop(annotations, threshold):
    levels = ["EN", "HN", "S"]
    k = annotations.n_annotations
    rows = [
        [
            (int(annotations.start[i]), int(annotations.stop[i]), str(annotations.labels[i]))
            for i in np.flatnonzero(annotations.of == a)
            if annotations.labels[i] in levels
        ]
        for a in range(k)
    ]

    def directed(mine, theirs):
        values = []
        for s, e, label in mine:
            hops = [2]
            for t, f, other in theirs:
                common = max(0, min(e, f) - max(s, t))
                if common and common / (e - s + f - t - common) >= threshold:
                    hops.append(abs(levels.index(label) - levels.index(other)))
            values.append(min(hops))
        return np.mean(values) if values else np.nan

    return np.array(
        [[(directed(rows[i], rows[j]) + directed(rows[j], rows[i])) / 2 for j in range(k)]
         for i in range(k)]
    )  # fmt: skip


def test_pairs_of_three_annotators_are_observed_per_film_and_expected_across():
    table = segments(
        *((film, f"annotator{k}", 0, 9, "EN", "") for film in "ab" for k in (1, 2, 3)),
        ("c", "annotator1", 0, 9, "EN", ""),
    )
    pairs = annotation_pairs(from_segments(table, CONCEPTS))
    assert len(pairs.observed) == 3 + 3
    assert len(pairs.expected) == 7 * 6 / 2 - 6


def test_chance_probability_equals_scipys_kernel_integral():
    rng = np.random.default_rng(0)
    expected, seen = rng.gamma(2, 0.3, 50), rng.random(7)
    kernel = gaussian_kde(expected)
    np.testing.assert_allclose(
        chance_probability(seen, expected),
        [kernel.integrate_box_1d(0, d) for d in seen],
        atol=1e-12,
    )


def test_bootstrap_equals_recomputing_each_resample():
    rng = np.random.default_rng(5)
    n = 6
    film_pairs = np.array([(f, g) for f in range(n) for g in range(f + 1, n) for _ in range(4)])
    drawn = PairSample(rng.random(n) * 0.6, rng.random(len(film_pairs)) + 0.3, np.arange(n),
                       film_pairs, n)  # fmt: skip
    weights = film_weights(n, 200, seed=1)
    found = bootstrap_intervals(drawn, weights)
    alphas, sigmas = [], []
    for w in weights.astype(int):
        again = PairSample(
            np.repeat(drawn.observed, w[drawn.observed_film]),
            np.repeat(drawn.expected, w[film_pairs[:, 0]] * w[film_pairs[:, 1]]),
            drawn.observed_film, film_pairs, n,
        )  # fmt: skip
        result = reliability(again)
        if result.sigma_reason is None:
            alphas.append(result.alpha)
            sigmas.append(result.sigma)
    assert found is not None
    assert found.n_resamples == len(alphas)
    np.testing.assert_allclose(found.alpha, np.percentile(alphas, [2.5, 97.5]), atol=1e-12)
    np.testing.assert_allclose(found.sigma, np.percentile(sigmas, [2.5, 97.5]), atol=0.05)


def test_intervals_are_the_same_for_the_same_seed_only():
    assert (film_weights(5, 30, 1) == film_weights(5, 30, 1)).all()
    assert (film_weights(5, 30, 1) != film_weights(5, 30, 2)).any()


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (segments(), "0 annotator"),
        (segments(("a", "annotator1", 0, 9, "EN", "")), "1 annotator in 1 films"),
        (
            segments(("a", "annotator1", 0, 9, "EN", ""), ("b", "annotator2", 0, 9, "EN", "")),
            "no film has two annotators",
        ),
        (
            segments(("a", "annotator1", 0, 9, "EN", ""), ("a", "annotator2", 0, 9, "EN", "")),
            "one film",
        ),
    ],
)
def test_without_pairs_the_summary_says_why_and_the_figures_are_left_out(table, words):
    agreement = measure_agreement(from_segments(table, CONCEPTS), AgreementParams())
    assert words in agreement.summary
    assert agreement.metrics["alpha_undefined"] == 1
    assert words in agreement.metrics["alpha_reason"]
    assert finite(agreement.metrics)


def undefined(reason: str, *names: str) -> dict[str, object]:
    return {f"{name}_undefined": 1 for name in names} | {f"{name}_reason": reason for name in names}


def test_a_concept_nobody_used_is_left_out_with_a_reason():
    agreement = measure_agreement(from_segments(two_films(), CONCEPTS), AgreementParams())
    figures = agreement.metrics["as_published"]["concepts"]["Voice"]
    reason = "no segment with the levels or concepts compared"
    assert figures == {
        "n_observed": 2,
        "n_expected": 4,
        **undefined(reason, "alpha", "sigma", "interval"),
    }
    assert reason in agreement.summary
    literal = agreement.metrics["literal_reading"]["concepts"]["Voice"]
    assert (literal["n_observed"], literal["alpha_reason"]) == (0, reason)
    assert finite(agreement.metrics)


def test_pairs_left_out_for_a_concept_are_not_called_missing_annotations():
    rows = [(film, "annotator1", 0, 9, "S", "Body") for film in "ab"]
    rows += [(film, "annotator2", 0, 9, "S", "Look") for film in "ab"]
    agreement = measure_agreement(from_segments(segments(*rows), CONCEPTS), AgreementParams())
    figures = agreement.metrics["literal_reading"]["concepts"]["Body"]
    reason = "no film has two annotations with the levels or concepts compared"
    assert figures == {
        "n_observed": 0,
        "n_expected": 1,
        **undefined(reason, "alpha", "sigma", "interval"),
    }
    assert f"undefined: {reason}" in agreement.summary


def test_one_film_with_two_annotators_gives_figures_without_an_interval():
    table = pd.concat(
        [
            two_films(),
            segments(("c", "annotator1", 0, 99, "S", ""), ("d", "annotator1", 0, 9, "EN", "")),
        ]
    )
    table = table[(table["film_id"] != "b") | (table["annotator"] == "annotator1")]
    agreement = measure_agreement(from_segments(table, CONCEPTS), AgreementParams(bootstrap=50))
    figures = agreement.metrics["as_published"]["levels"]["EN_HN_S"]
    assert figures["n_observed"] == 1
    assert "alpha" in figures
    assert not {"alpha_low", "sigma_low", "n_resamples"} & set(figures)
    reason = "only one film has an observed distance"
    assert undefined(reason, "interval").items() <= figures.items()


def test_a_sigma_without_spread_says_so_beside_a_defined_alpha():
    rows = [(film, f"annotator{k}", 0, 9, level, "") for film, level in (("a", "EN"), ("b", "S"))
            for k in (1, 2)]  # fmt: skip
    agreement = measure_agreement(from_segments(segments(*rows), CONCEPTS), AgreementParams())
    figures = agreement.metrics["as_published"]["levels"]["EN_HN_S"]
    assert figures["alpha"] == 1
    assert undefined("the expected distances do not vary", "sigma").items() <= figures.items()
    assert "alpha_reason" not in figures


def test_all_labels_equal_gives_defined_answers():
    rows = [(film, f"annotator{k}", 0, 9, "EN", "") for film in "abc" for k in (1, 2)]
    agreement = measure_agreement(from_segments(segments(*rows), CONCEPTS), AgreementParams())
    figures = agreement.metrics["as_published"]["levels"]["EN_HN_S"]
    assert figures["alpha_undefined"] == 1
    assert finite(agreement.metrics)


def test_a_film_with_one_annotator_counts_among_the_expected_only():
    table = pd.concat([two_films(), segments(("c", "annotator1", 0, 99, "S", "Body"))])
    agreement = measure_agreement(from_segments(table, CONCEPTS), AgreementParams(bootstrap=50))
    assert agreement.metrics["n_films_with_one_annotator"] == 1
    figures = agreement.metrics["as_published"]["levels"]["EN_HN_S"]
    assert (figures["n_observed"], figures["n_expected"]) == (2, 4 + 4)
    assert finite(agreement.metrics)


def test_a_misspelt_concept_of_a_group_is_an_error_and_a_foreign_group_is_named():
    annotations = from_segments(two_films(), CONCEPTS)
    wrong = AgreementParams(groups={"g": ("Body", "Clothes")})
    with pytest.raises(StatisticsError, match="Clothes: no concept"):
        measure_agreement(annotations, wrong)
    foreign = measure_agreement(annotations, AgreementParams(groups={"blood": ("Gore",)}))
    assert "no concept of the groups blood" in foreign.summary
    assert foreign.metrics["groups_left_out"] == 1


def test_keys_have_no_dots():
    assert [threshold_key(t) for t in (0.1, 0.29, 1.0, 0.125)] == [
        "at_10",
        "at_29",
        "at_100",
        "at_12_5",
    ]
    assert levels_name(("EN", "HN", "S")) == "EN_HN_S"


@pytest.fixture(scope="module")
def published_agreement(shared):
    params = AgreementParams(groups=GROUPS, bootstrap=0)
    table = released_segments(shared)
    return measure_agreement(from_segments(table, CONCEPTS), params).metrics


@pytest.fixture(scope="module")
def published(shared):
    path = shared / "reference" / "published.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_published_agreement_is_reproduced_on_the_release(published_agreement, published):
    checked = 0
    for entry in published:
        found = _look_up(published_agreement, entry["name"])
        if found is not None:
            assert found == pytest.approx(entry["reproduced"], abs=5.1e-5), entry["name"]
            checked += 1
    assert checked == 2 + 8 + 22


def _look_up(metrics, name):
    """Return the figure of our metrics that an entry of published.json names."""
    levels = metrics["levels"]["EN_HN_S"]
    if name.startswith("table2/"):
        _, figure, concept = name.split("/")
        assert (
            metrics["as_published"]["concepts"][concept][figure]
            == (metrics["concepts"][concept]["coverage"]["at_80"][figure])
        )
        return metrics["as_published"]["concepts"][concept][figure]
    if name.startswith("iaa/ner/"):
        return levels["f1"][name.split("/")[2]]
    if name.startswith("iaa/labels/"):
        _, _, overlap, rest = name.split("/")
        figure, threshold = rest.split("@")
        return levels[overlap][threshold_key(float(threshold))][figure]
    return None


def test_published_groups_are_near_on_the_release(published_agreement):
    """Table 2, lower part; the authors' unseeded sample of pairs makes the third digit noise."""
    printed = {
        "body-clothing": (0.287, 0.95),
        "posture-activities": (0.235, 0.90),
        "shot-look": (0.196, 0.80),
        "speech": (0.240, 0.65),
        "audio": (0.134, 0.0),
    }
    for name, (alpha, sigma) in printed.items():
        figures = published_agreement["as_published"]["groups"][name]
        assert figures["alpha"] == pytest.approx(alpha, abs=0.006)
        assert figures["sigma"] == pytest.approx(sigma, abs=0.101)


def test_dropping_empty_sides_lifts_sigma_on_the_release(shared):
    annotations = from_segments(released_segments(shared), CONCEPTS)
    overlaps, pairs = find_overlaps(annotations), annotation_pairs(annotations)
    found = {}
    for concept in ("Look", "Voice", "Activities"):
        best = best_for_concepts(annotations, overlaps, "coverage", [concept])
        found[concept] = reliability(sample(matched_distance(best, 0.8, 1, "drop"), pairs)).sigma
    assert {k: round(v, 2) for k, v in found.items()} == {
        "Look": 0.79,
        "Voice": 0.56,
        "Activities": 0.56,
    }


def test_the_literal_reading_stands_beside_the_published_definition(published_agreement):
    literal = published_agreement["literal_reading"]
    assert literal["levels"]["EN_HN_S"]["alpha"] == pytest.approx(0.0584, abs=5e-5)
    assert literal["concepts"]["Voice"]["n_observed"] == 18
    assert published_agreement["as_published"]["concepts"]["Voice"]["n_observed"] == 20


def test_distances_can_be_taken_for_plots():
    kinds = [
        (kind, name, len(s.observed), len(s.expected))
        for kind, name, s in distance_samples(
            from_segments(two_films(), CONCEPTS), AgreementParams()
        )
    ]
    assert kinds[0] == ("levels", "EN_HN_S", 2, 4)


def finite(value: object) -> bool:
    if isinstance(value, dict):
        return all(finite(item) for item in value.values())
    if isinstance(value, str):
        return bool(value)
    return isinstance(value, int | float) and math.isfinite(value)
