"""DVC is called so that stages find it, also after a run was killed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gazeline.orchestration.dvc import (
    Reproduction,
    mend_rwlock,
    reproduce,
    stage_environment,
    without_chatter,
)


def test_a_stage_finds_this_python_without_an_activated_environment(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    first = stage_environment()["PATH"].split(os.pathsep)[0]
    assert Path(first) == Path(sys.executable).parent
    assert shutil.which("python", path=first) is not None


def test_a_half_written_lock_of_a_killed_run_is_mended_and_a_whole_one_kept(tmp_path):
    lock = tmp_path / "rwlock"
    assert not mend_rwlock(lock)
    lock.write_text('{"data/x": {"read": []}}')
    assert not mend_rwlock(lock)
    assert lock.is_file()
    for damaged in ('{"data/x": {"re', ""):
        lock.write_text(damaged)
        assert mend_rwlock(lock)
        assert not lock.exists()


SAID = """'data/releases/x.dvc' didn't change, skipping
Stage 'check' didn't change, skipping

Running stage 'ingest@sample':
> python stages/ingest.py sample
ingest@sample: 6 films
Updating lock file 'dvc.lock'

Stage 'aggregate' is cached - skipping run, checking out outputs

To track the changes with git, run:

\tgit add dvc.lock

To enable auto staging, run:

\tdvc config core.autostage true
Use `dvc push` to send your updates to remote storage.
"""


def test_what_dvc_says_is_shown_without_its_chatter():
    assert "".join(without_chatter(SAID.splitlines(keepends=True))) == (
        "Running stage 'ingest@sample':\n"
        "> python stages/ingest.py sample\n"
        "ingest@sample: 6 films\n"
        "Updating lock file 'dvc.lock'\n"
        "\n"
        "Stage 'aggregate' is cached - skipping run, checking out outputs\n"
    )


@pytest.fixture
def two_stages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    for command in ("git init -q .", f"{sys.executable} -m dvc init -q"):
        subprocess.run(command.split(), check=True)
    Path("dvc.yaml").write_text(
        "stages:\n"
        "  one: {cmd: echo first > one, outs: [one]}\n"
        "  two: {cmd: cp one two, deps: [one], outs: [two]}\n"
    )


def test_a_run_counts_its_stages_and_one_with_nothing_to_do_says_nothing(two_stages, capsys):
    assert reproduce([]) == Reproduction(0, 2)
    said = capsys.readouterr().out
    assert "Running stage 'one':\n> echo first > one\n" in said
    assert "git add" not in said
    assert reproduce([]) == Reproduction(0, 0)
    assert capsys.readouterr().out == ""
