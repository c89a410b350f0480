"""Networks come back from their files as they were, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from gazeline.errors import LearningError
from gazeline.learning.kept import load_network
from gazeline.learning.training.fitting import probabilities
from gazeline.learning.training.runs import load_fold
from gazeline.params.learning import ModelChoice, TrainingOverrides, TrainingParams
from gazeline.schema.runs import PREDICTIONS
from gazeline.tables import read_frame
from learning.synthetic import dataset, make_toy, small_models, train

TEST, SEED = "test", 1


def kept(root, name="toy-video"):
    return root / f"data/runs/{name}/fold-1/model-{SEED}.safetensors"


@pytest.fixture
def root(tmp_path):
    make_toy(n_segments=6).write(tmp_path)
    return tmp_path


@pytest.mark.parametrize("model", ["mlp", "transformer", "perceiver", "differential"])
def test_kept_weights_give_the_kept_predictions(root, model):
    name = "toy-video+text"
    dataset(root, "video+text")
    train(root, name, model=model, epochs=2)
    network = load_network(kept(root, name), model, small_models(), 1)
    choice = ModelChoice(model=model, training=TrainingOverrides())
    fold = load_fold(name, 1, choice, TrainingParams(), small_models(), root)
    indices = fold.roles.splits[TEST]
    found = probabilities(network, fold.problem, indices, next(network.parameters()).device)
    table = read_frame(kept(root, name).parent / "predictions.parquet", PREDICTIONS)
    table = table[(table["split"] == TEST) & (table["seed"] == SEED)].set_index("segment_id")
    segments = fold.roles.samples.column("segment_id").take(indices).to_pylist()
    expected = np.stack(table.loc[segments, "score"])
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_part_of_a_late_fusion_comes_back_alone(root):
    dataset(root, "video+text")
    train(root, "toy-video+text", model="late-mlp", epochs=1)
    network = load_network(kept(root, "toy-video+text"), "late-mlp", small_models(), 1, "text")
    assert list(network.scales) == ["text"]


def test_weights_of_another_shape_name_what_differs(root):
    dataset(root)
    train(root, epochs=1)
    other = small_models(mlp={"hidden": [8, 16]})
    with pytest.raises(
        LearningError, match=r"another network: layers.0.weight is \(32, 12\) instead of \(8, 12\)"
    ):
        load_network(kept(root), "mlp", other, 1)
    with pytest.raises(LearningError, match=r"another network: (.|\n)*run.json"):
        load_network(kept(root), "transformer", small_models(), 1)
    with pytest.raises(LearningError, match=r"layers.8.weight is \(1, 16\) instead of \(3, 16\)"):
        load_network(kept(root), "mlp", small_models(), 3)


def test_weights_that_are_damaged_or_missing_are_refused(root):
    with pytest.raises(LearningError, match="Weights cannot be read"):
        load_network(kept(root), "mlp", small_models(), 1)
    kept(root).parent.mkdir(parents=True)
    kept(root).write_bytes(b"no weights")
    with pytest.raises(LearningError, match=r"Weights cannot be read(.|\n)*train again"):
        load_network(kept(root), "mlp", small_models(), 1)
