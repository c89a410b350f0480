"""DVC is called so that stages find it, also after a run was killed."""

import os
import shutil
import sys
from pathlib import Path

from gazeline.orchestration.dvc import mend_rwlock, stage_environment


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
