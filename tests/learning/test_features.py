"""Token stores: ranges without copies, uniform thinning, pooling."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.errors import FeatureError, TableError
from gazeline.learning.training.features import TokenStore, token_rows
from gazeline.learning.training.mapped import mapped_array
from gazeline.learning.training.problem import training_moments


def ints(*values):
    return np.array(values, dtype=np.int64)


def store(values, starts, lengths):
    return TokenStore(np.asarray(values, dtype=np.float32), ints(*starts), ints(*lengths))


def test_rows_of_a_batch_follow_each_other_without_padding():
    rows, lengths = token_rows(ints(10, 50), ints(3, 1), None)
    assert rows.tolist() == [10, 11, 12, 50]
    assert lengths.tolist() == [3, 1]


def test_a_long_sample_is_thinned_uniformly():
    rows, lengths = token_rows(ints(0, 100), ints(10, 3), 5)
    assert rows.tolist() == [1, 3, 5, 7, 9, 100, 101, 102]
    assert lengths.tolist() == [5, 3]


@pytest.mark.parametrize("length", [1, 4, 5, 6, 159, 160, 161, 1000])
def test_thinning_keeps_order_bounds_and_even_gaps(length):
    kept, lengths = token_rows(ints(0), ints(length), 160)
    assert len(kept) == lengths[0] == min(length, 160)
    assert kept[0] >= 0
    assert kept[-1] < length
    gaps = np.diff(kept)
    assert len(gaps) == 0 or (gaps.min() >= 1 and gaps.max() - gaps.min() <= 1)


def test_pooling_gives_the_mean_of_each_range():
    pooled = store([[0, 0], [2, 4], [4, 8]], [0, 1], [3, 2]).pooled()
    assert pooled.values.tolist() == [[2, 4], [3, 6]]
    assert pooled.lengths.tolist() == [1, 1]


def test_moments_count_a_shared_window_once_and_leave_other_rows_out():
    values = [[0.0], [2.0], [4.0], [1000.0]]
    moments = training_moments(store(values, [0, 1, 3], [2, 2, 1]), ints(0, 1))
    assert moments.mean.tolist() == [2.0]
    assert moments.deviation.tolist() == pytest.approx([np.std([0, 2, 4])])


def test_moments_are_exact_for_large_offsets():
    """A one-pass variance in float32 loses everything here."""
    values = 1e4 + np.random.default_rng(0).normal(size=(70_000, 2)).astype(np.float32)
    moments = training_moments(store(values, [0], [70_000]), ints(0))
    np.testing.assert_allclose(moments.deviation.numpy(), values.std(0, dtype=np.float64), 1e-6)


def test_a_range_without_tokens_or_past_the_end_is_refused():
    with pytest.raises(FeatureError, match="no tokens"):
        store([[0.0]], [0], [0])
    with pytest.raises(FeatureError, match="past the end"):
        store([[0.0]], [0], [2])


def test_mapped_arrays_hold_what_is_written_and_leave_no_file(tmp_path):
    array = mapped_array(3, 2, tmp_path)
    assert array.tolist() == [[0, 0], [0, 0], [0, 0]]
    array[1] = 5
    assert array.sum() == 10
    assert list((tmp_path / ".gazeline/scratch").iterdir()) == []
    assert mapped_array(0, 2, tmp_path).shape == (0, 2)


def test_features_that_find_no_room_are_refused_before_training(tmp_path):
    with pytest.raises(TableError, match=r"disk is full: 1\d+.0 GB of features|cannot be mapped"):
        mapped_array(1 << 33, 512, tmp_path)
