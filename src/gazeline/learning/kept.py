"""Networks of runs that are kept: from `model-<seed>.safetensors` back to what was fitted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from gazeline.errors import LearningError
from gazeline.learning.training.models.inputs import Classifier, Moments
from gazeline.learning.training.models.registry import build_model, fused_model
from gazeline.params.learning import ESTIMATORS, ModelName, ModelsParams

SCALES = ("embedding.scales.", "scales.")
SHOWN = 3


def load_network(
    path: Path, name: ModelName, models: ModelsParams, n_outputs: int, part: str = ""
) -> Classifier:
    """Return the network of a kept run, ready to predict.

    Args:
        models: the sizes it was trained with.
        n_outputs: 1 for two classes, else how many there are.
        part: the modality, of a late fusion.

    Raises:
        LearningError: the file is missing, damaged, or of a network of other sizes.
    """
    if name in ESTIMATORS:
        raise _other_shape(path, f"a {name} machine is none")
    state = _read(path)
    if part:
        state = {k.removeprefix(f"{part}."): v for k, v in state.items() if k.startswith(part)}
    network = build_model(fused_model(name), models, _moments(state, path), n_outputs)
    _check_shapes(network.state_dict(), state, path)
    network.load_state_dict(state)
    return network.eval()


def _read(path: Path) -> dict[str, Tensor]:
    try:
        state: dict[str, Tensor] = load_file(path)
        return state
    except (OSError, SafetensorError) as error:
        raise LearningError(
            f"Weights cannot be read: {error}",
            where=str(path),
            todo="run `dvc checkout`, or train again",
        ) from error


def _moments(state: Mapping[str, Tensor], path: Path) -> dict[str, Moments]:
    """Return what features are scaled by, which also tells modalities and widths."""
    found = {}
    for key, value in state.items():
        prefix = next((p for p in SCALES if key.startswith(p)), None)
        if prefix and key.endswith(".mean"):
            deviation = state.get(f"{key.removesuffix('mean')}deviation", torch.ones_like(value))
            found[key.removeprefix(prefix).removesuffix(".mean")] = Moments(value, deviation)
    if not found:
        raise _other_shape(path, "it holds no scaling of features")
    return found


def _check_shapes(wanted: Mapping[str, Tensor], state: Mapping[str, Tensor], path: Path) -> None:
    shapes = {name: tuple(value.shape) for name, value in state.items()}
    differ = [
        f"{name} is {shapes.get(name, 'not there')} instead of {tuple(value.shape)}"
        for name, value in wanted.items()
        if shapes.get(name) != tuple(value.shape)
    ]
    differ += [f"{name} is too much" for name in state if name not in wanted]
    if differ:
        more = f" and {len(differ) - SHOWN} more" if len(differ) > SHOWN else ""
        raise _other_shape(path, ", ".join(differ[:SHOWN]) + more)


def _other_shape(path: Path, why: str) -> LearningError:
    return LearningError(
        f"These weights are of another network: {why}",
        where=str(path),
        todo="give the sizes that `run.json` beside it says, or train again",
    )
