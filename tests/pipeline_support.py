"""A small repository of the project, reproduced once, that each scenario copies."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

RUNNING = re.compile(r"^Running stage '([^']+)'", re.MULTILINE)
SMALL_FILMS = ("sample-lantern", "sample-ferry", "sample-orchard")
LEFT_OUT_FILMS = ["sample-kite", "sample-glass"]


@dataclass(frozen=True)
class Answer:
    """What a command printed, its status and the stages that it executed."""

    status: int
    output: str

    @property
    def ran(self) -> list[str]:
        """Names of the stages executed, in order."""
        return RUNNING.findall(self.output)


@dataclass(frozen=True)
class Repository:
    """A git and DVC repository of the project in a temporary folder."""

    root: Path

    def run(self, *command: str, check: bool = True) -> Answer:
        """Run a command of the project's environment in the repository."""
        answer = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if check and answer.returncode:
            raise AssertionError(f"{' '.join(command)} failed:\n{answer.stdout[-6000:]}")
        return Answer(answer.returncode, answer.stdout)

    def environment(self) -> dict[str, str]:
        """Run this repository's own code, with the tools of the running Python."""
        binaries = str(Path(sys.executable).parent)
        return {
            **os.environ,
            "PATH": binaries + os.pathsep + os.environ["PATH"],
            "PYTHONPATH": str(self.root / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }

    def dvc(self, *arguments: str, check: bool = True) -> Answer:
        """Run DVC."""
        return self.run("dvc", *arguments, check=check)

    def gazeline(self, *arguments: str, check: bool = True) -> Answer:
        """Run the command line."""
        return self.run(sys.executable, "-m", "gazeline.cli", *arguments, check=check)

    def repro(self, *arguments: str, check: bool = True) -> Answer:
        """Run `dvc repro --keep-going`."""
        return self.dvc("repro", "--keep-going", *arguments, check=check)

    def commit(self, message: str) -> None:
        """Commit everything that git does not ignore."""
        self.run("git", "add", "-A")
        self.run("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", message)

    def params(self) -> dict[str, Any]:
        """Read params.yaml."""
        data: dict[str, Any] = YAML(typ="safe").load((self.root / "params.yaml").read_text())
        return data

    def write_params(self, data: dict[str, Any]) -> None:
        """Write params.yaml (without its comments) and the plan."""
        yaml = YAML()
        with (self.root / "params.yaml").open("w") as file:
            yaml.dump(data, file)
        self.gazeline("plan")

    def replace(self, before: str, after: str) -> None:
        """Replace a text in params.yaml that occurs exactly once."""
        path = self.root / "params.yaml"
        text = path.read_text()
        assert text.count(before) == 1, f"{before!r} occurs {text.count(before)} times"
        path.write_text(text.replace(before, after))

    def copy_to(self, target: Path) -> Repository:
        """Return a copy of the repository with its cache and workspace."""
        subprocess.run(["cp", "-a", str(self.root), str(target)], check=True)
        return Repository(target)


def new_repository(project: Path, root: Path) -> Repository:
    """Return a repository with the project's tracked and new files, not yet reproduced."""
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in filter(None, files):
        if name.startswith(("metrics/", "tests/", "benchmarks/")) or name == "dvc.lock":
            continue
        if (project / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(project / name, root / name)
    (root / "metrics").mkdir(exist_ok=True)
    repository = Repository(root)
    repository.run("git", "init", "-q", "-b", "main")
    return repository


def shrink(repository: Repository) -> None:
    """Make the sample small: films of 10 s, three with a copy, a fourth annotated only."""
    data = repository.params()
    data["sample"]["seconds"] = 10
    data["films"] = {name: data["films"][name] for name in SMALL_FILMS}
    corpus = data["corpora"]["sample"]
    corpus["exclude"] = LEFT_OUT_FILMS
    one, two, _ = SMALL_FILMS
    corpus["folds"] = [{"fold": 1, "test": [one], "validation": [two]}]
    data["statistics"]["agreement"]["bootstrap"] = 20
    data["training"] |= {"seeds": [0, 1], "epochs": 4}
    data["experiments"] = {
        name: entry for name, entry in data["experiments"].items() if "/" not in entry["task"]
    }
    data["experiments"]["sample-hard-video-audio"] = {
        **data["experiments"]["sample-visual-video"],
        "task": "hard",
        "modalities": ["video", "audio"],
    }
    for experiment in data["experiments"].values():
        experiment["training"] = {}
        experiment["folds"] = experiment["folds"] and [1]
    repository.write_params(data)
