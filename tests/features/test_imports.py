"""A stage imports what it runs and no more, so that an edit elsewhere re-extracts nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

SHOW = "import sys, {module}; print('\\n'.join(m for m in sys.modules if {test}))"


def imported(module: str, project, prefix: str) -> set[str]:
    code = SHOW.format(module=module, test=f"m.startswith({prefix!r})")
    environment = {"PYTHONPATH": str(project / "src"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("module", "foreign"),
    [
        ("video", {"media.sound", "media.downmix", "features.audio", "features.text"}),
        ("audio", {"media.frames", "media.geometry", "features.video", "features.text"}),
        (
            "text",
            {"media.probe", "media.frames", "media.sound", "features.video", "features.audio"},
        ),
    ],
)
def test_a_modality_does_not_import_another(project, module, foreign):
    own = imported(f"gazeline.features.{module}", project, "gazeline")
    assert not own & {f"gazeline.{name}" for name in foreign}
    allowed = {"params", "schema", "media", "features", "tables", "files", "errors", "console"}
    allowed |= {"timeline"}
    assert {name.split(".")[1] for name in own if "." in name} <= allowed
    assert not own & {"gazeline.params.whole", "gazeline.features.weights"}


def test_fetching_an_encoder_from_a_folder_needs_no_torch(project):
    assert not imported("gazeline.features.weights", project, "torch")
