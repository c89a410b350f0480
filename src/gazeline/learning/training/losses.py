"""Cross-entropy over two or more classes, with a weight per class."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from gazeline.learning.training.features import Ints


def class_weights(targets: Ints, n_classes: int, *, even: bool) -> Tensor:
    """Return a weight per class: n / (classes * n of the class), or ones unless `even`."""
    if not even:
        return torch.ones(n_classes)
    counts = np.bincount(targets, minlength=n_classes)
    return torch.from_numpy((len(targets) / (n_classes * counts)).astype(np.float32))


def weighted_loss(logits: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean cross-entropy of a batch.

    Args:
        logits: [batch, 1] for two classes (the logit of class 1), else [batch, classes].
        targets: class of each sample, int64 [batch].
        weights: weight of each class, [classes].
    """
    of_sample = weights[targets]
    return (sample_losses(logits, targets) * of_sample).sum() / of_sample.sum()


def sample_losses(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the cross-entropy of each sample, [batch] (see `weighted_loss`)."""
    if logits.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(
            logits[:, 0], targets.to(logits.dtype), reduction="none"
        )
    return functional.cross_entropy(logits, targets, reduction="none")
