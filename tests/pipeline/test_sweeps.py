"""Sweeps with DVC's own experiments: `dvc exp run -S`, `dvc exp show`, `dvc plots diff`."""

from __future__ import annotations

import csv
import io
import json

import pytest

pytestmark = pytest.mark.slow

RUNS = {
    "train@sample-hard-video-audio-1",
    "train@sample-speech-text-1",
    "train@sample-visual-video-1",
}


def test_a_setting_is_swept_and_shown_beside_its_scores(repository):
    answer = repository.dvc("exp", "run", "-S", "training.epochs=2", "--name", "two-epochs")
    assert set(answer.ran) == RUNS | {"aggregate"}
    history = repository.root / "data/runs/sample-speech-text/fold-1/history.csv"
    epochs = {row["epoch"] for row in csv.DictReader(history.open())}
    assert epochs == {"1", "2"}
    table = repository.dvc("exp", "show", "--csv").output
    # The baselines have a revision and no name.
    rows = {row["Experiment"] or row["rev"]: row for row in csv.DictReader(io.StringIO(table))}
    score = next(
        name for name in rows["main"] if name.endswith("sample-visual-video.ap_macro.mean")
    )
    assert rows["two-epochs"]["training.epochs"] == "2"
    assert rows["main"]["training.epochs"] == "4"
    summary = json.loads((repository.root / "metrics/summary.json").read_text())
    shown = float(rows["two-epochs"][score])
    assert shown == pytest.approx(summary["sample-visual-video"]["ap_macro"]["mean"], abs=1e-4)
    repository.dvc("plots", "diff", "HEAD", "workspace")
    page = (repository.root / "dvc_plots/index.html").read_text()
    assert "Loss over epochs" in page
    assert "Precision over recall" in page
    compared = repository.dvc("metrics", "diff", "--md").output
    assert "| metrics/comparisons.json" in compared
    assert "metrics/ledger.json" not in compared
