"""Cells of stretches: which windows they take, and what is true of them."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.errors import LearningError
from gazeline.learning.training.cells.grid import (
    cell_edges,
    n_cells,
    overlapped_shares,
    window_shares,
)
from gazeline.learning.training.cells.store import load_cells
from gazeline.learning.training.cells.truth import (
    Events,
    events_of,
    marks_on_cells,
    values_on_cells,
)
from gazeline.learning.training.mapped import SCRATCH
from gazeline.timeline.maps import Piece, TimeMap
from learning.timed_toy import timed_dataset, timed_toy

IDENTITY = TimeMap((Piece(0.0, 1e4, 1.0, 0.0),))
SECONDS = np.arange(6, dtype=np.float64)


def shares(edges, time_map=IDENTITY, starts=SECONDS):
    return window_shares(np.array(edges), time_map, starts, starts + 1).toarray()


def test_with_an_identity_map_cells_of_a_window_are_the_windows():
    np.testing.assert_allclose(shares(SECONDS[:5]), np.eye(6)[:4])


def test_a_cell_takes_each_window_by_how_long_it_overlaps_it():
    np.testing.assert_allclose(shares([0.25, 2.25]), [[0.375, 0.5, 0.125, 0, 0, 0]])


def test_cells_are_taken_to_the_copy_clock_by_rate_and_offset():
    """At half the rate and three seconds later, two seconds of annotation are one of the copy."""
    late = TimeMap((Piece(0.0, 100.0, 0.5, 3.0),))
    np.testing.assert_allclose(shares([0.0, 2.0, 4.0], late), np.eye(6)[[3, 4]])


def test_a_cell_across_a_cut_takes_both_sides_and_one_inside_it_takes_nothing():
    """The copy lacks 2 to 4 s of the annotation clock."""
    cut = TimeMap((Piece(0.0, 2.0, 1.0, 0.0), Piece(4.0, 9.0, 1.0, -2.0)))
    found = shares([1.5, 2.5, 3.5, 4.5], cut)
    np.testing.assert_allclose(found, [[0, 1, 0, 0, 0, 0], [0] * 6, [0, 0, 1, 0, 0, 0]])


@pytest.mark.parametrize("time_map", [TimeMap(()), IDENTITY])
def test_a_map_or_a_shard_without_anything_leaves_cells_empty(time_map):
    starts = np.zeros(0) if time_map.pieces else SECONDS
    assert shares([0.0, 1.0, 2.0], time_map, starts).sum() == 0


def test_shares_agree_with_overlaps_counted_one_by_one():
    rng = np.random.default_rng(0)
    starts = np.sort(rng.uniform(0, 20, 30))
    ends = starts + rng.uniform(0.1, 3, 30)
    edges = cell_edges(1.3, 17.9, 0.667)
    found = window_shares(edges, IDENTITY, starts, ends).toarray()
    overlaps = np.clip(
        np.minimum(edges[1:, None], ends) - np.maximum(edges[:-1, None], starts), 0, None
    )
    expected = overlaps / np.where(overlaps.sum(1), overlaps.sum(1), 1)[:, None]
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize(
    ("end_s", "n"), [(300.0, 300), (299.9999999, 300), (300.5, 301), (0.2, 1), (300.0001, 300)]
)
def test_a_remainder_by_rounding_is_no_cell(end_s, n):
    assert n_cells(0.0, end_s, 1.0) == n
    assert cell_edges(0.0, end_s, 1.0)[-1] == end_s


def test_a_cell_is_marked_from_half_on_and_a_short_interval_marks_its_middle():
    events = Events(np.array([[0.4, 2.4], [3.1, 3.2], [3.0, 5.0]]), np.array([0, 0, 1]))
    marks = marks_on_cells(events, 0.0, 5.0, 1.0, 2)
    np.testing.assert_array_equal(marks[:, 0], [1, 1, 0, 1, 0])
    np.testing.assert_array_equal(marks[:, 1], [0, 0, 0, 1, 1])
    np.testing.assert_allclose(overlapped_shares(cell_edges(0, 3, 1.0), 0.4, 2.4), [0.6, 1, 0.4])


def test_intervals_of_no_class_mark_nothing_and_repeated_ones_count_once():
    rows = [{"start_s": 1.0, "end_s": 2.0, "target": target, "values": []} for target in (0, 0, -1)]
    assert len(events_of(rows).targets) == 2
    assert events_of(rows).once().bounds_s.tolist() == [[1.0, 2.0]]
    assert marks_on_cells(events_of([]), 0.0, 3.0, 1.0, 1).sum() == 0


def test_seconds_without_a_value_and_values_that_are_not_finite_are_missing():
    rows = [
        {"start_s": s, "end_s": s + 1, "target": -1, "values": [v, 2.0]}
        for s, v in ((60.0, 0.5), (62.0, float("inf")), (99.0, 0.1))
    ]
    values = values_on_cells(rows, 60.0, 64.0, 1.0, 2)
    np.testing.assert_array_equal(values[:, 0], [0.5, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(values[:, 1], [2, np.nan, 2, np.nan])


def columns(*starts):
    return {"film_id": ["f0"] * len(starts), "start_s": list(starts),
            "end_s": [s + 60.0 for s in starts]}  # fmt: skip


def test_stretches_of_two_annotators_share_their_cells_and_leave_no_file(tmp_path):
    toy = timed_toy().write(tmp_path)
    manifest = timed_dataset(tmp_path, "intervals/fear", ("video", "audio"))
    cells = load_cells(manifest, columns(0.0, 60.0, 0.0), 2.0, tmp_path)
    assert cells.starts.tolist() == [0, 30, 0]
    assert cells.values.shape == (60, 24)
    assert cells.present.all()
    audio = cells.values[:, cells.columns["audio"]]
    np.testing.assert_allclose(audio, toy.features["audio"]["f0"], rtol=1e-6)
    assert not list((tmp_path / SCRATCH).iterdir())


def test_what_the_copy_lacks_is_zero_and_said_to_be_absent(tmp_path):
    toy = timed_toy()
    toy.features["audio"]["f0"] = toy.features["audio"]["f0"][:20]
    toy.write(tmp_path)
    manifest = timed_dataset(tmp_path, "intervals/fear", ("video", "audio"))
    cells = load_cells(manifest, columns(0.0), 2.0, tmp_path)
    np.testing.assert_array_equal(cells.present[:, 0], True)
    np.testing.assert_array_equal(cells.present[:, 1], np.arange(30) < 20)
    assert (cells.values[20:, cells.columns["audio"]] == 0).all()


def test_text_has_no_cells(tmp_path):
    timed_toy().write(tmp_path)
    manifest = timed_dataset(tmp_path, "intervals/fear", ("video",))
    text = type(manifest)(**{**manifest.__dict__, "modalities": ("video", "text")})
    with pytest.raises(LearningError, match="belongs to segments and has no cells in time"):
        load_cells(text, columns(0.0), 2.0, tmp_path)
