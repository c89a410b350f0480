"""`gazeline submission`."""

from __future__ import annotations

from pathlib import Path

import click

from gazeline.errors import LearningError
from gazeline.orchestration.plan import read_plan
from gazeline.params.base import read_yaml
from gazeline.params.kinds import SHOTS
from gazeline.scoring.submission import write_submission


def submit(experiment: str, fold: int, out: Path) -> None:
    """Write the run file of an experiment and say what stands in it.

    Raises:
        LearningError: the plan has no such experiment or fold.
    """
    runs = read_plan()["runs"].values()
    known = sorted({run["experiment"] for run in runs})
    if not any((r["experiment"], int(r["fold"])) == (experiment, fold) for r in runs):
        raise LearningError(
            f"There is no run of experiment {experiment} on fold {fold}",
            where=f"the plan has runs of {', '.join(known) or 'none'}",
            todo="name an experiment and one of its folds",
        )
    task = str(read_yaml()["experiments"][experiment]["task"])
    lines = write_submission(experiment, task, fold, out)
    films = len({line.source for line in lines})
    decided = sum(line.decided for line in lines)
    what = "the mean over the seeds" if task.startswith(SHOTS) else "the first seed"
    click.echo(
        f"{out}: {len(lines)} intervals of {films} films, {decided} decided for; "
        f"test films of fold {fold}, {what}"
    )
