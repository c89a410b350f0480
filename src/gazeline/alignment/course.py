"""Which part of the corpus is where in the copy: the likeliest course through both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gazeline.alignment.dialogue import Ints
from gazeline.alignment.likelihood import Scores

# Log likelihood that must speak for a jump: about the log of the number of places to jump to.
JUMP = 15.0
# ... and for one step of drift, which a rate that is a little off needs now and then.
DRIFT = 1.5
NOWHERE = -1


@dataclass(frozen=True)
class Course:
    """The position of every chunk, `NOWHERE` where the copy lacks it, and the score of all.

    The score is the summed log likelihood ratio of the chunks placed, less what jumps cost.
    """

    position: Ints
    score: float


@dataclass(frozen=True)
class _Tables:
    """Best scores: with chunk c at position p, and with all chunks before c placed before p."""

    here: Scores
    before: Scores


def find_course(scores: Scores, chunk: int, *, drift: bool = True) -> Course:
    """Place chunks so that the score is highest; the copy never runs backwards.

    Args:
        scores: log likelihood ratios [chunks, positions].
        chunk: length of a chunk in positions.
        drift: whether a chunk may lie one position nearer to or further from the one before.
    """
    tables = _fill(scores, chunk, drift)
    return Course(_trace(tables, scores, chunk, drift), float(tables.before[-1, -1]))


def _fill(scores: Scores, chunk: int, drift: bool) -> _Tables:
    n_chunks, n_positions = scores.shape
    here = np.empty_like(scores)
    before = np.zeros((n_chunks + 1, n_positions + chunk), dtype=np.float32)
    for c in range(n_chunks):
        best = before[c, :n_positions] - np.float32(JUMP)
        if c:
            for step, cost in _steps(drift):
                shift = chunk - step
                came = here[c - 1, : n_positions - shift] - np.float32(cost)
                np.maximum(best[shift:], came, out=best[shift:])
        np.add(best, scores[c], out=here[c])
        before[c + 1] = before[c]
        reached = np.maximum.accumulate(here[c])
        np.maximum(before[c + 1, chunk:], reached, out=before[c + 1, chunk:])
    return _Tables(here, before)


def _steps(drift: bool) -> tuple[tuple[int, float], ...]:
    """Return by how much the chunk before may lie nearer, and what that costs."""
    return ((0, 0.0), (-1, DRIFT), (1, DRIFT)) if drift else ((0, 0.0),)


def _trace(tables: _Tables, scores: Scores, chunk: int, drift: bool) -> Ints:
    """Follow the best course from its end to its start."""
    n_chunks = len(scores)
    position: npt.NDArray[np.int64] = np.full(n_chunks, NOWHERE, dtype=np.int64)
    limit, at = tables.before.shape[1] - 1, NOWHERE
    for c in range(n_chunks - 1, -1, -1):
        if at == NOWHERE:
            if tables.before[c + 1, limit] == tables.before[c, limit]:
                continue
            at = int(np.argmax(tables.here[c, : limit - chunk + 1]))
        position[c] = at
        limit, at = at, _predecessor(tables, c, at, chunk, drift)
    return position


def _predecessor(tables: _Tables, c: int, at: int, chunk: int, drift: bool) -> int:
    """Return where the chunk before lies, or `NOWHERE` where the course jumped to this one."""
    found, best = NOWHERE, float(tables.before[c, at]) - JUMP
    if c == 0:
        return found
    for step, cost in _steps(drift):
        place = at - chunk + step
        if 0 <= place < tables.here.shape[1]:
            value = float(tables.here[c - 1, place]) - cost
            if value >= best:
                found, best = place, value
    return found
