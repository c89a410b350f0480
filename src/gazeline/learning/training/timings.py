"""Where the time of a training run went, beside the results: these say no hour and no host."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gazeline.errors import GazelineError
from gazeline.files import read_json, write_json

TIMINGS = Path(".gazeline/timings")
PHASES = ("read", "fit", "predict", "write")

log = logging.getLogger(__name__)


@dataclass
class Stopwatch:
    """Seconds by phase."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the time of the block to a phase."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


def write_timings(experiment: str, fold: int, watch: Stopwatch, root: Path) -> None:
    """Keep the times of a fold; outside every output, so that these stay the same bytes."""
    path = root / TIMINGS / f"{experiment}-{fold}.json"
    seconds = {name: round(value, 3) for name, value in watch.seconds.items()}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"experiment": experiment, "fold": fold, "seconds": seconds})
    except (OSError, GazelineError) as error:
        log.info("timings not kept: %s", error)


def read_timings(experiment: str, fold: int, root: Path) -> Mapping[str, float] | None:
    """Return the seconds by phase of a fold, or None where they are not known."""
    path = root / TIMINGS / f"{experiment}-{fold}.json"
    if not path.is_file():
        return None
    try:
        seconds = read_json(path)["seconds"]
        return {name: float(seconds.get(name, 0.0)) for name in PHASES}
    except (GazelineError, KeyError, AttributeError, TypeError, ValueError) as error:
        log.info("%s cannot be read: %s", path, error)
        return None
