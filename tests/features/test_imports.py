"""A stage imports what it runs and no more, so that an edit elsewhere re-extracts nothing."""

from __future__ import annotations

import subprocess
import sys

SHOW = "import sys, {module}; print('\\n'.join(m for m in sys.modules if {test}))"


def imported(module: str, project, prefix: str) -> set[str]:
    code = SHOW.format(module=module, test=f"m.startswith({prefix!r})")
    environment = {"PYTHONPATH": str(project / "src"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return set(done.stdout.split())


def test_fetching_an_encoder_from_a_folder_needs_no_torch(project):
    assert not imported("gazeline.features.fetching.fetch", project, "torch")
