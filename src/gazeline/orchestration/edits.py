"""Apply a change of `params.yaml` and of the plan together, or not at all."""

from __future__ import annotations

from pathlib import Path

from gazeline.files import atomic_path
from gazeline.orchestration.plan import PLAN_FILE, expand, read_plan, write_plan
from gazeline.orchestration.traces import gone, leftovers, prune_lock, remove_outs
from gazeline.params.base import PARAMS_FILE, parse_yaml
from gazeline.params.whole import ParamsFile, check_params


def apply_text(text: str) -> list[Path]:
    """Write a new `params.yaml`, expand the plan and remove the traces of what is gone.

    Returns:
        the outputs deleted from the workspace.

    Raises:
        ParamsError, PlanError: the new text has problems; nothing has been changed.
    """
    params = check_text(text)
    before = read_plan() if PLAN_FILE.is_file() else {}
    with atomic_path(PARAMS_FILE) as temporary:
        temporary.write_text(text, encoding="utf-8")
    write_plan(params)
    after = read_plan()
    prune_lock(after)
    return remove_outs([*gone(before, after), *leftovers(after)])


def check_text(text: str) -> ParamsFile:
    """Check a text of `params.yaml` before it is written."""
    params = check_params(parse_yaml(text))
    expand(params)
    return params
