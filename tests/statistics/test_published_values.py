"""No entry of the published values goes untested: on the release, and by hand without it.

The tests named here do the comparing; this one fails where an entry has none, or a name is wrong.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
DESCRIPTION = "statistics/test_description.py::"
AGREEMENT = "statistics/test_agreement.py::"
ON_RELEASE = f"{DESCRIPTION}test_published_description_is_reproduced_on_the_release"
AGREED = f"{AGREEMENT}test_published_agreement_is_reproduced_on_the_release"
AUDITED = "corpora/test_real_release.py::test_published_quality_is_reproduced_on_the_release"
PLANTED = "corpora/test_mobygaze.py::test_every_planted_quirk_is_found_as_often_as_it_was_planted"
# Beginning of an entry's name → the test on the release, and the one by hand.
COVERED = {
    "n_segments": (ON_RELEASE, f"{DESCRIPTION}test_sizes_are_counted_by_hand"),
    "hours_of_film": (
        ON_RELEASE,
        f"{DESCRIPTION}test_hours_of_film_are_the_mean_over_a_films_annotators",
    ),
    "fig6/": (ON_RELEASE, f"{DESCRIPTION}test_levels_by_count_and_time_equal_those_worked_by_hand"),
    "table3/": (ON_RELEASE, f"{DESCRIPTION}test_concepts_are_counted_once_a_segment"),
    "table19/": (ON_RELEASE, f"{DESCRIPTION}test_positives_leave_out_the_unsure"),
    "mean_concepts/": (ON_RELEASE, f"{DESCRIPTION}test_mean_concepts_count_tags_and_empty_rows"),
    "fig11/": (ON_RELEASE, f"{DESCRIPTION}test_the_trees_scores_are_those_worked_by_hand"),
    "iaa/ner/": (AGREED, f"{AGREEMENT}test_f1_distance_counts_frames_of_the_same_label"),
    "iaa/labels/": (AGREED, f"{AGREEMENT}test_level_distances_equal_those_worked_by_hand"),
    "table2/": (AGREED, f"{AGREEMENT}test_a_side_without_the_concept_counts_zero_or_is_left_out"),
    "quality/": (AUDITED, PLANTED),
    "subtitle/": (
        "subtitles/test_segment_text.py::"
        "test_the_papers_rule_reproduces_the_released_text_to_the_byte",
        "subtitles/test_segment_text.py::"
        "test_the_released_preset_has_a_space_before_every_cue_also_an_empty_one",
    ),
}


def test_every_published_entry_has_its_tests(shared):
    path = shared / "reference" / "published.json"
    names = [entry["name"] for entry in json.loads(path.read_text(encoding="utf-8"))]
    assert [name for name in names if not name.startswith(tuple(COVERED))] == []
    assert [part for part in COVERED if not any(name.startswith(part) for name in names)] == []


@pytest.mark.parametrize("test", sorted({test for pair in COVERED.values() for test in pair}))
def test_the_tests_named_are_there(test):
    path, _, name = test.partition("::")
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
