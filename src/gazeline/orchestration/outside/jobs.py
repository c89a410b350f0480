"""Plan what is extracted of which file, and where it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gazeline.errors import GazelineError
from gazeline.media.probing.names import shown
from gazeline.orchestration.outside.encoders import Encoder


@dataclass(frozen=True)
class Job:
    """One file through one encoder; `main` is its shard and `side` the table written with it.

    `origin` is a note of which file the shard was made from, as shards know nothing of it.
    """

    file: Path
    encoder: Encoder
    main: Path
    side: Path | None
    origin: Path

    @property
    def label(self) -> str:
        """Return how messages call the job."""
        return f"{shown(self.file.name)}, {self.encoder.modality} ({self.encoder.name})"

    @property
    def outs(self) -> tuple[Path, ...]:
        """Return the files that the job writes."""
        return (self.main,) if self.side is None else (self.main, self.side)


ORIGINS = ".origins"
SIDES = {"audio": "acoustic", "text": "cues"}


def plan_jobs(files: Sequence[Path], encoders: Sequence[Encoder], out: Path) -> list[list[Job]]:
    """Return the jobs of each file.

    A shard is `OUT/<modality>/<file>.parquet`, as in `data/features`; where a modality has several
    encoders, `OUT/<modality>/<encoder>/<file>.parquet`.

    Raises:
        GazelineError: two files would have the same shards.
    """
    stems: dict[str, Path] = {}
    for file in dict.fromkeys(files):
        other = stems.setdefault(file.stem, file)
        if other != file:
            raise GazelineError(
                f"Two files would have the shard {shown(file.stem)}.parquet",
                where=f"{shown(str(other))} and {shown(str(file))}",
                todo="extract them one at a time, with a folder each for --out, or rename one",
            )
    return [[_job(file, e, encoders, out) for e in encoders] for file in stems.values()]


def _job(file: Path, encoder: Encoder, encoders: Sequence[Encoder], out: Path) -> Job:
    several = sum(other.modality == encoder.modality for other in encoders) > 1
    below = Path(encoder.name if several else ".") / f"{file.stem}.parquet"
    side = SIDES.get(encoder.modality)
    return Job(
        file=file,
        encoder=encoder,
        main=out / encoder.modality / below,
        side=None if side is None else out / side / below,
        origin=out / ORIGINS / encoder.modality / below.with_suffix(".json"),
    )


def check_out(out: Path) -> None:
    """Make the folder for the shards.

    Raises:
        GazelineError: it cannot be made or written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if out.is_file() else error.strerror
        raise GazelineError(
            f"The folder for the shards cannot be made: {reason}",
            where=shown(str(out)),
            todo="give another folder for --out",
        ) from error
