"""Which samples go into which step: balanced classes, batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from gazeline.learning.training.features import Ints
from gazeline.params.learning import Balance, DifferentialParams

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


def resampled(targets: Ints, generator: torch.Generator) -> Ints:
    """Return as many indices as there are targets, drawn with every class equally likely."""
    _, classes, counts = np.unique(targets, return_inverse=True, return_counts=True)
    chances = torch.from_numpy(1.0 / counts[classes])
    drawn: Ints = torch.multinomial(
        chances, len(targets), replacement=True, generator=generator
    ).numpy()
    return drawn


def epoch_samples(targets: Ints, balance: Balance, generator: torch.Generator) -> Ints:
    """Return the indices of an epoch.

    `oversample` keeps every sample and repeats those of the smaller classes; `resample` draws
    anew, classes even; otherwise every sample occurs once.
    """
    if balance == "oversample":
        return oversampled(targets, generator)
    if balance == "resample":
        return resampled(targets, generator)
    return np.arange(len(targets), dtype=np.int64)


def n_epoch_samples(targets: Ints, balance: Balance) -> int:
    """Return how many indices `epoch_samples` gives."""
    counts = np.unique_counts(targets).counts
    return len(counts) * int(counts.max()) if balance == "oversample" else len(targets)


def film_batches(
    indices: Ints, films: Ints, params: DifferentialParams, generator: torch.Generator
) -> Iterator[Ints]:
    """Yield batches of `segments_per_film` samples of each of `films_per_batch` films.

    Which films meet is drawn anew every time, as is the order of a film's samples. Films do not
    repeat in a batch while there are others. The last samples of a film are fewer; a single one
    joins those before, as it would be its own mean.

    Args:
        films: film of every sample of the experiment.
    """
    order = indices[torch.randperm(len(indices), generator=generator).numpy()]
    waiting = {
        film: _film_parts(order[films[order] == film], params.segments_per_film)
        for film in np.unique(films[order]).tolist()
    }
    batches = []
    while waiting:
        names = list(waiting)
        left = [len(waiting[film]) for film in names]
        chosen = _drawn_films(left, params.films_per_batch, generator)
        batches.append(np.concatenate([waiting[names[place]].pop() for place in chosen]))
        waiting = {film: parts for film, parts in waiting.items() if parts}
    for index in torch.randperm(len(batches), generator=generator).tolist():
        yield batches[index]


def _film_parts(of_film: Ints, size: int) -> list[Ints]:
    parts = [of_film[start : start + size] for start in range(0, len(of_film), size)]
    if len(parts) > 1 and len(parts[-1]) == 1:
        parts[-2:] = [np.concatenate(parts[-2:])]
    return parts


def _drawn_films(left: list[int], most: int, generator: torch.Generator) -> list[int]:
    """Return the places of the films of a batch, drawn by how many parts each has left.

    A film with so many left that it would end up alone is among them.
    """
    chances = torch.tensor(left, dtype=torch.float64)
    longest = int(chances.argmax())
    chosen = []
    if left[longest] * most >= sum(left):
        chosen.append(longest)
        chances[longest] = 0
    wanted = min(most, len(left)) - len(chosen)
    if wanted:
        chosen += torch.multinomial(chances, wanted, generator=generator).tolist()
    return chosen


def shuffled_batches(
    indices: Ints, lengths: Ints, batch_size: int, generator: torch.Generator
) -> Iterator[Ints]:
    """Yield batches in random order, each of samples of similar length.

    One of another size than `batch_size` comes last, so that sizes do not depend on chance. A last
    batch of one sample joins the one before: batch norm needs two.

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
    order_of_batches = torch.randperm(len(batches), generator=generator).tolist()
    order_of_batches.sort(key=lambda index: len(batches[index]) != batch_size)
    for index in order_of_batches:
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
