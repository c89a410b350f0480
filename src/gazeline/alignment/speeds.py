"""Which speed the timing speaks for: the one at which the likeliest course scores highest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gazeline.alignment.activity import Activity
from gazeline.alignment.course import Course, find_course
from gazeline.alignment.likelihood import Grid, Model, chunk_scores
from gazeline.alignment.rates import snapped_rate, standard_rates, within_limit
from gazeline.alignment.refine import Run, course_runs, course_slope, edge_pairs, fit_lines

COARSE = Grid(0.4, 50)
# A course with drift follows any speed within half of this.
RATE_STEP, SAME_COURSE = 0.01, 0.002
# A course at a standard speed that scores this much needs no other speed to be tried.
PLENTY = 150.0
REACH_S = 2.0


@dataclass(frozen=True)
class Speed:
    """A speed, its standard error, and the standard speed that it is (None where it is none)."""

    rate: float
    error: float
    exact: Fraction | None


def find_speed(
    corpus: Activity, copy: Activity, model: Model, expected: Fraction | None, largest: float
) -> Speed:
    """Try standard speeds, then all others up to `largest` from 1, and measure the best one."""
    tries = [
        (rate, find_course(chunk_scores(corpus.scaled(rate), copy, model, COARSE), COARSE.chunk))
        for rate in _standard_speeds(expected, largest)
    ]
    if max(course.score for _, course in tries) < PLENTY:
        tries += [
            (
                rate,
                find_course(chunk_scores(corpus.scaled(rate), copy, model, COARSE), COARSE.chunk),
            )
            for rate in _other_speeds(largest)
        ]
    rate, course = max(tries, key=lambda t: t[1].score)
    return _measured(corpus, copy, model, rate, course, expected, largest)


def chance_score(corpus: Activity, copy: Activity, model: Model, rate: float) -> float:
    """Return what a copy with this rhythm scores by chance: the same, played backwards."""
    scores = chunk_scores(corpus.scaled(rate), copy.backwards(), model, COARSE)
    return find_course(scores, COARSE.chunk).score


def _standard_speeds(expected: Fraction | None, largest: float) -> list[float]:
    """Return the standard speeds without those that differ by a thousandth from another."""
    found: list[float] = []
    first = [] if expected is None or abs(expected - 1) > largest else [expected]
    for rate in map(float, [*first, *standard_rates(largest)]):
        if all(abs(rate - other) > SAME_COURSE for other in found):
            found.append(rate)
    return found


def _other_speeds(largest: float) -> Sequence[float]:
    steps = int(largest / RATE_STEP + 1e-9)
    return [1 + RATE_STEP * k for k in range(-steps, steps + 1) if k]


def _measured(
    corpus: Activity,
    copy: Activity,
    model: Model,
    rate: float,
    course: Course,
    expected: Fraction | None,
    largest: float,
) -> Speed:
    slope = course_slope(course, COARSE, rate)
    runs = [_tilted(run, rate, slope) for run in course_runs(course, COARSE, rate)]
    fit = fit_lines(edge_pairs(corpus, copy, model, runs, slope, REACH_S), runs, slope)
    exact = snapped_rate(fit.rate, fit.error, expected, largest)
    measured = float(exact) if exact is not None else within_limit(fit.rate, largest)
    return Speed(measured, fit.error, exact)


def _tilted(run: Run, rate: float, slope: float) -> Run:
    """Return a run found at one speed as one at another, the same in its middle."""
    middle = (run.start_s + run.end_s) / 2
    return Run(run.start_s, run.end_s, run.offset_s + (rate - slope) * middle)
