"""Learning rates against torch's own schedulers."""

from __future__ import annotations

import pytest
import torch

from gazeline.learning.training.schedules import Schedule
from gazeline.params.learning import TrainingParams


def schedule(kind, **params):
    given = {"learning_rate": 0.1, "epochs": 20, "schedule_patience": 2, **params}
    return Schedule(TrainingParams(schedule=kind, **given), steps_per_epoch=5)


def test_constant_stays():
    made = schedule("constant")
    rates = set()
    for _ in range(20):
        rates |= {made.next_rate() for _ in range(5)}
        made.end_epoch(1.0)
    assert rates == {0.1}


@pytest.mark.parametrize("seed", range(5))
def test_plateau_agrees_with_torch(seed):
    losses = torch.rand(30, generator=torch.Generator().manual_seed(seed)).tolist()
    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
    theirs = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser, patience=2, eps=0)
    ours = schedule("plateau")
    for loss in losses:
        assert ours.next_rate() == pytest.approx(optimiser.param_groups[0]["lr"])
        ours.end_epoch(loss)
        theirs.step(loss)


def test_warmup_rises_linearly_over_its_share_of_all_steps():
    made = schedule("warmup", warmup_share=0.1)
    rates = [made.next_rate() for _ in range(12)]
    assert rates[:10] == pytest.approx([0.01 * k for k in range(1, 11)])
    assert rates[10:] == [0.1, 0.1]


def test_a_plateau_counts_only_after_the_warmup():
    made = schedule("warmup", warmup_share=0.5)
    for _ in range(9):
        for _ in range(5):
            made.next_rate()
        made.end_epoch(1.0)
    assert made.factor == 1.0
    for _ in range(5):
        for _ in range(5):
            made.next_rate()
        made.end_epoch(1.0)
    assert made.factor == pytest.approx(0.1)
