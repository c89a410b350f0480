"""ActionFormer's parts: padding, assignment of points, losses, soft-NMS and voting."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from gazeline.learning.training.models.actionformer.decoding import decode, soft_nms, vote
from gazeline.learning.training.models.actionformer.losses import (
    assign,
    detection_loss,
    diou_loss,
    focal_loss,
)
from gazeline.learning.training.models.actionformer.network import ActionFormer
from gazeline.params.actionformer import ActionFormerParams

PARAMS = ActionFormerParams(
    max_cells=32, width=16, heads=2, window=5, regression_ranges=((0, 8), (8, 10_000))
)


def model(seed=0, n_classes=2):
    torch.manual_seed(seed)
    return ActionFormer(6, n_classes, PARAMS)


def levels_of(n_cells=32, n_classes=1):
    x = torch.zeros(1, 6, n_cells)
    return model(n_classes=n_classes).eval()(x, torch.ones(1, n_cells, dtype=torch.bool))


def test_padding_never_matters():
    former, x = model().eval(), torch.randn(1, 6, 24)
    results = []
    for filling in (0.0, 100.0):
        padded = torch.cat([x, torch.full((1, 6, 8), filling)], dim=2)
        mask = torch.arange(32)[None] < 24
        results.append(former(padded, mask))
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one.logits, other.logits)
        torch.testing.assert_close(one.offsets, other.offsets)
        assert one.mask.sum() == 24 // one.stride
    assert [level.logits.shape for level in results[0]] == [(1, 32, 2), (1, 16, 2)]


def test_a_fresh_classifier_calls_the_prior_share_positive():
    level = levels_of()[0]
    assert float(torch.sigmoid(level.logits).mean()) == pytest.approx(PARAMS.prior, abs=0.01)


def test_points_answer_for_the_interval_they_lie_in_by_hand():
    """An interval of cells 10 to 16 belongs to the fine level, one of 30 cells to the coarse one.

    Centre sampling keeps points at most 1.5 strides from the middle: 12, 13 and 14.
    """
    levels = levels_of()
    wanted = assign(levels, torch.tensor([[10.0, 16.0]]), torch.tensor([0]), PARAMS)
    assert wanted.classes[:, 0].nonzero().flatten().tolist() == [12, 13, 14]
    assert wanted.offsets[12].tolist() == [2.0, 4.0]
    coarse = assign(levels, torch.tensor([[1.0, 31.0]]), torch.tensor([0]), PARAMS)
    # Coarse points 7, 8, 9 lie at cells 14, 16 and 18, of which 16 is the middle.
    assert coarse.classes[:, 0].nonzero().flatten().tolist() == [32 + 7, 32 + 8, 32 + 9]
    assert coarse.offsets[32 + 8].tolist() == [7.5, 7.5]


def test_of_several_intervals_the_shortest_is_answered_for_and_none_gives_none():
    levels = levels_of(n_classes=2)
    bounds = torch.tensor([[6.0, 20.0], [11.0, 15.0]])
    wanted = assign(levels, bounds, torch.tensor([0, 1]), PARAMS)
    assert wanted.classes[13].tolist() == [0.0, 1.0]
    empty = assign(levels, torch.zeros(0, 2), torch.zeros(0, dtype=torch.long), PARAMS)
    assert not empty.classes.any()


def test_losses_by_hand():
    logits, classes = torch.tensor([[0.0]]), torch.tensor([[1.0]])
    assert float(focal_loss(logits, classes)) == pytest.approx(0.25 * 0.25 * math.log(2))
    # [-2, 2] against [-4, 0]: IoU 2/6, centres 2 apart in an enclosing length of 6.
    answered, wanted = torch.tensor([[2.0, 2.0]]), torch.tensor([[4.0, 0.0]])
    assert float(diou_loss(answered, wanted)) == pytest.approx(1 - 2 / 6 + (2 / 6) ** 2)
    assert float(diou_loss(wanted, wanted)) == pytest.approx(0.0)


def test_gradients_reach_every_weight_and_stretches_without_intervals_are_judged():
    former = model(n_classes=1).train()
    levels = former(torch.randn(2, 6, 32), torch.ones(2, 32, dtype=torch.bool))
    bounds = [torch.tensor([[4.0, 9.0], [2.0, 30.0]]), torch.zeros(0, 2)]
    labels = [torch.tensor([0, 0]), torch.zeros(0, dtype=torch.long)]
    loss = detection_loss(former, levels, bounds, labels, PARAMS)
    loss.backward()
    assert torch.isfinite(loss)
    missing = [name for name, p in former.named_parameters() if p.grad is None]
    assert missing == []
    assert float(former.normaliser) < 100


@pytest.mark.parametrize("seed", range(10))
def test_soft_nms_is_that_of_a_plain_loop(seed):
    rng = np.random.default_rng(seed)
    starts = rng.uniform(0, 30, 25)
    bounds = np.stack([starts, starts + rng.uniform(1, 10, 25)], axis=1)
    scores = rng.uniform(0.01, 1, 25)
    left = [(float(s), float(a), float(b)) for s, (a, b) in zip(scores, bounds, strict=True)]
    expected = []
    while left:
        best = max(left)
        left.remove(best)
        if best[0] <= PARAMS.min_score:
            break
        expected.append(best)
        lowered = []
        for score, a, b in left:
            both = max(0.0, min(b, best[2]) - max(a, best[1]))
            iou = both / (b - a + best[2] - best[1] - both)
            lowered.append((score * math.exp(-(iou**2) / PARAMS.nms_sigma), a, b))
        left = lowered
    found, lowered_scores = soft_nms(bounds, scores, PARAMS)
    assert lowered_scores == pytest.approx([row[0] for row in expected])
    assert found == pytest.approx(np.array([row[1:] for row in expected]))


def test_voting_takes_the_mean_of_candidates_that_overlap_enough():
    every = np.array([[0.0, 10.0], [1.0, 11.0], [50.0, 60.0]])
    voted = vote(every[:1], every, np.array([0.6, 0.3, 0.9]), 0.7)
    weights = np.array([0.6, 0.3 * 9 / 11])
    assert voted[0, 0] == pytest.approx(weights[1] / weights.sum())


def test_decoding_drops_what_is_masked_short_or_below_the_least_score():
    former = model(n_classes=1).eval()
    mask = torch.zeros(1, 32, dtype=torch.bool)
    (found,) = decode(former(torch.randn(1, 6, 32), mask), PARAMS, 0.1)
    assert len(found.bounds) == len(found.scores) == 0
    mask[:] = True
    (every,) = decode(former(torch.randn(1, 6, 32), mask), PARAMS, 1e9)
    assert len(every.bounds) == 0
