"""Batches: balanced, of similar length, complete."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch

from gazeline.learning.training.batches import (
    epoch_samples,
    film_batches,
    n_epoch_samples,
    oversampled,
    resampled,
    shuffled_batches,
    sorted_batches,
)
from gazeline.params.learning import DifferentialParams


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_oversampling_repeats_the_minority_until_classes_are_even():
    targets = np.array([0] * 10 + [1] * 3)
    indices = oversampled(targets, generator())
    counts = Counter(indices.tolist())
    assert Counter(targets[indices].tolist()) == {0: 10, 1: 10}
    assert set(counts) == set(range(13))
    assert all(counts[i] == 1 for i in range(10))


def test_oversampling_evens_out_three_classes():
    targets = np.array([0] * 7 + [1] * 2 + [2] * 4)
    assert Counter(targets[oversampled(targets, generator())].tolist()) == {0: 7, 1: 7, 2: 7}


def test_resampling_draws_as_many_as_there_are_with_even_classes():
    targets = np.array([0] * 900 + [1] * 100)
    indices = resampled(targets, generator())
    assert len(indices) == 1000
    assert abs(targets[indices].mean() - 0.5) < 0.05
    assert len(set(indices.tolist())) < 600


@pytest.mark.parametrize("balance", ["oversample", "resample", "weights", "none"])
def test_the_length_of_an_epoch_is_known_before(balance):
    targets = np.array([0] * 7 + [1] * 2 + [2] * 4)
    expected = 21 if balance == "oversample" else 13
    assert n_epoch_samples(targets, balance) == expected
    assert len(epoch_samples(targets, balance, generator())) == expected


FILMS = np.repeat([0, 1, 2, 3], [70, 34, 64, 5])


def epoch_of_films(of=None):
    return list(film_batches(np.arange(173), FILMS, DifferentialParams(), of or generator()))


def test_film_batches_hold_every_sample_once_and_two_films_where_there_are_two():
    for seed in range(20):
        batches = epoch_of_films(generator(seed))
        assert sorted(np.concatenate(batches).tolist()) == list(range(173))
        counts = [Counter(FILMS[batch].tolist()) for batch in batches]
        assert all(len(count) == 2 for count in counts)
        sizes = Counter(n for count in counts for n in count.values())
        assert sizes == {32: 5, 6: 1, 2: 1, 5: 1}
    assert [b.tolist() for b in epoch_of_films()] == [b.tolist() for b in epoch_of_films()]


def test_films_meet_others_in_every_epoch_and_their_samples_are_shuffled():
    one = generator()
    films = np.repeat(np.arange(14), 128)
    sizes = DifferentialParams()
    met, first_parts = set(), set()
    for _ in range(30):
        for batch in film_batches(np.arange(len(films)), films, sizes, one):
            assert len(batch) == 64
            met.add(tuple(sorted(set(films[batch].tolist()))))
            first_parts.add(tuple(sorted(batch[films[batch] == films[batch[0]]].tolist())))
    assert len(met) == 14 * 13 / 2
    assert len(first_parts) > 0.9 * 30 * 28


def test_a_single_last_sample_of_a_film_joins_those_before():
    films = np.repeat([0, 1], [33, 65])
    batches = list(film_batches(np.arange(98), films, DifferentialParams(), generator()))
    sizes = [sorted(Counter(films[b].tolist()).values()) for b in batches]
    assert sorted(sizes) in ([[32], [33, 33]], [[32, 33], [33]])


@pytest.mark.parametrize("n", [2, 31, 32, 33, 65, 1000])
def test_batches_hold_every_sample_once_and_never_a_lone_one(n):
    lengths = np.random.default_rng(n).integers(1, 200, n)
    batches = list(shuffled_batches(np.arange(n), lengths, 32, generator()))
    assert sorted(np.concatenate(batches).tolist()) == list(range(n))
    assert min(len(batch) for batch in batches) > 1


def test_batches_differ_between_epochs_and_not_between_equal_seeds():
    lengths, order = np.ones(100, dtype=np.int64), np.arange(100)
    one = generator()
    first, second = (list(shuffled_batches(order, lengths, 10, one)) for _ in range(2))
    again = list(shuffled_batches(order, lengths, 10, generator()))
    assert [b.tolist() for b in first] == [b.tolist() for b in again]
    assert [b.tolist() for b in first] != [b.tolist() for b in second]


def test_buckets_save_most_of_the_padding():
    """Lengths as in MObyGaze: median 41, many far from the longest."""
    lengths = np.minimum(np.random.default_rng(0).lognormal(3.7, 0.9, 2000).astype(int) + 1, 160)
    batches = list(shuffled_batches(np.arange(2000), lengths, 32, generator()))
    padded = sum(len(b) * lengths[b].max() for b in batches)
    assert padded < 1.2 * lengths.sum()
    assert 2 * lengths.sum() < 160 * 2000


def test_prediction_batches_hold_every_sample_within_the_token_budget():
    lengths = np.random.default_rng(0).integers(1, 160, 500)
    batches = sorted_batches(lengths, 1000)
    assert sorted(np.concatenate(batches).tolist()) == list(range(500))
    assert all(len(b) == 1 or len(b) * lengths[b].max() <= 1000 for b in batches)
    assert len(batches) < 2 * lengths.sum() / 1000
