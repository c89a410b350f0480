"""Whether the encoders in `data/encoders` are those that `params.yaml` asks for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from gazeline.params.base import read_yaml
from gazeline.params.encoders import EncoderParams

ENCODERS = Path("data/encoders")
LOCK = Path("dvc.lock")

CopyState = Literal["fresh", "other", "absent"]


def copy_state(name: str, wanted: EncoderParams, lock: Mapping[str, Any]) -> CopyState:
    """Return whether the encoder's copy was made from its present settings.

    `other` was made from other settings, or not by DVC.

    Args:
        lock: the content of `dvc.lock` (see `read_lock`).
    """
    if not (ENCODERS / name).is_dir():
        return "absent"
    return "fresh" if _recorded(name, lock) == wanted else "other"


def read_lock() -> Mapping[str, Any]:
    """Return the content of `dvc.lock`, nothing where there is none.

    Raises:
        ParamsError: it is not YAML.
    """
    if not LOCK.is_file() or not LOCK.stat().st_size:
        return {}
    return read_yaml(LOCK)


def _recorded(name: str, lock: Mapping[str, Any]) -> EncoderParams | None:
    """Return the settings that DVC made the copy from."""
    value: Any = lock
    for key in ("stages", f"encoders@{name}", "params", "params.yaml", f"encoders.{name}"):
        value = value.get(key) if isinstance(value, Mapping) else None
    try:
        return EncoderParams.model_validate(value)
    except ValidationError:
        return None
