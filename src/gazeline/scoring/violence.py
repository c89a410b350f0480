"""Score anybody's run of the violent scenes task against a release."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gazeline.corpora.vsd2011.events import VIOLENCE, read_events
from gazeline.corpora.vsd2011.files import find_files
from gazeline.corpora.vsd2011.shots import read_shots
from gazeline.corpora.vsd2011.titles import TEST
from gazeline.errors import ReleaseError
from gazeline.evaluation.scoring.spans import Span, Spans, union
from gazeline.evaluation.scoring.violence import (
    Det,
    Units,
    decision_scores,
    det,
    precision_at_ranks,
)
from gazeline.scoring.etf import Line, film_of_source, read_etf
from gazeline.scoring.events import event_counts, ratios

RANKS = (20, 100)
ONE_CLASS = "the scored films have no violent part, or no other"
NO_SCORE = "the run gives no scores"
NOTHING_CALLED = "the run calls nothing violent"


@dataclass(frozen=True)
class Truth:
    """Violent time of a film, and its shots where the release has them."""

    violent: Spans
    shots: tuple[Span, ...]


@dataclass(frozen=True)
class Result:
    """Scores as JSON (a null has a reason beside it), and the DET curve per shot or of time."""

    scores: dict[str, Any]
    curve: Det | None


def read_truth(folder: Path) -> dict[str, Truth]:
    """Return the truth by film.

    Raises:
        ReleaseError: no film is there, or a file cannot be read.
    """
    return {
        film: Truth(
            union((e.start_s, e.end_s) for e in read_events(files.events[VIOLENCE], VIOLENCE)),
            tuple((s.start_s, s.end_s) for s in read_shots(files.shots, film))
            if files.shots
            else (),
        )
        for film, files in sorted(find_files(folder).items())
    }


def score_violence(truth_folder: Path, run: Path, *, named: bool = False) -> Result:
    """Score a run on every test film of the truth, or only on the films that it names.

    Where the truth has the three test films of the task and the run names no other, these are
    scored; else every film of the truth. What the run leaves out counts as not violent.

    Raises:
        ReleaseError: truth or run cannot be read, or the run names a film that the truth has not.
    """
    truth = read_truth(truth_folder)
    lines = _by_film(read_etf(run), truth, run)
    films = sorted(lines) if named else _asked(truth, lines)
    shots = {film: shot_units(truth[film], lines.get(film, ())) for film in films}
    time = {film: time_units(truth[film], lines.get(film, ())) for film in films}
    with_shots = all(truth[film].shots for film in films)
    curve = _curve(shots if with_shots else time)
    scores: dict[str, Any] = {
        "films": films,
        "not_scored": sorted(set(truth) - set(films)),
        "not_in_the_run": sorted(set(films) - set(lines)),
        "lines_without_decision": sum(line.undecided for of in lines.values() for line in of),
        "lines_without_score": sum(line.score is None for of in lines.values() for line in of),
        "time": _scores(time),
        "shots": _scores(shots) | _ranked(shots) if with_shots else None,
        "events": _events(truth, lines, films),
        "per_film": {
            film: {"time": _scores({film: time[film]})}
            | ({"shots": _scores({film: shots[film]})} if truth[film].shots else {})
            for film in films
        },
    }
    if not with_shots:
        lacking = [film for film in films if not truth[film].shots]
        scores["shots_reason"] = f"no shot boundaries of {', '.join(lacking)}"
    return Result(scores, curve)


def _asked(truth: Mapping[str, Truth], lines: Mapping[str, Sequence[Line]]) -> list[str]:
    """Return the films that a run is to answer."""
    test = {title.film_id for title in TEST}
    return sorted(test if test <= set(truth) and set(lines) <= test else truth)


def _by_film(lines: Sequence[Line], truth: Mapping[str, Truth], run: Path) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    sources: dict[str, str] = {}
    for line in lines:
        film = film_of_source(line.source, truth)
        if film is None:
            raise ReleaseError(
                f"The run names {line.source}, which is no film of the truth",
                where=f"{run}; the truth has {', '.join(sorted(truth))}",
                todo="take that film's lines out, or give the truth of it",
            )
        if sources.setdefault(film, line.source) != line.source:
            raise ReleaseError(
                f"{sources[film]} and {line.source} both name {film}",
                where=str(run),
                todo="give each film one name throughout the run",
            )
        found.setdefault(film, []).append(line)
    return found


def shot_units(truth: Truth, lines: Sequence[Line]) -> Units:
    """Return the shots of a film; each takes the lines that its middle lies in."""
    violent = [
        any(min(end, e) - max(start, s) > 1e-6 for s, e in truth.violent)
        for start, end in truth.shots
    ]
    found = [_answer((start + end) / 2, lines) for start, end in truth.shots]
    return _units(violent, found, [1.0] * len(truth.shots))


def time_units(truth: Truth, lines: Sequence[Line]) -> Units:
    """Return the stretches between any two bounds of truth and run, weighed by their seconds.

    The film ends with its last shot, or where there are none with the last interval of either;
    what lies past its end is not scored.
    """
    bounds = {0.0, *(b for span in truth.violent for b in span)}
    bounds |= {b for line in lines for b in (line.start_s, line.end_s)}
    end_s = truth.shots[-1][1] if truth.shots else max(bounds)
    edges = sorted({b for b in bounds if b < end_s} | {end_s})
    pieces = list(itertools.pairwise(edges))
    middles = [(a + b) / 2 for a, b in pieces]
    violent = [any(s <= m < e for s, e in truth.violent) for m in middles]
    return _units(violent, [_answer(m, lines) for m in middles], [b - a for a, b in pieces])


def _answer(time_s: float, lines: Sequence[Line]) -> tuple[bool, float]:
    """Return decision and score at a time: any decision for, and the largest score."""
    there = [line for line in lines if line.start_s <= time_s < line.end_s]
    scores = [line.score for line in there if line.score is not None]
    return any(line.decided for line in there), max(scores, default=-math.inf)


def _units(
    violent: Sequence[bool], found: Sequence[tuple[bool, float]], weights: Sequence[float]
) -> Units:
    return Units(
        np.array(violent, dtype=np.bool_),
        np.array([decided for decided, _ in found], dtype=np.bool_),
        np.array([score for _, score in found], dtype=np.float64),
        np.array(weights, dtype=np.float64),
    )


def _pooled(units: Mapping[str, Units]) -> Units:
    return Units(
        *(
            np.concatenate([getattr(of, name) for of in units.values()])
            for name in ("violent", "decided", "scores", "weights")
        )
    )


def _curve(units: Mapping[str, Units]) -> Det | None:
    pooled = _pooled(units)
    return det(pooled) if np.isfinite(pooled.scores).any() else None


def _scores(units: Mapping[str, Units]) -> dict[str, Any]:
    pooled = _pooled(units)
    found: dict[str, Any] = {
        name: value if math.isfinite(value) else None
        for name, value in decision_scores(pooled).items()
    }
    one_class = pooled.violent.all() or not pooled.violent.any()
    for name, value in list(found.items()):
        if value is None:
            called = name == "precision" and pooled.violent.any()
            found[f"{name}_reason"] = NOTHING_CALLED if called else ONE_CLASS
    curve = _curve(units)
    least, threshold = curve.least_cost() if curve else (None, None)
    found |= {
        "least_cost": least,
        "least_cost_threshold": threshold if threshold != math.inf else None,
        "n": len(pooled.violent),
        "violent": float(pooled.weights[pooled.violent].sum()),
        "other": float(pooled.weights[~pooled.violent].sum()),
    }
    if curve is None:
        found["least_cost_reason"] = ONE_CLASS if one_class else NO_SCORE
    elif threshold == math.inf:
        found["least_cost_threshold_reason"] = "calling nothing violent costs least"
    return found


def _ranked(units: Mapping[str, Units]) -> dict[str, Any]:
    """Return MAP, and MAP at ranks: means over the films with a violent shot."""
    found: dict[str, Any] = {}
    for name, n in (("map", None), *((f"map_at_{n}", n) for n in RANKS)):
        values = [precision_at_ranks(of.violent, of.scores, n) for of in units.values()]
        finite = [value for value in values if math.isfinite(value)]
        scored = any(np.isfinite(of.scores).any() for of in units.values())
        found[name] = float(np.mean(finite)) if finite and scored else None
        if found[name] is None:
            found[f"{name}_reason"] = "no violent shot" if not finite else NO_SCORE
    return found


def _events(
    truth: Mapping[str, Truth], lines: Mapping[str, Sequence[Line]], films: Sequence[str]
) -> dict[str, Any]:
    counts = {"n_right": 0, "n_called": 0, "n_found": 0, "n_true": 0}
    for film in films:
        found = union((s.start_s, s.end_s) for s in lines.get(film, ()) if s.decided)
        for name, n in event_counts(truth[film].violent, found).items():
            counts[name] += n
    values = ratios(**counts)
    scores: dict[str, Any] = {n: v if math.isfinite(v) else None for n, v in values.items()}
    reason = NOTHING_CALLED if counts["n_true"] else "the scored films have no violent event"
    scores |= {f"{name}_reason": reason for name in values if scores[name] is None}
    return scores | counts
