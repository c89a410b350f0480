"""Which segments stand around a segment."""

from __future__ import annotations

from gazeline.learning.datasets.neighbours import find_neighbours


def segment(name, start_s, end_s, annotator="a", film="f", label="EN"):
    return {
        "segment_id": name,
        "film_id": film,
        "annotator": annotator,
        "start_s": start_s,
        "end_s": end_s,
        "label": label,
    }


def test_neighbours_are_the_annotators_own_in_time_order_whatever_their_label():
    rows = [
        segment("late", 9.0, 10.0),
        segment("first", 0.0, 4.0),
        segment("unsure", 4.0, 9.0, label="NS"),
        segment("other", 4.0, 8.0, annotator="b"),
        segment("elsewhere", 0.0, 1.0, film="g"),
    ]
    found = find_neighbours(rows)
    assert found["unsure"].ids == ("first", "late", "", "")
    assert found["unsure"].lengths_s == (4.0, 1.0, 0.0, 0.0)
    assert found["first"].ids == ("", "unsure", "", "late")
    assert found["late"].columns()["neighbours"] == ["unsure", "", "first", ""]
    assert found["other"].ids == found["elsewhere"].ids == ("", "", "", "")
