"""Late fusion: a model for each modality, trained apart; the largest probability decides.

Each trains on the positives of its own modality (CMSD), or on all of them (CMAD), as the experiment
says (paper Sec. 4.5.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gazeline.errors import LearningError
from gazeline.learning.training.features import Floats, Ints
from gazeline.learning.training.fitted import Fit, Fitted, Settings
from gazeline.learning.training.models.registry import fused_model
from gazeline.learning.training.problem import Problem


def fuse_late(fit: Fit) -> Fit:
    """Return a fit that fits every modality with `fit` and takes the maximum."""

    def fit_parts(
        problem: Problem, settings: Settings, seeds: Sequence[int], where: str
    ) -> list[Fitted]:
        if problem.n_outputs != 1:
            raise LearningError(
                f"Late fusion takes the larger of two probabilities; {where} has "
                f"{len(problem.classes)} classes",
                todo="take another model, or a task of two classes",
            )
        _check_parts(problem, where)
        by_part = {
            name: fit(
                problem.part(name),
                replace(
                    settings,
                    model=fused_model(settings.model),
                    moments={name: settings.moments[name]},
                ),
                seeds,
                f"{where}, {name} alone",
            )
            for name in sorted(problem.stores)
        }
        return [
            _fused({name: found[i] for name, found in by_part.items()}) for i in range(len(seeds))
        ]

    return fit_parts


def _check_parts(problem: Problem, where: str) -> None:
    """Check that every modality has something to learn.

    Raises:
        LearningError: a class is missing from the training or validation films of a modality.
    """
    for name, targets in problem.part_targets.items():
        for split in ("train", "validation"):
            lacking = set(range(len(problem.classes))) - set(targets[problem.splits[split]])
            if lacking:
                raise LearningError(
                    f"No {problem.classes[min(lacking)]} segment of {name} alone in {split}",
                    where=where,
                    todo="set `positives: agnostic`, or take another model",
                )


def _fused(parts: Mapping[str, Fitted]) -> Fitted:
    def predict(problem: Problem, indices: Ints) -> Floats:
        scores = [part.predict(problem.part(name), indices) for name, part in parts.items()]
        fused: Floats = np.max(scores, axis=0)
        return fused

    return Fitted(
        predict=predict,
        state={f"{name}.{key}": v for name, part in parts.items() for key, v in part.state.items()},
        history=tuple(replace(e, part=name) for name, part in parts.items() for e in part.history),
        best_epoch=max(part.best_epoch for part in parts.values()),
        n_parameters=sum(part.n_parameters for part in parts.values()),
        parts=parts,
    )
