"""How long `dvc repro` takes when there is nothing to do, with 20 films and 12 experiments.

Every dependency and output is a small file, committed to DVC without running a stage: what is
measured is DVC's own work on the graph. Prints seconds, and their ratio to starting DVC alone.

    python benchmarks/noop.py [--films 20] [--experiments 12] [--folds 5] [--runs 5]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ruamel.yaml import YAML

PROJECT = Path(__file__).resolve().parents[1]
TRACKED = ("dvc.yaml", "params.yaml", ".dvc", ".dvcignore", "src", "stages", ".gitignore")


def build(root: Path, n_films: int, n_experiments: int, n_folds: int) -> None:
    """Write a repository of that size with every file in place."""
    for name in TRACKED:
        source = PROJECT / name
        ignore = shutil.ignore_patterns("cache", "tmp", "__pycache__")
        if source.is_dir():
            shutil.copytree(source, root / name, ignore=ignore)
        else:
            shutil.copy2(source, root / name)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    write_params(root, n_films, n_experiments, n_folds)
    run(root, sys.executable, "-m", "gazeline.cli", "plan")
    resolve_and_fill(root)
    run(root, sys.executable, "-m", "dvc", "commit", "--force", "--quiet")


def write_params(root: Path, n_films: int, n_experiments: int, n_folds: int) -> None:
    """Write params.yaml with films, folds and experiments of the size asked for."""
    yaml = YAML(typ="safe")
    data = yaml.load((root / "params.yaml").read_text())
    films = [f"film-{k:02d}" for k in range(n_films)]
    data["films"] = {f: {"copy": f"data/films/{f}.mkv", "corpora": ["sample"]} for f in films}
    per_fold = n_films // n_folds
    data["corpora"]["sample"]["folds"] = [
        {
            "fold": k + 1,
            "test": films[k * per_fold : (k + 1) * per_fold],
            "validation": [films[((k + 1) * per_fold) % n_films]],
        }
        for k in range(n_folds)
    ]
    template = {**data["experiments"]["sample-visual-video"], "folds": []}
    data["experiments"] = {f"experiment-{k:02d}": template for k in range(n_experiments)}
    with (root / "params.yaml").open("w") as file:
        YAML().dump(data, file)


def resolve_and_fill(root: Path) -> None:
    """Create every dependency and output that DVC resolves from the templates."""
    import os

    from dvc.repo import Repo

    before = Path.cwd()
    os.chdir(root)
    try:
        with Repo(".") as repo:
            paths = [
                Path(str(item))
                for stage in repo.index.stages
                for item in (*stage.deps, *stage.outs)
                if "params" not in type(item).__name__.lower()
            ]
    finally:
        os.chdir(before)
    for path in paths:
        file = root / path
        if file.exists():
            continue
        if file.suffix:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(str(path))
        else:
            file.mkdir(parents=True, exist_ok=True)
            (file / "content.txt").write_text(str(path))


def run(root: Path, *command: str) -> str:
    """Run a command in the repository and return what it printed."""
    answer = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise SystemExit(f"{' '.join(command)}\n{answer.stdout}\n{answer.stderr}")
    return answer.stdout


def seconds(root: Path, *command: str) -> float:
    """Return the wall-clock time of a command."""
    start = time.perf_counter()
    run(root, *command)
    return time.perf_counter() - start


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--films", type=int, default=20)
    parser.add_argument("--experiments", type=int, default=12)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repository"
        root.mkdir()
        build(root, arguments.films, arguments.experiments, arguments.folds)
        dvc = (sys.executable, "-m", "dvc")
        n_stages = len(run(root, *dvc, "stage", "list", "--name-only").split())
        printed = run(root, *dvc, "repro")
        assert "Running stage" not in printed, printed
        noop = [seconds(root, *dvc, "repro") for _ in range(arguments.runs)]
        start = [seconds(root, *dvc, "--version") for _ in range(arguments.runs)]
        lock = (root / "dvc.lock").stat().st_size / 1024
    median = statistics.median(noop)
    print(
        f"{n_stages} stages, dvc.lock {lock:.0f} KiB: no-op dvc repro {median:.2f} s "
        f"(min {min(noop):.2f}, max {max(noop):.2f}), "
        f"{median / statistics.median(start):.1f}x the start of DVC alone"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
