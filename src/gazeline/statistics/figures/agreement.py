"""Figures of agreement: distances, thresholds, concepts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gazeline.params.statistics import AgreementParams
from gazeline.statistics.agreement.measure import (
    OVERLAPS,
    distance_samples,
    threshold_key,
)
from gazeline.statistics.agreement.pairs import PairSample
from gazeline.statistics.annotations import Annotations
from gazeline.statistics.figures.style import (
    BLUE,
    ORANGE,
    PALE,
    Figures,
    house_style,
    legend_below,
    new_figure,
    rows_axis,
    rows_height_in,
)

BINS = 20
OVERLAP_WORDS = {"coverage": "coverage", "iou": "intersection over union"}
OVERLAP_LOOKS = {"coverage": (BLUE, "o"), "iou": (ORANGE, "D")}
READINGS = {
    "as_published": ("as published (coverage, empty side 0)", BLUE, "o", -0.16),
    "literal_reading": ("read literally (IoU, empty side dropped)", ORANGE, "D", 0.16),
}
FIGURES = {"alpha": "alpha", "sigma": "sigma"}

Metrics = Mapping[str, Any]


def agreement_figures(
    annotations: Annotations, metrics: Metrics, params: AgreementParams, caption: str
) -> Figures:
    """Return the figures of a corpus; None for one there is nothing to draw in.

    Args:
        metrics: from `measure_agreement` by the same params.
    """
    if "levels" not in metrics:
        return {"distances": None, "thresholds": None, "concepts": None}
    # Levels come first, so that no concept is worked out.
    _, name, distances = next(iter(distance_samples(annotations, params)))
    with house_style():
        return {
            "distances": distances_figure(
                distances, metrics["as_published"]["levels"][name], params, caption
            ),
            "thresholds": thresholds_figure(metrics["levels"][name], params, caption),
            "concepts": concepts_figure(metrics, annotations.concept_names, params, caption),
        }


def distances_figure(
    sample: PairSample, figures: Metrics, params: AgreementParams, caption: str
) -> Figure | None:
    """Show how far apart annotations of one film are, and of different films."""
    if not len(sample.observed) or not len(sample.expected) or not _apart(sample):
        return None
    title = f"Levels {', '.join(params.levels)}: {_words(figures)}"
    figure = new_figure(title, caption, 2.3)
    axes = figure.add_subplot()
    both = np.concatenate([sample.observed, sample.expected])
    edges = np.linspace(0, float(both.max()), BINS + 1)
    for values, name, colour, filled in (
        (sample.expected, "different films", PALE, True),
        (sample.observed, "same film", BLUE, False),
    ):
        share, _ = np.histogram(values, edges)
        label = f"{name} ({len(values)} pairs)"
        axes.stairs(
            share / len(values),
            edges,
            fill=filled,
            label=label,
            facecolor=colour,
            edgecolor="#666666" if filled else colour,
            linewidth=0.5 if filled else 1.4,
        )
        line = "#666666" if filled else colour
        axes.axvline(values.mean(), color=line, linestyle="--", linewidth=0.9)
    axes.set_xlabel(f"distance by coverage at {params.level_threshold:g}; dashed: means")
    axes.set_ylabel("share of pairs")
    axes.set_xlim(0, edges[-1])
    legend_below(figure, axes, columns=2)
    return figure


def _apart(sample: PairSample) -> bool:
    """Tell whether any two annotations are apart; an axis from 0 to 0 shows nothing."""
    return bool(sample.observed.max() > 0 or sample.expected.max() > 0)


def thresholds_figure(curves: Metrics, params: AgreementParams, caption: str) -> Figure | None:
    """Show alpha and sigma of the levels over thresholds by both overlap rules."""
    thresholds = sorted({*params.thresholds, params.level_threshold})
    figure = new_figure("Agreement on levels over thresholds", caption, 3.5)
    panels = figure.subplots(2, 1, sharex=True)
    for axes, name in zip(panels, FIGURES, strict=True):
        for overlap in OVERLAPS:
            _curve(axes, curves[overlap], name, thresholds, overlap)
        axes.set_ylabel(name)
        axes.grid(axis="y", color=PALE, linewidth=0.5)
    if not any(axes.lines for axes in panels):
        return None
    panels[1].set_ylim(-0.04, 1.04)
    panels[1].set_xlabel("least overlap of a match; bands: 95 % over resampled films")
    legend_below(figure, panels[0], columns=2)
    return figure


def _curve(
    axes: Axes, curve: Metrics, name: str, thresholds: Sequence[float], overlap: str
) -> None:
    """Draw the thresholds at which the figure is defined, and its interval where it has one."""
    colour, marker = OVERLAP_LOOKS[overlap]
    points = [(t, curve[threshold_key(t)]) for t in thresholds]
    defined = [(t, entry) for t, entry in points if name in entry]
    if not defined:
        return
    axes.plot(
        [t for t, _ in defined],
        [entry[name] for _, entry in defined],
        color=colour,
        marker=marker,
        label=OVERLAP_WORDS[overlap],
    )
    band = [(t, entry[f"{name}_low"], entry[f"{name}_high"]) for t, entry in defined
            if f"{name}_low" in entry]  # fmt: skip
    if band:
        t, low, high = zip(*band, strict=True)
        axes.fill_between(t, low, high, color=colour, alpha=0.2, linewidth=0)


def concepts_figure(
    metrics: Metrics, names: Sequence[str], params: AgreementParams, caption: str
) -> Figure | None:
    """Show alpha and sigma of each concept, as published and read literally."""
    figures = [
        metrics[reading]["concepts"] for reading in READINGS if "concepts" in metrics[reading]
    ]
    if not any(name in entry for by in figures for entry in by.values() for name in FIGURES):
        return None
    title = f"Agreement on concepts (overlap at {params.concept_threshold:g})"
    figure = new_figure(title, caption, rows_height_in(len(names), 0.2, 1.25))
    panels = figure.subplots(1, 2, sharey=True)
    for axes, name in zip(panels, FIGURES, strict=True):
        for reading, (label, colour, marker, offset) in READINGS.items():
            _dots(axes, metrics[reading]["concepts"], names, name, (label, colour, marker, offset))
        _mark_undefined(axes, metrics, names, name)
        axes.set_xlabel(name)
        axes.grid(axis="x", color=PALE, linewidth=0.5)
        axes.axvline(0, color="#666666", linewidth=0.6)
    panels[1].set_xlim(-0.05, 1.05)
    rows_axis(panels, names)
    legend_below(figure, panels[0])
    return figure


def _mark_undefined(axes: Axes, metrics: Metrics, names: Sequence[str], name: str) -> None:
    """Say in the row of a concept that a figure is undefined, once where it is by both readings."""
    for row, concept in enumerate(names):
        lacking = [r for r in READINGS if name not in metrics[r]["concepts"][concept]]
        both = len(lacking) == len(READINGS)
        for reading in lacking[:1] if both else lacking:
            _, colour, _, offset = READINGS[reading]
            axes.text(
                0.98,
                row if both else row + offset,
                "undefined",
                transform=axes.get_yaxis_transform(),
                ha="right",
                va="center",
                fontsize=5.5 if both else 5,
                color="#666666" if both else colour,
            )


def _dots(
    axes: Axes,
    figures: Metrics,
    names: Sequence[str],
    name: str,
    looks: tuple[str, str, str, float],
) -> None:
    label, colour, marker, offset = looks
    rows = [(i + offset, figures[c]) for i, c in enumerate(names) if name in figures[c]]
    axes.plot(
        [entry[name] for _, entry in rows],
        [y for y, _ in rows],
        linestyle="none",
        color=colour,
        marker=marker,
        label=label,
    )
    spans = [(y, entry) for y, entry in rows if f"{name}_low" in entry]
    axes.hlines(
        [y for y, _ in spans],
        [entry[f"{name}_low"] for _, entry in spans],
        [entry[f"{name}_high"] for _, entry in spans],
        color=colour,
        linewidth=0.8,
    )


def _words(figures: Metrics) -> str:
    return ", ".join(
        f"{name} {figures[name]:.2f}" if name in figures else f"{name} undefined"
        for name in FIGURES
    )
