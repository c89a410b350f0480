"""Training against a plain padded loop, several seeds against one, and memory at full scale.

    python benchmarks/training.py transformer [--release DIR]
    python benchmarks/training.py seeds [--model mlp]
    python benchmarks/training.py memory [--model transformer]

Features are made up; lengths are those of MObyGaze's segments (of the release where it is given,
else of a stored summary of them). Each prints its ratio, both sides measured in turn in one run.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from gazeline.learning.training.fitted import Epoch
from gazeline.learning.training.fitting import fit
from gazeline.learning.training.learners import LEARNERS
from gazeline.learning.training.runs import train_fold
from gazeline.learning.training.timings import read_timings
from gazeline.params.learning import (
    ModelChoice,
    ModelName,
    ModelsParams,
    TrainingOverrides,
    TrainingParams,
)
from gazeline.params.runtime import RuntimeParams
from training_data import make_problem, make_settings, real_lengths
from training_plain import fit_plain
from training_project import EXPERIMENT, N_FILMS, N_WINDOWS, write_project

WIDTH = 512


def main(argv: Sequence[str]) -> None:
    """Run one of the benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("transformer", "seeds", "memory", "train"))
    parser.add_argument("--release", type=Path, help="folder with mobygaze_dataframe.csv")
    parser.add_argument("--segments", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="0: as torch chooses")
    parser.add_argument("--model", choices=("mlp", "transformer"), default="mlp")
    parser.add_argument("--project", help="folder that `memory` wrote, for `train`")
    given = parser.parse_args(argv)
    if given.threads:
        torch.set_num_threads(given.threads)
    print(f"{torch.get_num_threads()} threads")
    if given.what == "transformer":
        compare_transformers(given.segments, given.release, given.repeats)
    elif given.what == "seeds":
        compare_seeds(given.model, given.segments, given.release, given.repeats)
    elif given.what == "memory":
        measure_memory(given.model)
    else:
        train_project(Path(given.project), given.model)


def compare_transformers(n: int, release: Path | None, repeats: int) -> None:
    """Print the losses of both loops without dropout, then their times with it."""
    lengths = real_lengths(n, release, seed=0)
    print(f"{n} segments, median {np.median(lengths):.0f} and mean {lengths.mean():.1f} windows")
    problem = make_problem(lengths, WIDTH, seed=1)
    exact = make_settings("transformer", problem, epochs=2, dropout=0.0)
    ours = fit(problem, exact, 0, "benchmark").history
    plain = fit_plain(problem, exact, 0)
    worst = max(
        abs(a - b)
        for x, y in zip(ours, plain, strict=True)
        for a, b in zip(losses(x), losses(y), strict=True)
    )
    print(f"largest difference of a loss: {worst:.1e}")
    settings = make_settings("transformer", problem, epochs=1)
    times = in_turn(
        {
            "plain, padded to 160": lambda: fit_plain(problem, settings, 0),
            "ours": lambda: fit(problem, settings, 0, "benchmark"),
        },
        repeats,
    )
    print(f"ratio: {times['plain, padded to 160'] / times['ours']:.2f}")


def compare_seeds(model: ModelName, n: int, release: Path | None, repeats: int) -> None:
    """Print the time of five seeds of a fold over that of one."""
    lengths = real_lengths(n, release, seed=0)
    problem = make_problem(lengths, WIDTH, seed=1, pooled=model == "mlp")
    settings = make_settings(model, problem, epochs=3 if model == "mlp" else 1)
    learn = LEARNERS[model].fit
    together = learn(problem, settings, range(5), "benchmark")
    alone = [learn(problem, settings, [seed], "benchmark")[0] for seed in range(5)]
    pairs = [(a, b) for x, y in zip(together, alone, strict=True)
             for a, b in zip(x.history, y.history, strict=True)]  # fmt: skip
    worst = max(abs(a - b) for x, y in pairs for a, b in zip(losses(x), losses(y), strict=True))
    print(f"largest difference of a loss: {worst:.1e}")
    times = in_turn(
        {
            "one seed": lambda: learn(problem, settings, [0], "benchmark"),
            "five seeds": lambda: learn(problem, settings, range(5), "benchmark"),
        },
        repeats,
    )
    print(f"ratio: {times['five seeds'] / times['one seed']:.2f}")


def measure_memory(model: ModelName) -> None:
    """Print the most memory that training on twenty films at full scale takes."""
    with TemporaryDirectory() as folder:
        write_project(Path(folder), WIDTH)
        command = [sys.executable, __file__, "train", "--project", folder, "--model", model]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    print(done.stdout.strip().splitlines()[-1])


def train_project(root: Path, model: ModelName) -> None:
    """Train an epoch on the project and print the peak of this process's resident memory."""
    training = TrainingParams(seeds=(0,), epochs=1)
    choice = ModelChoice(model=model, training=TrainingOverrides())
    runtime = RuntimeParams(device="cpu", threads=1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    train_fold(EXPERIMENT, 1, choice, training, ModelsParams(), runtime, root)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = read_timings(EXPERIMENT, 1, root)
    n = N_FILMS * N_WINDOWS
    print(
        f"{model}, {N_FILMS} films, {n:,} windows of {WIDTH}: peak {peak / 1e6:.2f} GB "
        f"({before / 1e6:.2f} GB before training); seconds {dict(seconds or {})}"
    )


def in_turn(work: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Time each in turn, several times; print and return the shortest of each, seconds."""
    best = dict.fromkeys(work, float("inf"))
    for _ in range(repeats):
        for name, run in work.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    for name, seconds in best.items():
        print(f"{name}: {seconds:.2f} s")
    return best


def losses(epoch: Epoch) -> tuple[float, float]:
    """Return both losses of an epoch."""
    return epoch.train_loss, epoch.validation_loss


if __name__ == "__main__":
    main(sys.argv[1:])
