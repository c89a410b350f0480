"""Write base.lock and test.lock: the versions that pip resolves in a fresh environment.

torch is pinned without a local version and without the CUDA packages, so that the same pin gives
a CPU build where one is offered and the CUDA build on a Linux machine with a GPU.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
TORCH = "torch==2.13.0"
BUILD = ("setuptools", "wheel")
LEFT_OUT = re.compile(
    r"^(gazeline|pip|nvidia-.*|cuda-.*|triton|torchvision|torchaudio|torchcodec)\b"
)


def freeze(python: Path) -> list[str]:
    """Return `name==version` lines without local versions, paths or our own package."""
    command = [str(python), "-m", "pip", "list", "--format=freeze"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return sorted((line.split("+")[0] for line in lines if not LEFT_OUT.match(line)), key=str.lower)


def main() -> int:
    """Resolve twice: what the pipeline needs, then what tests add."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        pip = [str(python), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *BUILD, TORCH], check=True)
        subprocess.run([*pip, TORCH, f"{HERE.parent}[minilm]"], check=True)
        base = freeze(python)
        subprocess.run([*pip, TORCH, f"{HERE.parent}[minilm,test]"], check=True)
        test = freeze(python)
    head = "# Written by `make lock`; do not edit.\n"
    (HERE / "base.lock").write_text(head + "\n".join(base) + "\n", encoding="utf-8")
    added = [line for line in test if line not in base]
    (HERE / "test.lock").write_text(
        head + "-r base.lock\n" + "\n".join(added) + "\n", encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
