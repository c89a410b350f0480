"""Figures of external consistency: what is said, seen and heard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gazeline.params.statistics import ConsistencyParams
from gazeline.statistics.consistency.acoustic import FEATURES, CurveComparison
from gazeline.statistics.consistency.check import Consistency
from gazeline.statistics.consistency.hypotheses import family_counts
from gazeline.statistics.consistency.testable import NotTestable
from gazeline.statistics.figures.style import (
    BLUE,
    GREY,
    PALE,
    VERMILION,
    Figures,
    colour_of,
    house_style,
    legend_below,
    new_figure,
    rows_axis,
    rows_height_in,
)

MOST_CATEGORIES = 24
TITLE_LETTERS = 26
SOURCES = {"subtitles": "the joined subtitles", "released_text": "the released text"}
FEATURE_WORDS = {"zcr": "zero crossings\nper sample", "bandwidth_hz": "bandwidth, Hz", "rms": "RMS"}

Family = Mapping[str, Mapping[str, Any]]
Curves = Mapping[str, Mapping[str, CurveComparison | NotTestable]]


def consistency_figures(
    consistency: Consistency, params: ConsistencyParams, caption: str
) -> Figures:
    """Return the figures of a corpus; None for a part that did not run or found nothing."""
    metrics = consistency.metrics
    seen = metrics.get("visual", {}).get("annotators", {})
    with house_style():
        return {
            **_said_figures(metrics.get("speech", {}), params, caption),
            "seen": visual_figure(seen, params, caption),
            "heard": acoustic_figure(consistency.curves, params, caption),
        }


def _said_figures(speech: Mapping[str, Any], params: ConsistencyParams, caption: str) -> Figures:
    """Return a figure for each speech concept and source of text."""
    figures: Figures = {}
    for source in SOURCES:
        annotators = speech.get(source, {}).get("annotators", {})
        concepts = list(next(iter(annotators.values()))) if annotators else []
        if not concepts:
            figures[f"said_{source}"] = None
        for concept in concepts:
            families = {annotator: found[concept] for annotator, found in annotators.items()}
            name = f"said_{source}" if len(concepts) == 1 else f"said_{source}_{_slug(concept)}"
            title = f"Empath categories and {concept}, in {SOURCES[source]}"
            figures[name] = effects_figure(title, families, params, caption)
    return figures


def visual_figure(
    families: Mapping[str, Family], params: ConsistencyParams, caption: str
) -> Figure | None:
    """Show how much higher the score of each visual concept is where it was annotated."""
    return effects_figure("Visual concept score where annotated", families, params, caption)


def effects_figure(
    title: str, families: Mapping[str, Family], params: ConsistencyParams, caption: str
) -> Figure | None:
    """Show the effect of each test as a bar, a panel per annotator, significant ones filled.

    At most MOST_CATEGORIES tests are shown, those of the largest effect of any annotator. Where
    an annotator's could not be made, its row or panel says so.
    """
    largest = _largest_effects(families)
    if not largest:
        return None
    names = sorted(largest, key=lambda name: (-abs(largest[name]), name))[:MOST_CATEGORIES]
    names.sort(key=lambda name: (-largest[name], name))
    if len(names) < len(largest):
        title = f"{title}: the {len(names)} largest effects"
    figure = new_figure(title, caption, rows_height_in(len(names), 0.155, 1.35))
    panels = figure.subplots(1, len(families), sharey=True, sharex=True, squeeze=False)[0]
    for i, (axes, (annotator, family)) in enumerate(zip(panels, families.items(), strict=True)):
        _effect_bars(axes, family, names, params.q_significant, colour_of(i))
        axes.set_title(_with_tested(annotator, family, params.q_significant))
    rows_axis(panels, names)
    figure.supxlabel(f"rank-biserial effect (filled: q < {params.q_significant:g})", fontsize=7)
    return figure


def _largest_effects(families: Mapping[str, Family]) -> dict[str, float]:
    """Return the effect furthest from 0 of each test, 0 for one that nobody's could be made of.

    Nothing where no test could be made.
    """
    largest: dict[str, float] = {}
    for family in families.values():
        for name, entry in family.items():
            effects = (largest.get(name, 0.0), entry.get("effect", 0.0))
            largest[name] = max(effects, key=abs)
    made = any("effect" in entry for family in families.values() for entry in family.values())
    return largest if made else {}


def _effect_bars(axes: Axes, family: Family, names: Sequence[str], q: float, colour: str) -> None:
    for y, name in enumerate(names):
        entry = family.get(name, {})
        if "effect" in entry:
            significant = entry["q"] < q
            axes.barh(y, entry["effect"], 0.7, edgecolor=colour, linewidth=0.7,
                      facecolor=colour if significant else "white")  # fmt: skip
        elif any("effect" in other for other in family.values()):
            axes.text(0, y, " not testable", va="center", fontsize=5.5, color=GREY)
    axes.axvline(0, color=GREY, linewidth=0.6)
    axes.grid(axis="x", color=PALE, linewidth=0.5)


def acoustic_figure(curves: Curves, params: ConsistencyParams, caption: str) -> Figure | None:
    """Show the mean acoustic curves of segments with an audio concept and without.

    Bins of q below `params.q_shaded` are shaded.
    """
    compared = [c for features in curves.values() for c in features.values()]
    if not any(isinstance(c, CurveComparison) for c in compared):
        return None
    title = f"Sound of segments with and without an audio concept (shaded: q < {params.q_shaded:g})"
    figure = new_figure(title, caption, 4.2)
    grid = figure.subplots(len(FEATURES), len(curves), sharex=True, sharey="row", squeeze=False)
    for row, feature in enumerate(FEATURES):
        for column, (annotator, features) in enumerate(curves.items()):
            axes = grid[row, column]
            _curves(axes, features[feature], params.q_shaded)
            if row == 0:
                axes.set_title(_with_sizes(annotator, features[feature]))
        grid[row, 0].set_ylabel(FEATURE_WORDS[feature])
    for axes in grid[-1]:
        axes.set_xlabel("position in segment, %")
    figure.align_ylabels(grid[:, 0])
    drawn = next(axes for axes in grid.flat if axes.lines)
    legend_below(figure, drawn, columns=2)
    return figure


def _curves(axes: Axes, comparison: CurveComparison | NotTestable, q_shaded: float) -> None:
    if isinstance(comparison, NotTestable):
        axes.text(0.5, 0.5, "not testable", transform=axes.transAxes, ha="center", color=GREY)
        return
    bins = len(comparison.q)
    position = np.linspace(0, 100, bins)
    half = 50 / (bins - 1)
    for start, stop in _runs(comparison.q < q_shaded):
        left, right = max(position[start] - half, 0), min(position[stop - 1] + half, 100)
        axes.axvspan(left, right, color=PALE, linewidth=0)
    axes.plot(position, comparison.positive, color=VERMILION, label="with")
    axes.plot(position, comparison.negative, color=BLUE, linestyle="--", label="without")
    axes.set_xlim(0, 100)


def _runs(on: np.ndarray[Any, np.dtype[np.bool_]]) -> list[tuple[int, int]]:
    """Return the half-open ranges in which `on` is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], on.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def _with_tested(annotator: str, family: Family, q: float) -> str:
    """Return the title of a panel: how many tests were made, or why none."""
    counts = family_counts(dict(family), q)
    if not counts["n_tested"]:
        reason = counts["reason"].partition(";")[0] + (" …" if ";" in counts["reason"] else "")
        return "\n".join([annotator, *wrap(f"not testable: {reason}", TITLE_LETTERS)])
    return f"{annotator}\n{counts['n_significant']} of the {counts['n_tested']} tested"


def _with_sizes(annotator: str, comparison: CurveComparison | NotTestable) -> str:
    if isinstance(comparison, NotTestable):
        return "\n".join([annotator, *wrap(comparison.reason, TITLE_LETTERS)])
    return f"{annotator}\n{comparison.n_positive} with, {comparison.n_negative} without"


def _slug(name: str) -> str:
    return "-".join(name.lower().split())
