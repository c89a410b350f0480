"""Which samples go into which step: balanced classes, batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from gazeline.learning.training.features import Ints

# Batches that are sorted by length together: enough to save padding, few enough to stay random.
BATCHES_PER_BUCKET = 16


def oversampled(targets: Ints, generator: torch.Generator) -> Ints:
    """Return indices in which every class is as frequent as the largest one.

    All samples occur; those of the smaller classes again, drawn with replacement.
    """
    members = [np.flatnonzero(targets == c) for c in np.unique(targets)]
    largest = max(len(m) for m in members)
    parts = []
    for of_class in members:
        extra = torch.randint(len(of_class), (largest - len(of_class),), generator=generator)
        parts += [of_class, of_class[extra.numpy()]]
    return np.concatenate(parts).astype(np.int64)


def n_oversampled(targets: Ints) -> int:
    """Return how many indices `oversampled` gives."""
    counts = np.unique_counts(targets).counts
    return len(counts) * int(counts.max())


def shuffled_batches(
    indices: Ints, lengths: Ints, batch_size: int, generator: torch.Generator
) -> Iterator[Ints]:
    """Yield batches in random order, each of samples of similar length.

    A last batch of one sample joins the one before: batch norm needs two.

    Args:
        indices: samples to go through, repetitions allowed.
        lengths: tokens of every sample of the experiment, int64.
    """
    order = indices[torch.randperm(len(indices), generator=generator).numpy()]
    span = batch_size * BATCHES_PER_BUCKET
    batches: list[Ints] = []
    for start in range(0, len(order), span):
        bucket = order[start : start + span]
        bucket = bucket[np.argsort(lengths[bucket], kind="stable")]
        batches += [bucket[i : i + batch_size] for i in range(0, len(bucket), batch_size)]
    single = next((i for i, batch in enumerate(batches) if len(batch) == 1), None)
    if single is not None and len(batches) > 1:
        lone = batches.pop(single)
        batches[single - 1] = np.concatenate([batches[single - 1], lone])
    for index in torch.randperm(len(batches), generator=generator).tolist():
        yield batches[index]


def sorted_batches(lengths: Ints, max_tokens: int) -> list[Ints]:
    """Return batches of places in `lengths`, shortest first, of `max_tokens` padded at most."""
    order = np.argsort(lengths, kind="stable")
    batches, start = [], 0
    for stop in range(1, len(order) + 1):
        full = stop == len(order) or (stop + 1 - start) * lengths[order[stop]] > max_tokens
        if full:
            batches.append(order[start:stop])
            start = stop
    return batches
