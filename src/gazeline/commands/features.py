"""`gazeline features`."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from gazeline.media.probing.names import shown
from gazeline.orchestration.outside.encoders import Modality, choose_encoders, known_encoders
from gazeline.orchestration.outside.extract import Manner, Outcome, extract_all
from gazeline.orchestration.outside.fitting import fitted
from gazeline.orchestration.outside.jobs import check_out, plan_jobs
from gazeline.orchestration.outside.settings import read_settings

SCRATCH = ".scratch"


@dataclass(frozen=True)
class Request:
    """What the user asks `gazeline features` for."""

    files: tuple[Path, ...]
    out: Path
    modalities: tuple[Modality, ...]
    encoders: tuple[str, ...]
    force: bool

    @property
    def asked(self) -> bool:
        """Return whether the user named what to extract; a file that lacks it then fails."""
        return bool(self.modalities or self.encoders)


def run_features(request: Request) -> int:
    """Extract, saying what becomes of each file; return 1 where one failed."""
    settings, known = read_settings(), known_encoders()
    with TemporaryDirectory() as scratch:
        encoders = choose_encoders(request.encoders, request.modalities, known, Path(scratch))
        settings = fitted(settings, encoders)
        jobs = plan_jobs(request.files, encoders, request.out)
        check_out(request.out)
        outcomes = []
        manner = Manner(request.force, request.asked, request.out / SCRATCH)
        for outcome in extract_all(jobs, settings, manner):
            _show(outcome)
            outcomes.append(outcome)
        # Only a run that was killed leaves it, to go on from there.
        shutil.rmtree(manner.scratch, ignore_errors=True)
    return _summarise(outcomes, request)


def _show(outcome: Outcome) -> None:
    if outcome.error is not None:
        click.echo(f"{outcome.label} failed: {outcome.error}\n", err=True)
        return
    prefix = "" if outcome.state == "made" else f"{outcome.state}: "
    click.echo(f"{outcome.label}: {prefix}{outcome.text}")


def _summarise(outcomes: Sequence[Outcome], request: Request) -> int:
    counts = Counter(outcome.state for outcome in outcomes)
    states = [f"{counts[s]} {s}" for s in ("made", "kept", "left out", "failed") if counts[s]]
    n_files = len(set(request.files))
    files = "1 file" if n_files == 1 else f"{n_files} files"
    click.echo(f"\n{files}: {', '.join(states)}; in {shown(str(request.out))}")
    if counts["failed"]:
        failed = ", ".join(o.label for o in outcomes if o.state == "failed")
        click.echo(f"failed: {failed}", err=True)
    return 1 if counts["failed"] else 0
