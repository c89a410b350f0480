"""Everything that can be had is written when an experiment or a kind of statistics failed."""

from __future__ import annotations

import json
import shutil

import numpy as np

from gazeline.evaluation.report import write_report
from gazeline.evaluation.setting import PRESETS
from gazeline.params.base import read_yaml
from gazeline.params.subset import SubsetParams
from runs_support import write_run

TEXT = "mobygaze-speech-text-mlp"
FAILED = "mobygaze-speech-text-transformer"


def test_the_ledger_has_what_finished_and_says_what_failed(project, tmp_path):
    shutil.copytree(project / PRESETS, tmp_path / PRESETS)
    template = read_yaml(project / "src/gazeline/orchestration/templates/mobygaze.yaml")
    experiments = read_yaml(project / PRESETS / "table7.yaml")["experiments"]
    params = {
        "corpora": template["corpora"],
        "encoders": template["encoders"],
        "experiments": experiments,
        "subtitles": {"join": "released", "preset": "released"},
    }
    targets = [1, 0, 1, 0, 0, 1]
    scores = np.random.default_rng(0).random((5, 6)).tolist()
    for fold in range(1, 6):
        write_run(tmp_path, TEXT, fold, targets, scores, task="speech")
    plan = {
        "experiments": {name: {"corpus": "mobygaze"} for name in experiments},
        "runs": {
            f"{name}-{fold}": {"experiment": name, "fold": fold}
            for name in experiments
            for fold in range(1, 6)
        },
        "left_out": {},
        "aggregate": {
            "published": {
                "corpus": True,
                "copies": False,
                "encoders": template["corpora"]["mobygaze"]["encoders"],
            }
        },
    }
    missing = {f"train@{FAILED}-{fold}": "a loss diverges" for fold in range(1, 6)}
    missing |= {f"{stage}@mobygaze": "x" for stage in ("agreement", "describe", "consistency")}
    missing["ingest@mobygaze"] = "x"
    report = write_report(plan, params, SubsetParams(), tmp_path, missing=missing)
    assert (report.n_experiments, report.n_runs) == (1, 5)
    ledger = json.loads((tmp_path / "metrics/ledger.json").read_text())
    lines = {entry["id"]: entry for entry in ledger["entries"]}
    scored = lines["table7/bert_mlp/pr_auc_macro"]
    assert (scored["status"], scored["n"]) == ("differs", 25)
    lost = lines["table7/bert_transf/pr_auc_macro"]
    assert (lost["status"], lost["why"], lost["detail"]) == (
        "missing",
        "experiment failed",
        "a loss diverges",
    )
    assert lines["table2/concept/body/alpha"]["why"] == "not measured"
