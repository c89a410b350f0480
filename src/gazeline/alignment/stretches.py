"""Stretches of a film by timing: the runs of a course, joined where they share an offset."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gazeline.alignment.activity import Activity
from gazeline.alignment.likelihood import Model
from gazeline.alignment.pauses import Gap
from gazeline.alignment.refine import Pairs, Run, edge_pairs, fit_lines

# Stretches nearer to each other than this are one: edges are not timed better.
SAME_OFFSET_S = 0.3
REACH_S = 1.5
# Pairs further from the fit are chance.
LONGEST_DISTANCE_S = 0.5
FEWEST_PAIRS = 3
# A cut may lie this far outside the gap between the chunks that were placed.
MARGIN_S = 45.0


@dataclass(frozen=True)
class Stretches:
    """Runs in order with exact offsets, and the pairs of edges that lie on them [n].

    `distance_s` [n] is how much later (+) the copy has an edge than the run says.
    """

    runs: tuple[Run, ...]
    pairs: Pairs
    distance_s: np.ndarray[tuple[int, ...], np.dtype[np.float64]]

    def gaps(self) -> list[Gap]:
        """Return where the cuts between the runs must be looked for."""
        return [
            Gap(
                max((a.start_s + a.end_s) / 2, a.end_s - MARGIN_S),
                min((b.start_s + b.end_s) / 2, b.start_s + MARGIN_S),
                a.offset_s,
                b.offset_s,
            )
            for a, b in pairwise(self.runs)
        ]


def find_stretches(
    corpus: Activity, copy: Activity, model: Model, runs: list[Run], rate: float, shortest_s: float
) -> Stretches:
    """Fit an offset to every run at a known speed and join runs of the same offset.

    Runs shorter than `shortest_s` or with hardly a pair are left out.
    """
    runs = _joined(_fitted(corpus, copy, model, runs, rate), shortest_s)
    runs = _fitted(corpus, copy, model, runs, rate)
    pairs = edge_pairs(corpus, copy, model, runs, rate, REACH_S)
    offset = np.array([run.offset_s for run in runs])
    distance = pairs.copy_s - rate * pairs.annotation_s - offset[pairs.run]
    near = np.abs(distance) < LONGEST_DISTANCE_S
    return Stretches(tuple(runs), pairs.select(near), distance[near])


def _fitted(
    corpus: Activity, copy: Activity, model: Model, runs: list[Run], rate: float
) -> list[Run]:
    pairs = edge_pairs(corpus, copy, model, runs, rate, REACH_S)
    fit = fit_lines(pairs, runs, rate, fixed=True)
    counts = np.bincount(pairs.run, minlength=len(runs))
    return [
        Run(run.start_s, run.end_s, float(offset))
        for run, offset, n in zip(runs, fit.offset_s, counts, strict=True)
        if n >= FEWEST_PAIRS
    ]


def _joined(runs: list[Run], shortest_s: float) -> list[Run]:
    joined: list[Run] = []
    for run in runs:
        if joined and abs(joined[-1].offset_s - run.offset_s) < SAME_OFFSET_S:
            joined[-1] = Run(joined[-1].start_s, run.end_s, joined[-1].offset_s)
        else:
            joined.append(run)
    return [run for run in joined if run.end_s - run.start_s >= shortest_s]
