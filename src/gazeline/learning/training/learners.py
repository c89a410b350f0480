"""How each model is fitted, by its name in an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gazeline.learning.training.estimators.fitting import fit_estimator
from gazeline.learning.training.fitted import Fit, Fitted, Settings, one_by_one
from gazeline.learning.training.fitting import fit
from gazeline.learning.training.late_fusion import fuse_late
from gazeline.learning.training.problem import Problem
from gazeline.learning.training.stacked import fit_stacked
from gazeline.params.learning import ModelName


@dataclass(frozen=True)
class Learner:
    """How to fit, and what of a sample is looked at.

    `pools`: the mean of its tokens alone; `describes`: an estimator's own description of it.
    """

    fit: Fit
    pools: bool = False
    describes: bool = False


def fit_perceptrons(
    problem: Problem, settings: Settings, seeds: Sequence[int], where: str
) -> list[Fitted]:
    """Fit perceptrons stacked, or in turn where training asks for more than a stack can."""
    training = settings.training
    plain = training.optimiser == "adam" and not training.clip and not training.ema
    return (fit_stacked if plain else one_by_one(fit))(problem, settings, seeds, where)


LEARNERS: dict[ModelName, Learner] = {
    "mlp": Learner(fit_perceptrons, pools=True),
    "transformer": Learner(one_by_one(fit)),
    "perceiver": Learner(one_by_one(fit)),
    "differential": Learner(one_by_one(fit)),
    "late-mlp": Learner(fuse_late(fit_perceptrons), pools=True),
    "late-transformer": Learner(fuse_late(one_by_one(fit))),
    "late-perceiver": Learner(fuse_late(one_by_one(fit))),
    "logistic": Learner(one_by_one(fit_estimator), describes=True),
    "kernel": Learner(one_by_one(fit_estimator), describes=True),
}
