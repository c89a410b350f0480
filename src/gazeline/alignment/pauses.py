"""Where one stretch ends and the next begins when only timing is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gazeline.alignment.activity import Activity, Edges
from gazeline.alignment.cuts import Cut
from gazeline.alignment.dialogue import Floats
from gazeline.alignment.likelihood import Model, log_ratio

# Only decides between places that the edges speak for equally.
PAUSE_WEIGHT = 0.05
LONGEST_PAUSE_S = 10.0


@dataclass(frozen=True)
class Gap:
    """The annotated time in which a cut must lie, and the offsets before and after it."""

    start_s: float
    end_s: float
    before_s: float
    after_s: float


def place_cut_by_timing(
    corpus: Activity, copy: Activity, model: Model, rate: float, gap: Gap
) -> Cut:
    """Return where the copy leaves the annotated film and where it takes it up again.

    Of all pauses of the corpus in the gap, the one where the edges before fit the one offset
    and the edges after the other best, then the longest.
    """
    missing_s = max(0.0, (gap.before_s - gap.after_s) / rate)
    places = _places(corpus, gap, missing_s)
    score = np.zeros(len(places))
    pairs = ((corpus.starts, copy.starts, model.starts), (corpus.ends, copy.ends, model.ends))
    for ours, theirs, share in pairs:
        low, high = np.searchsorted(ours.time_s, [gap.start_s, gap.end_s])
        time_s, weight = ours.time_s[low:high], ours.weight[low:high]
        here, there = (
            weight * log_ratio(theirs, rate * time_s + offset, share, model.sigma_s)
            for offset in (gap.before_s, gap.after_s)
        )
        left = np.concatenate([[0.0], np.cumsum(here)])
        right = np.concatenate([np.cumsum(there[::-1])[::-1], [0.0]])
        score += left[np.searchsorted(time_s, places)]
        score += right[np.searchsorted(time_s, places + missing_s)]
    best = float(places[int(np.argmax(score + PAUSE_WEIGHT * _pauses_s(corpus, places)))])
    return Cut(best, best + missing_s)


def _places(corpus: Activity, gap: Gap, missing_s: float) -> Floats:
    """Return the middles of the pauses, those that resume in one, and the ends of the gap."""
    low, high = gap.start_s, max(gap.start_s, gap.end_s - missing_s)
    starts, ends = corpus.starts.time_s[1:], np.maximum.accumulate(corpus.ends.time_s)[:-1]
    middles = ((starts + ends) / 2)[starts > ends]
    tries = np.concatenate([middles, middles - missing_s])
    inside = tries[(tries >= low) & (tries <= high)]
    return np.unique(inside) if len(inside) else np.array([(low + high) / 2])


def _pauses_s(corpus: Activity, at: Floats) -> Floats:
    """Return how far times are from the nearest edges on both sides, the sum, at most 10 s."""
    return np.minimum(_distance(corpus.starts, at) + _distance(corpus.ends, at), LONGEST_PAUSE_S)


def _distance(edges: Edges, at: Floats) -> Floats:
    after = np.clip(np.searchsorted(edges.time_s, at), 1, len(edges) - 1)
    near = np.minimum(np.abs(edges.time_s[after] - at), np.abs(at - edges.time_s[after - 1]))
    return np.asarray(near, dtype=np.float64)
