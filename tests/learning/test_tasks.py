"""Tasks: the class of a segment from its label and concepts."""

from __future__ import annotations

import pytest

from gazeline.errors import LearningError
from gazeline.learning.datasets.tasks import make_part_task, make_task
from learning.synthetic import GROUPS

MODALITIES = ("video", "text")


@pytest.mark.parametrize(
    ("task", "label", "concepts", "specific", "agnostic"),
    [
        ("visual", "S", ["Body"], 1, 1),
        ("visual", "HN", ["Speech"], 0, 1),
        ("visual", "S", [], 0, 0),
        ("visual", "EN", [], 0, 0),
        ("visual", "EN", ["Look"], 1, 1),
        ("visual", "NS", ["Body"], -1, -1),
        ("speech", "HN", ["Body", "Speech"], 1, 1),
        ("audio", "S", ["Voice"], 1, 1),
        ("audio", "S", ["Speech"], 0, 1),
        ("concept/Look", "S", ["Look"], 1, 1),
        ("concept/Look", "S", ["Body"], 0, 1),
        ("hard", "EN", [], 0, 0),
        ("hard", "HN", [], 0, 0),
        ("hard", "HN", ["Soundtrack"], 0, 1),
        ("hard", "HN", ["Soundtrack", "Speech"], 1, 1),
        ("hard", "S", ["Look"], 1, 1),
        ("hard", "EN", ["Look"], 0, 0),
        ("sure", "HN", ["Body"], 0, 0),
        ("sure", "S", ["Body"], 1, 1),
        ("sure", "S", ["Voice"], 0, 1),
        ("levels", "EN", [], 0, 0),
        ("levels", "HN", ["Speech"], 1, 1),
        ("levels", "S", ["Speech"], 2, 2),
        ("levels", "S", ["Voice"], 0, 2),
        ("levels", "NS", [], -1, -1),
    ],
)
def test_class_of_a_segment_for_models_of_video_and_text(task, label, concepts, specific, agnostic):
    made = make_task(task, GROUPS, MODALITIES)
    assert made.target(label, concepts, "specific") == specific
    assert made.target(label, concepts, "agnostic") == agnostic


@pytest.mark.parametrize("modalities", [["video"], ["text"], ["video", "text"]])
def test_groups_in_the_tasks_name_stand_before_the_modalities(modalities):
    """Models of different modalities then answer the same question (paper Table 10)."""
    made = make_task("hard/visual+speech", GROUPS, modalities)
    found = [made.target("S", [c], "specific") for c in ("Body", "Speech", "Voice")]
    assert found == [1, 1, 0]
    assert made.target("EN", ["Body"], "specific") == 0


def test_an_unknown_group_in_a_tasks_name_lists_the_known_ones():
    with pytest.raises(LearningError, match=r"smell is no group(.|\n)*visual, speech, audio"):
        make_task("sure/smell", GROUPS, ["video"])


def test_two_classes_are_negative_and_positive_three_are_the_levels():
    assert make_task("sure", GROUPS, MODALITIES).classes == ("negative", "positive")
    assert make_task("levels", GROUPS, MODALITIES).classes == ("EN", "HN", "S")


@pytest.mark.parametrize("name", ["concept/Nose", "Look", "smell"])
def test_an_unknown_task_lists_the_known_ones(name):
    with pytest.raises(LearningError, match=r"no task of this corpus(.|\n)*concept/<one of Body"):
        make_task(name, GROUPS, MODALITIES)


def test_a_modality_without_concepts_is_refused():
    with pytest.raises(LearningError, match="no audio concepts"):
        make_task("audio", GROUPS.model_copy(update={"audio": ()}), MODALITIES)


def test_an_unknown_level_is_refused():
    with pytest.raises(LearningError, match="no level 'XX'"):
        make_task("hard", GROUPS, MODALITIES).target("XX", [], "specific")


def test_levels_without_a_concept_of_the_modalities_are_refused():
    without = GROUPS.model_copy(update={"audio": ()})
    with pytest.raises(LearningError, match="Task hard: the corpus has no audio concepts"):
        make_task("hard", without, ["audio"])
    assert make_task("hard", without, ["audio", "text"]).specific == {"Speech"}


@pytest.mark.parametrize(
    ("task", "concepts", "video", "text"),
    [
        ("hard", ["Body"], 1, 0),
        ("hard", ["Speech"], 0, 1),
        ("hard/visual+speech", ["Body"], 1, 0),
        ("hard/visual+speech", ["Speech"], 0, 1),
        ("hard/visual+speech", ["Voice"], 0, 0),
        ("hard/visual", ["Speech"], 0, 0),
        ("visual", ["Body"], 1, 0),
        ("concept/Speech", ["Body", "Speech"], 0, 1),
    ],
)
def test_a_part_of_a_late_fusion_learns_what_its_modality_perceives(task, concepts, video, text):
    for modality, expected in (("video", video), ("text", text)):
        part = make_part_task(task, GROUPS, modality)
        assert part.target("S", concepts, "specific") == expected
        assert part.target("S", concepts, "agnostic") == 1
