"""Optimisers, averages of weights, and the options of training that a stack does not know."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from gazeline.learning.training.optimisers import WeightAverage, make_optimiser
from gazeline.params.learning import TrainingParams
from learning.synthetic import dataset, make_toy, train


def test_adamw_leaves_biases_and_norms_undecayed():
    model = nn.Sequential(nn.Linear(3, 2), nn.LayerNorm(2))
    optimiser = make_optimiser(
        model, TrainingParams(optimiser="adamw", weight_decay=0.1), torch.device("cpu")
    )
    decayed = {id(p): g["weight_decay"] for g in optimiser.param_groups for p in g["params"]}
    assert {name: decayed[id(p)] for name, p in model.named_parameters()} == {
        "0.weight": 0.1, "0.bias": 0.0, "1.weight": 0.0, "1.bias": 0.0,
    }  # fmt: skip


def test_the_average_of_weights_follows_by_its_decay_and_copies_buffers():
    model = nn.BatchNorm1d(1)
    average = WeightAverage(model, 0.75)
    with torch.no_grad():
        for weight in (5.0, 9.0):
            model.weight.fill_(weight)
            model.running_mean.fill_(weight)
            average.update(model)
    # 1, then 1 + 4 / 4 = 2, then 2 + 7 / 4.
    assert average.model.weight.item() == pytest.approx(3.75)
    assert average.model.running_mean.item() == 9.0
    assert not average.model.training


@pytest.mark.parametrize("option", [{"optimiser": "adamw"}, {"clip": 0.01}, {"ema": 0.9}])
@pytest.mark.parametrize("model", ["mlp", "transformer"])
def test_every_option_reaches_every_network(tmp_path, model, option):
    make_toy(n_segments=4).write(tmp_path)
    dataset(tmp_path)
    kept = []
    for given in ({}, option):
        train(tmp_path, model=model, epochs=2, seeds=(0,), weight_decay=0.5, **given)
        path = tmp_path / "data/runs/toy-video/fold-1/model-0.safetensors"
        kept.append(path.read_bytes())
    assert kept[0] != kept[1]
