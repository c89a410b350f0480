"""What a pull request changes: reproduce it and put the difference into a comment."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gazeline.errors import GazelineError
from gazeline.orchestration.dvc import capture_dvc
from gazeline.orchestration.repro import absent_set_aside
from gazeline.params.whole import load_params

MARK = "<!-- gazeline -->"
TRIGGERS = ("params.yaml", "plan.yaml", "dvc.yaml", "dvc.lock", "data/", "src/", "stages/")


@dataclass(frozen=True)
class Report:
    """The comment's text and whether the reproduction succeeded."""

    markdown: str
    succeeded: bool


def report(base: str, remote: str | None = None) -> Report:
    """Pull the cache where there is one, reproduce, and compare metrics and params with `base`.

    Args:
        base: a git revision, e.g. `origin/main`.
        remote: name of a DVC remote; None takes the default one, if any.
    """
    if not touches_results(changed_files(base)):
        return Report(f"{MARK}\nNo parameter, data or code of the pipeline changed.\n", True)
    pulled = pull(remote)
    with absent_set_aside(load_params()) as options:
        reproduction = capture_dvc(["repro", *options])
    return Report(compose(base, pulled, reproduction), reproduction.returncode == 0)


def changed_files(base: str) -> list[str]:
    """Return the files that differ between `base` and the work tree.

    Raises:
        GazelineError: this is no git repository, or it has no such revision.
    """
    merge_base = subprocess.run(
        ["git", "merge-base", base, "HEAD"], capture_output=True, text=True, check=False
    )
    since = merge_base.stdout.strip() or base
    answer = subprocess.run(
        ["git", "diff", "--name-only", since, "--"], capture_output=True, text=True, check=False
    )
    if answer.returncode:
        raise GazelineError(
            f"git cannot compare with {base}: {answer.stderr.strip().splitlines()[0]}",
            todo="give --base a revision of this repository, e.g. origin/main",
        )
    return answer.stdout.split()


def touches_results(files: Sequence[str]) -> bool:
    """Return whether any of the files can change a result."""
    return any(file.startswith(TRIGGERS) for file in files)


def pull(remote: str | None) -> str:
    """Pull what the cache has; return a sentence on it. A missing result is made again."""
    listed = capture_dvc(["remote", "list"])
    if not listed.stdout.strip():
        return "No DVC remote is configured: everything was computed here."
    answer = capture_dvc(["pull", "--allow-missing", *(["--remote", remote] if remote else [])])
    if answer.returncode:
        return "The DVC remote could not be read: everything was computed here."
    return "Cached results came from the DVC remote."


def compose(base: str, pulled: str, reproduction: subprocess.CompletedProcess[str]) -> str:
    """Return the comment: what ran, parameters and metrics against `base`."""
    ran = [
        line.removeprefix("Running stage ").strip("':")
        for line in reproduction.stdout.splitlines()
        if line.startswith("Running stage ")
    ]
    parts = [MARK, "## What this changes", ""]
    if reproduction.returncode:
        parts += ["**The reproduction failed.**", "", "```", _tail(reproduction), "```", ""]
    parts += [f"{len(ran)} stages ran. {pulled}", ""]
    if ran:
        parts += ["<details><summary>Stages</summary>", "", ", ".join(ran), "", "</details>", ""]
    parts += ["### Parameters", "", _table(["params", "diff", base, "--md"]), ""]
    parts += ["### Metrics", "", _table(["metrics", "diff", base, "--md"]), ""]
    return "\n".join(parts)


def _table(command: list[str]) -> str:
    answer = capture_dvc(command)
    if answer.returncode:
        return f"`dvc {' '.join(command)}` failed: {answer.stderr.strip().splitlines()[-1:]}"
    return answer.stdout.strip() or "No difference."


def _tail(answer: subprocess.CompletedProcess[str], lines: int = 15) -> str:
    return "\n".join((answer.stdout + answer.stderr).strip().splitlines()[-lines:])


def write_report(base: str, path: Path, remote: str | None = None) -> bool:
    """Write the comment to a file; return whether the reproduction succeeded."""
    result = report(base, remote)
    path.write_text(result.markdown, encoding="utf-8")
    return result.succeeded
