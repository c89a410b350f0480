"""Apply a change of `params.yaml` and of the plan together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gazeline.files import atomic_path
from gazeline.orchestration.plan import PLAN_FILE, expand, read_plan, write_plan
from gazeline.orchestration.traces import gone, leftovers, prune_lock, remove_outs
from gazeline.params.base import PARAMS_FILE, parse_yaml
from gazeline.params.whole import ParamsFile, check_params


@dataclass(frozen=True)
class Applied:
    """Whether a file was written, and the outputs deleted from the workspace."""

    changed: bool
    removed: tuple[Path, ...]


def apply_text(text: str) -> Applied:
    """Write a new `params.yaml` and bring the plan and the workspace in line with it.

    Raises:
        ParamsError, PlanError: the new text has problems; nothing has been changed.
    """
    params = check_params(parse_yaml(text))
    expand(params)
    changed = not PARAMS_FILE.is_file() or PARAMS_FILE.read_text(encoding="utf-8") != text
    if changed:
        with atomic_path(PARAMS_FILE) as temporary:
            temporary.write_text(text, encoding="utf-8")
    replanned = replan(params)
    return Applied(changed or replanned.changed, replanned.removed)


def replan(params: ParamsFile) -> Applied:
    """Write the plan and remove the traces of what it has no more, also of an earlier change."""
    before = read_plan() if PLAN_FILE.is_file() else {}
    changed = write_plan(params)
    after = read_plan()
    prune_lock(after)
    return Applied(changed, tuple(remove_outs([*gone(before, after), *leftovers(after)])))
