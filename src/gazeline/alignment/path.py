"""Which offset holds when: the cheapest path through the anchors' offsets (Viterbi)."""

from __future__ import annotations

import math

import numpy as np

from gazeline.alignment.dialogue import Floats, Ints

SIGMA_S = 0.25
# An anchor further than three sigma from the path costs as much as one at three sigma.
OUTLIER_COST = 4.5
# What must speak for a change of offset: one good line in a short clip, more in a long film, which
# has more chances to mislead.
SWITCH_COST, SWITCH_COST_PER_LOG = 8.0, 2.0
PEAK_WIDTH_S = 0.8
MOST_PEAKS = 80
LOWEST_PEAK = 1.5


def offset_peaks(offsets: Floats, weight: Floats) -> Floats:
    """Return the offsets that anchors pile up at, the highest pile first; at least one."""
    order = np.argsort(offsets, kind="stable")
    values, mass = offsets[order], weight[order].copy()
    stop = np.searchsorted(values, values + PEAK_WIDTH_S, side="right")
    peaks: list[float] = []
    while len(peaks) < MOST_PEAKS:
        total = np.concatenate([[0.0], np.cumsum(mass)])
        height = total[stop] - total[:-1]
        at = int(np.argmax(height))
        if peaks and height[at] < LOWEST_PEAK:
            break
        inside = slice(at, int(stop[at]))
        peaks.append(float(np.median(values[inside][mass[inside] > 0])))
        mass[inside] = 0.0
    return np.array(peaks)


def best_path(offsets: Floats, weight: Floats, states: Floats) -> Ints:
    """Return for each anchor, in order of time, the index of the state that holds there.

    Cost: squared distance in sigmas (capped) times the anchor's weight, and a fixed cost for
    every change of state.
    """
    distance = np.square((offsets[:, None] - states[None, :]) / SIGMA_S) / 2
    cost = np.minimum(distance, OUTLIER_COST) * weight[:, None]
    best = cost[0].copy()
    came_from = np.zeros(cost.shape, dtype=np.int64)
    stay = np.arange(len(states))
    change = SWITCH_COST + SWITCH_COST_PER_LOG * math.log(len(offsets))
    for i in range(1, len(offsets)):
        cheapest = int(np.argmin(best))
        switch = best[cheapest] + change
        came_from[i] = np.where(best <= switch, stay, cheapest)
        best = np.minimum(best, switch) + cost[i]
    path = np.empty(len(offsets), dtype=np.int64)
    path[-1] = int(np.argmin(best))
    for i in range(len(offsets) - 1, 0, -1):
        path[i - 1] = came_from[i, path[i]]
    return path
