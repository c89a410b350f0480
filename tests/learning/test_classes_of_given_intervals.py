"""ActionFormer told the true bounds: which interval is of which class (the paper's TClassif)."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.metrics import average_precision_score

from gazeline.learning.datasets.dataset import build_dataset
from gazeline.learning.training.models.actionformer.given import classify_given
from gazeline.learning.training.models.actionformer.network import Level
from gazeline.params.actionformer import ActionFormerParams
from gazeline.schema.temporal import DETECTIONS, TARGETS
from gazeline.tables import read_frame
from learning.synthetic import make_toy, request
from learning.timed_toy import SCENES, train_timed_toy

PARAMS = ActionFormerParams(
    regression_ranges=((0, 4), (4, 10_000)), max_cells=16, centre_radius=1.5
)


def test_an_interval_is_scored_by_the_points_around_its_middle_at_its_level():
    """Half of 2 to 6 is 2, so the fine level: points 3, 4 and 5. Half of 0 to 12 is 6: 4 to 8."""
    fine, coarse = torch.zeros(1, 16, 1), torch.zeros(1, 8, 1)
    fine[0, :, 0], coarse[0, :, 0] = torch.arange(16) / 4, -torch.arange(8) / 4
    levels = [
        Level(stride, logits, torch.zeros(1, n, 2), torch.ones(1, n, dtype=torch.bool))
        for stride, logits, n in ((1, fine, 16), (2, coarse, 8))
    ]
    found = classify_given(levels, 0, np.array([[2.0, 6.0], [0.0, 12.0], [7.1, 7.2]]), PARAMS)

    def mean(level, points):
        return torch.sigmoid(level[0, points, 0]).mean().item()

    expected = [mean(fine, [3, 4, 5]), mean(coarse, [2, 3, 4]), mean(fine, [7])]
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-6)


def test_negative_segments_are_given_too_and_rank_below_the_positive_ones(tmp_path):
    make_toy(strength=4.0).write(tmp_path)
    asked = request("video", task="intervals/visual", train_annotators=("annotator1",),
                    test_annotators=("annotator1",))  # fmt: skip
    named = type(asked)(**{**asked.__dict__, "experiment": "toy", "scenes": SCENES})
    manifest = build_dataset(named, tmp_path)
    summary = train_timed_toy(tmp_path, "actionformer-classes", epochs=20, learning_rate=0.003)
    assert summary["classes"] == list(manifest.classes)
    table = read_frame(tmp_path / "data/runs/toy/fold-1/detections.parquet", DETECTIONS)
    targets = read_frame(tmp_path / "data/datasets/toy/targets.parquet", TARGETS)
    keys = ["segment_id", "start_s", "end_s"]
    found = table[(table["seed"] == 0) & (table["split"] == "test")]
    both = found.merge(targets, on=keys, suffixes=("_found", "_true"))
    assert len(both) == len(found) > 10
    assert set(both["target_true"]) == {-1, 0}
    chance = (both["target_true"] == 0).mean()
    assert average_precision_score(both["target_true"] == 0, both["score"]) > chance + 0.3
