"""Score what is finished when some stages failed, so that one experiment hides no other.

DVC skips `aggregate` when anything it needs has failed. The figures of the rest are then written
here, outside the graph: `dvc status` goes on to call `aggregate` out of date, and the next run that
succeeds writes them anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from gazeline.console import FAILURES
from gazeline.orchestration.pending import Pending
from gazeline.orchestration.plan import PUBLISHED, read_plan
from gazeline.params.base import load_section, read_yaml
from gazeline.params.subset import SubsetParams

if TYPE_CHECKING:
    from gazeline.evaluation.aggregate import Figures

AGGREGATE = "aggregate"
OF_PUBLISHED = ("ingest", "agreement", "describe", "consistency")


def forget_failures() -> None:
    """Forget why stages failed in earlier runs."""
    for path in FAILURES.glob("*") if FAILURES.is_dir() else ():
        path.unlink()


def known_failures() -> dict[str, str]:
    """Return why stages failed in the last run, by stage."""
    paths = sorted(FAILURES.glob("*")) if FAILURES.is_dir() else []
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def left_out(
    plan: Mapping[str, Any], pending: Collection[Pending], failures: Mapping[str, str]
) -> dict[str, str]:
    """Return the stages that `aggregate` waits for in vain, and the reason of each.

    What is on disk of a stage that is out of date, or follows one that is, is not scored.
    """
    unfinished = {item.stage for item in pending}
    found = {f"train@{name}": f"dataset@{run['experiment']}" for name, run in plan["runs"].items()}
    if plan["aggregate"]["published"]["corpus"]:
        found |= {f"{kind}@{PUBLISHED}": "" for kind in OF_PUBLISHED}
    return {
        stage: _reason(stage, before, unfinished & failures.keys(), failures)
        for stage, before in found.items()
        if stage in unfinished
    }


def _reason(stage: str, before: str, failed: Collection[str], failures: Mapping[str, str]) -> str:
    if stage in failed:
        return failures[stage]
    if before in failed:
        return f"{before} failed: {failures[before]}"
    others = sorted(name for name in failed if not name.startswith(("train@", "dataset@")))
    return f"not run; failed: {', '.join(others)}" if others else "not run"


def waits_in_vain(pending: Collection[Pending]) -> bool:
    """Return whether `aggregate` cannot run because a stage has failed."""
    stages = {item.stage for item in pending}
    return AGGREGATE in stages and not stages.isdisjoint(known_failures())


def write_finished(pending: Collection[Pending]) -> None:
    """Write every figure that can be had without the stages that failed (see `left_out`)."""
    from gazeline.evaluation.report import write_report

    plan, subset = read_plan(), load_section(SubsetParams, "subset")
    missing = left_out(plan, pending, known_failures())
    write_report(plan, read_yaml(), subset, missing=missing)


def score_finished(pending: Collection[Pending]) -> Figures:
    """Score the runs that can be had, as `write_finished` does, and write nothing."""
    from gazeline.evaluation.report import score_plan

    plan, subset = read_plan(), load_section(SubsetParams, "subset")
    return score_plan(plan, subset, missing=left_out(plan, pending, known_failures()))
