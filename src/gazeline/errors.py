"""Errors a user can act on: what failed, where, and what to do about it."""

from __future__ import annotations


class GazelineError(Exception):
    """Say what failed, where (film, file, line) and what to do about it.

    Args:
        what: one sentence naming the problem and the offending value.
        where: the file, film, line or parameter it was found in.
        todo: what the user can do now.
    """

    def __init__(self, what: str, *, where: str | None = None, todo: str | None = None) -> None:
        self.what = what
        self.where = where
        self.todo = todo
        super().__init__(self.message())

    def message(self) -> str:
        """Return the parts as the lines that are shown to the user."""
        lines = [self.what]
        if self.where:
            lines.append(f"  where: {self.where}")
        if self.todo:
            lines.append(f"  to do: {self.todo}")
        return "\n".join(lines)


class ParamsError(GazelineError):
    """Report every problem of a parameter file at once."""


class PlanError(GazelineError):
    """Report a plan that is stale or cannot be expanded."""


class ReleaseError(GazelineError):
    """Report a corpus release that cannot be read."""


class TableError(GazelineError):
    """Report a table that does not have the promised columns or cannot be written."""


class MediaError(GazelineError):
    """Report a film copy that cannot be probed or decoded."""


class SubtitleError(GazelineError):
    """Report a subtitle file that cannot be read."""


class AlignmentError(GazelineError):
    """Report a copy that cannot be aligned with its annotations."""


class EncoderError(GazelineError):
    """Report a missing or unsuitable encoder."""


class FeatureError(GazelineError):
    """Report features that are missing or do not fit together."""


class LearningError(GazelineError):
    """Report an experiment that cannot be trained or scored."""


class StatisticsError(GazelineError):
    """Report statistics that cannot be computed from the tables given."""
