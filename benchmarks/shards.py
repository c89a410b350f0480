"""How fast a film's shard loads: fixed-size list against fixed-size binary, 10,000 x 512.

Both are written with the options of `gazeline.tables` and read from the page cache; the last line
is the project's own loader, checks included, as training uses it.

    python benchmarks/shards.py [--windows 10000] [--width 512] [--runs 15]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from gazeline.features.common.shards import Times, write_windows
from gazeline.learning.common.manifest import Shard
from gazeline.learning.training.features import film_values
from gazeline.schema.features import windows
from gazeline.tables import Column, TableSpec, read_table, write_table


def rate(work: Callable[[], object], size_gb: float, runs: int) -> float:
    """Return the median GB/s of some work, after one run that warms the cache."""
    work()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return size_gb / statistics.median(seconds)


def list_spec(width: int, element_may_be_null: bool) -> TableSpec:
    """Return the schema of a shard with lists in place of binary."""
    element = pa.field("element", pa.float32(), element_may_be_null)
    spec = windows("video", width)
    column = Column("embedding", pa.list_(element, width), "as a list")
    return replace(spec, columns=(*spec.columns[:-1], column))


def write_list(spec: TableSpec, embeddings: np.ndarray, times: list[Times], path: Path) -> None:
    """Write the shard with lists."""
    kind = spec.columns[-1].type
    columns = {
        "window": [t.window for t in times],
        "start_s": [t.start_s for t in times],
        "end_s": [t.end_s for t in times],
        "complete": [t.complete for t in times],
        "embedding": pa.FixedSizeListArray.from_arrays(pa.array(embeddings.reshape(-1)), type=kind),
    }
    write_table(pa.table(columns, schema=spec.schema), spec, path)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=10_000)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()
    n_windows, width, runs = arguments.windows, arguments.width, arguments.runs
    embeddings = np.random.default_rng(0).normal(size=(n_windows, width)).astype(np.float32)
    times = [Times(n, n * 0.64, (n + 1) * 0.64, True) for n in range(n_windows)]
    size_gb = embeddings.nbytes / 1e9
    wanted = ["window", "embedding"]
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, nullable in (("list, values may be null", True), ("list, never null", False)):
            spec, path = list_spec(width, nullable), root / "list.parquet"
            write_list(spec, embeddings, times, path)
            rates[name] = rate(lambda s=spec, p=path: read_table(p, s, wanted), size_gb, runs)
        path, spec = root / "binary.parquet", windows("video", width)
        write_windows("video", times, embeddings, {}, path)
        rates["fixed-size binary"] = rate(lambda: read_table(path, spec, wanted), size_gb, runs)
        shard = Shard(path.name, "", width, "", "", "video@film")
        rates["own loader"] = rate(lambda: film_values("video", "film", shard, root), size_gb, runs)
    for name, speed in rates.items():
        print(f"{name:26} {speed:6.2f} GB/s")
    gain = rates["fixed-size binary"] / rates["list, never null"]
    print(
        f"{n_windows} x {width}: binary is read {gain:.1f}x as fast as a list; "
        f"the own loader reaches {rates['own loader']:.2f} GB/s (goal 1)"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
