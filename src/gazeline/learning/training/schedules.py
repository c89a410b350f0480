"""Learning rates over a run: constant, lowered on a plateau, warmed up (paper A.4), or a cosine."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gazeline.params.learning import TrainingParams

PLATEAU_FACTOR = 0.1
# A loss must fall by this share to count as better (the default of torch's ReduceLROnPlateau).
PLATEAU_THRESHOLD = 1e-4


@dataclass
class Schedule:
    """The learning rate of the next step.

    `plateau` multiplies it by 0.1 once the validation loss has not improved for more than
    `schedule_patience` epochs; `warmup` first rises linearly over `warmup_share` of all steps,
    and does not watch for a plateau before that. `cosine` rises over `warmup_epochs` and falls to 0
    over the others (paper A.5).
    """

    params: TrainingParams
    steps_per_epoch: int
    step: int = 0
    factor: float = 1.0
    _best: float = field(default=math.inf, repr=False)
    _bad_epochs: int = field(default=0, repr=False)

    @property
    def warmup_steps(self) -> int:
        """Return over how many steps the rate rises."""
        if self.params.schedule == "cosine":
            return self.params.warmup_epochs * self.steps_per_epoch
        if self.params.schedule != "warmup":
            return 0
        return math.ceil(self.params.warmup_share * self.params.epochs * self.steps_per_epoch)

    def next_rate(self) -> float:
        """Count a step of the optimiser and return its rate."""
        self.step += 1
        rise = min(1.0, self.step / self.warmup_steps) if self.warmup_steps else 1.0
        return self.params.learning_rate * self.factor * rise * self._cosine()

    def _cosine(self) -> float:
        """Return the share that is left of the rate after the warm-up of a cosine."""
        if self.params.schedule != "cosine" or self.step <= self.warmup_steps:
            return 1.0
        rest = max(1, self.params.epochs * self.steps_per_epoch - self.warmup_steps)
        gone = min(1.0, (self.step - self.warmup_steps) / rest)
        return (1 + math.cos(math.pi * gone)) / 2

    def end_epoch(self, validation_loss: float) -> None:
        """Watch the validation loss."""
        if self.params.schedule in ("constant", "cosine") or self.step < self.warmup_steps:
            return
        if validation_loss < self._best * (1 - PLATEAU_THRESHOLD):
            self._best, self._bad_epochs = validation_loss, 0
            return
        self._bad_epochs += 1
        if self._bad_epochs > self.params.schedule_patience:
            self.factor *= PLATEAU_FACTOR
            self._bad_epochs = 0
