"""From anchors to one speed and a few stretches, each with its offset."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np

from gazeline.alignment.anchors import Anchors
from gazeline.alignment.dialogue import Flags, Floats, Ints
from gazeline.alignment.path import SIGMA_S, best_path, offset_peaks
from gazeline.alignment.rates import most_coherent_rate, snapped_rate, within_limit

FEWEST_ANCHORS = 3
# Two stretches closer than this are one: cue times are not more exact than that.
SAME_OFFSET_S = 0.15
NARROWEST_S = 0.1
# Few anchors may agree by chance; cues are not timed better than this.
SMALLEST_ERROR_S = 0.05


@dataclass(frozen=True)
class Stretch:
    """Anchors in a row that share an offset; `first_cue` and `last_cue` are corpus cues."""

    offset_s: float
    first_cue: int
    last_cue: int
    annotation_s: Floats
    copy_s: Floats
    residual_s: Floats

    @property
    def n_anchors(self) -> int:
        """Return the number of anchors."""
        return len(self.residual_s)


@dataclass(frozen=True)
class Fit:
    """One speed, exact where it is a standard one, and the stretches."""

    rate: float
    exact: Fraction | None
    stretches: tuple[Stretch, ...]

    @property
    def residual_s(self) -> Floats:
        """Return the distance of every anchor kept from the fit."""
        return np.concatenate([s.residual_s for s in self.stretches])

    @property
    def n_anchors(self) -> int:
        """Return the number of anchors kept."""
        return sum(s.n_anchors for s in self.stretches)


def fit_anchors(
    anchors: Anchors, expected: Fraction | None, largest_deviation: float, min_piece_s: float
) -> Fit | None:
    """Fit speed and stretches to anchors, or return None where nothing coherent is among them.

    Args:
        expected: the speed that the frame rates imply, preferred where anchors cannot decide.
    """
    if len(anchors) < FEWEST_ANCHORS:
        return None
    rate = most_coherent_rate(anchors, largest_deviation)
    exact: Fraction | None = None
    for _ in range(2):
        path, kept = _path_at(anchors, rate)
        slope, error = _common_slope(anchors, path, kept, rate)
        exact = snapped_rate(slope, error, expected, largest_deviation)
        rate = float(exact) if exact is not None else within_limit(slope, largest_deviation)
    path, kept = _path_at(anchors, rate)
    stretches = _stretches(anchors, rate, path, kept, min_piece_s)
    return Fit(rate, exact, stretches) if stretches else None


def _path_at(anchors: Anchors, rate: float) -> tuple[Ints, Flags]:
    """Return the state of each anchor and whether the anchor lies near it."""
    offsets = anchors.copy_s - rate * anchors.annotation_s
    states = offset_peaks(offsets, anchors.weight)
    path = best_path(offsets, anchors.weight, states)
    # A peak's place is rough; where the path stays is what its anchors say.
    for state in np.unique(path):
        near = (path == state) & (np.abs(offsets - states[state]) < 3 * SIGMA_S)
        if near.any():
            states[state] = np.median(offsets[near])
    distance = np.abs(offsets - states[path])
    core = distance[distance < 3 * SIGMA_S]
    spread = 1.4826 * float(np.median(core)) if len(core) else SIGMA_S
    return path, distance < min(3 * SIGMA_S, max(NARROWEST_S, 4 * spread))


def _common_slope(anchors: Anchors, path: Ints, kept: Flags, rate: float) -> tuple[float, float]:
    """Return the speed by least squares with an offset per stretch, and its standard error."""
    runs = _run_ids(path)
    x, y = anchors.annotation_s[kept], anchors.copy_s[kept]
    w, group = anchors.weight[kept], runs[kept]
    if len(x) < FEWEST_ANCHORS:
        return rate, 0.01
    mass = np.bincount(group, weights=w)
    mass[mass == 0] = 1.0
    dx = x - (np.bincount(group, weights=w * x) / mass)[group]
    dy = y - (np.bincount(group, weights=w * y) / mass)[group]
    sxx = float(np.sum(w * dx * dx))
    if sxx <= 0:
        return rate, 0.01
    slope = float(np.sum(w * dx * dy)) / sxx
    freedom = max(1, len(x) - len(np.unique(group)) - 1)
    variance = float(np.sum(w * np.square(dy - slope * dx))) / freedom
    return slope, float(np.sqrt(max(variance, SMALLEST_ERROR_S**2) / sxx))


def _run_ids(path: Ints) -> Ints:
    """Number the runs of equal states, so that a state that comes back is another stretch."""
    return np.concatenate([[0], np.cumsum(path[1:] != path[:-1])]).astype(np.int64)


def _stretches(
    anchors: Anchors, rate: float, path: Ints, kept: Flags, min_piece_s: float
) -> tuple[Stretch, ...]:
    runs = _run_ids(path)
    groups = [np.flatnonzero((runs == run) & kept) for run in np.unique(runs)]
    found = [_stretch(anchors, rate, group) for group in groups if len(group) >= 2]
    merged: list[Ints] = []
    for group, stretch in zip([g for g in groups if len(g) >= 2], found, strict=True):
        before = _stretch(anchors, rate, merged[-1]) if merged else None
        if before and abs(before.offset_s - stretch.offset_s) < SAME_OFFSET_S:
            merged[-1] = np.concatenate([merged[-1], group])
        else:
            merged.append(group)
    long = [g for i, g in enumerate(merged) if _room_s(anchors, merged, i) >= min_piece_s]
    return _in_order(anchors, rate, [_stretch(anchors, rate, group) for group in long])


def _stretch(anchors: Anchors, rate: float, group: Ints) -> Stretch:
    offsets = anchors.copy_s[group] - rate * anchors.annotation_s[group]
    offset = float(np.average(offsets, weights=anchors.weight[group]))
    cues = anchors.cue[group]
    return Stretch(
        offset_s=offset,
        first_cue=int(cues.min()),
        last_cue=int(cues.max()),
        annotation_s=anchors.annotation_s[group],
        copy_s=anchors.copy_s[group],
        residual_s=np.abs(offsets - offset),
    )


def _room_s(anchors: Anchors, groups: list[Ints], index: int) -> float:
    """Return how long a piece can be at most: up to its neighbours, or to an end of the film."""
    before = anchors.annotation_s[groups[index - 1][-1]] if index else -inf
    after = anchors.annotation_s[groups[index + 1][0]] if index + 1 < len(groups) else inf
    return float(after - before)


def _in_order(anchors: Anchors, rate: float, stretches: list[Stretch]) -> tuple[Stretch, ...]:
    """Drop the weaker of two stretches where the copy would run backwards between them."""
    kept: list[Stretch] = []
    for stretch in stretches:
        while kept and _backwards(kept[-1], stretch, anchors, rate):
            if kept[-1].n_anchors >= stretch.n_anchors:
                break
            kept.pop()
        else:
            kept.append(stretch)
    return tuple(kept)


def _backwards(before: Stretch, after: Stretch, anchors: Anchors, rate: float) -> bool:
    """Say whether the gap between two stretches is too short for what is missing there."""
    ours = anchors.annotation_s
    end = float(ours[anchors.cue == before.last_cue].max())
    start = float(ours[anchors.cue == after.first_cue].min())
    if start < end:
        return True
    return rate * start + after.offset_s < rate * end + before.offset_s - 1.0
