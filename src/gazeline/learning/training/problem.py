"""One fold of an experiment in memory: features, classes and who trains, validates and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch

from gazeline.learning.training.estimators.described import Described
from gazeline.learning.training.features import Ints, TokenStore, token_rows
from gazeline.learning.training.models.inputs import Batch, Moments, Tokens
from gazeline.learning.training.moments import row_moments


@dataclass(frozen=True)
class Problem:
    """Samples of one fold.

    `stores` and `caps` are keyed by modality; `targets` is the class of each sample in the role
    it has in the fold, `part_targets` the class when a model of one modality alone trains on it;
    `films` numbers the film of each sample; `splits` holds the sample indices of train, validation
    and test. `described` is what an estimator sees of the samples in place of `stores`.
    """

    stores: Mapping[str, TokenStore]
    caps: Mapping[str, int | None]
    targets: Ints
    part_targets: Mapping[str, Ints]
    films: Ints
    splits: Mapping[str, Ints]
    classes: tuple[str, ...]
    described: Described | None = None

    @property
    def n_outputs(self) -> int:
        """Return how many logits a model has: one for two classes."""
        return 1 if len(self.classes) == 2 else len(self.classes)

    @cached_property
    def lengths(self) -> Ints:
        """Return the tokens of each sample as a model takes them, all modalities together."""
        kept = [
            np.minimum(store.lengths, self.caps[name] or store.lengths)
            for name, store in self.stores.items()
        ]
        total: Ints = np.sum(kept, axis=0)
        return total

    def batch(self, indices: Ints, device: torch.device) -> Batch:
        """Return the tokens and films of some samples."""
        tokens = {}
        for name, store in self.stores.items():
            rows, lengths = token_rows(
                store.starts[indices], store.lengths[indices], self.caps[name]
            )
            tokens[name] = Tokens(torch.from_numpy(store.values[rows]).to(device), lengths)
        return Batch(tokens, torch.from_numpy(self.films[indices]).to(device))

    def part(self, modality: str) -> Problem:
        """Return the problem of a model of one modality alone, with that modality's positives."""
        return replace(
            self,
            stores={modality: self.stores[modality]},
            caps={modality: self.caps[modality]},
            targets=self.part_targets[modality],
            part_targets={},
        )


def training_moments(store: TokenStore, train: Ints) -> Moments:
    """Return mean and deviation of each feature over the tokens of the training samples.

    A window that several samples share counts once.
    """
    return row_moments(store.values, _used_rows(store, train))


def _used_rows(store: TokenStore, samples: Ints) -> Ints:
    edges = np.zeros(len(store.values) + 1, dtype=np.int64)
    np.add.at(edges, store.starts[samples], 1)
    np.add.at(edges, store.starts[samples] + store.lengths[samples], -1)
    return np.flatnonzero(np.cumsum(edges[:-1]) > 0)
