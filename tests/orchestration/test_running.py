"""While a run is under way, what is there is shown, and the run is named."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gazeline.commands.summary import show_summary
from gazeline.orchestration.dvc import stage_environment
from gazeline.orchestration.pending import pending_stages
from gazeline.orchestration.running import RunInProgress, run_in_progress

SUMMARY = {"speech": {"n": {"films": 4, "segments": 90}, "ap_macro": {"mean": 0.5}}}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, "-m", "dvc", "init", "-q", "--no-scm"], check=True)
    Path("dvc.yaml").write_text(
        "stages:\n"
        "  first: {cmd: echo 1 > one, outs: [one]}\n"
        "  second: {cmd: touch begun && sleep 30 && cp one two, deps: [one], outs: [two]}\n"
    )
    Path("plan.yaml").write_text("plan: {runs: {}, left_out: {}}\n")
    Path("metrics").mkdir()
    Path("metrics/summary.json").write_text(json.dumps(SUMMARY))
    return tmp_path


@pytest.fixture
def run(repository):
    process = subprocess.Popen(
        [sys.executable, "-m", "dvc", "repro", "-q"],
        env=stage_environment(),
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not Path("begun").is_file():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    yield process
    os.killpg(process.pid, 9)
    process.wait()


def test_a_run_under_way_is_named_with_its_process_and_stage(run, capsys):
    with pytest.raises(RunInProgress) as told:
        pending_stages()
    assert told.value.what == f"A run is in progress (process {run.pid}, at second)"
    Path(".gazeline").mkdir()
    Path(".gazeline/timings.jsonl").touch()
    show_summary()
    said = capsys.readouterr().out
    assert f"process {run.pid}, at second); these figures may be of an earlier one" in said
    assert said.index("in progress") < said.index("speech")


def test_a_list_that_a_killed_run_left_is_no_run(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    path = tmp_path / "rwlock"
    assert run_in_progress(path) is None
    for pid in (ended.pid, os.getpid()):
        path.write_text(json.dumps({"write": {"/x/one": {"pid": pid, "cmd": "dvc repro"}}}))
        assert run_in_progress(path) is None
    path.write_text(json.dumps({"write": {"/x/one": {"pid": os.getppid(), "cmd": "dvc repro"}}}))
    assert run_in_progress(path).pid == os.getppid()


def test_figures_that_nothing_here_made_are_said_to_be_the_committed_ones(repository, capsys):
    show_summary()
    said = capsys.readouterr().out
    assert said.startswith("\nThese figures are of the committed run; nothing has run here yet.")
    assert "speech" in said


def test_figures_of_an_earlier_run_are_marked_above(repository, capsys):
    Path(".gazeline").mkdir()
    Path(".gazeline/timings.jsonl").touch()
    show_summary()
    said = capsys.readouterr().out
    assert said.startswith("\nThese figures are of an earlier run: ")
    assert "out of date (see `gazeline status`)" in said
