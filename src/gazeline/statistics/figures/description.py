"""Figures of the description: levels, positives, concepts, components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gazeline.params.statistics import DescriptionParams
from gazeline.statistics.description.describe import Description
from gazeline.statistics.figures.style import (
    BLUE,
    LEVEL_COLOURS,
    ORANGE,
    PALE,
    Figures,
    colour_of,
    house_style,
    legend_below,
    marker_of,
    new_figure,
    pick,
    rows_axis,
    rows_height_in,
)
from gazeline.statistics.figures.tree import tree_figure

NAMES = (
    "levels_by_genre",
    "positives_by_film",
    "concept_counts",
    "concept_correlation",
    "components",
    "tree",
)
ALL = "all films"
LEVEL_ORDER = ("EN", "HN", "S", "NS")
LONGEST_TITLE = 26

Metrics = Mapping[str, Any]


def description_figures(
    description: Description, films: pd.DataFrame, params: DescriptionParams, caption: str
) -> Figures:
    """Return the figures of a corpus; None for one there is nothing to draw in.

    Args:
        films: table as `ingest` writes it.
    """
    metrics = description.metrics
    if not metrics["n_segments"]:
        return dict.fromkeys(NAMES)
    titles = dict(zip(films["film_id"], films["title"], strict=True))
    with house_style():
        return {
            "levels_by_genre": levels_figure(metrics["levels"], caption),
            "positives_by_film": positives_figure(metrics["positives"], titles, params, caption),
            "concept_counts": counts_figure(metrics["concepts"]["by_annotator"], caption),
            "concept_correlation": correlation_figure(metrics["concepts"]["correlation"], caption),
            "components": components_figure(metrics["components"], params, caption),
            "tree": tree_figure(description.tree, metrics["tree"], params.tree_levels, caption),
        }


def levels_figure(levels: Metrics, caption: str) -> Figure:
    """Show the share of each level in the annotated time, over all films and by genre."""
    none_first = sorted(
        levels["by_genre"],
        key=lambda genre: levels["by_genre"][genre].get("EN", _NOTHING)["time_share"],
    )
    rows = {ALL: levels["all"], **{genre: levels["by_genre"][genre] for genre in none_first}}
    names = sorted(levels["all"], key=_level_rank)
    title = "Levels by genre (films count in each of theirs)"
    colours = pick(LEVEL_COLOURS, names)
    figure = new_figure(title, caption, rows_height_in(len(rows)))
    axes = figure.add_subplot()
    left = np.zeros(len(rows))
    for name in names:
        share = np.array([100 * row.get(name, _NOTHING)["time_share"] for row in rows.values()])
        axes.barh(np.arange(len(rows)), share, 0.75, left, color=colours[name], label=name,
                  edgecolor="#666666", linewidth=0.3)  # fmt: skip
        left += share
    rows_axis([axes], list(rows))
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of annotated time, %")
    legend_below(figure, axes, columns=len(names))
    return figure


_NOTHING = {"time_share": 0.0}


def _level_rank(level: str) -> tuple[int, str]:
    known = level in LEVEL_ORDER
    return (LEVEL_ORDER.index(level) if known else len(LEVEL_ORDER), level)


def positives_figure(
    positives: Metrics, titles: Mapping[str, str], params: DescriptionParams, caption: str
) -> Figure | None:
    """Show the share of positives in the time of each film, by annotator."""
    films = {film for shares in positives.values() for film in shares}
    if not films:
        return None

    def mean(film: str) -> float:
        return float(np.mean([s[film]["time_share"] for s in positives.values() if film in s]))

    order = sorted(films, key=lambda film: (-mean(film), film))
    figure = new_figure("Positives by film", caption, rows_height_in(len(order)))
    axes = figure.add_subplot()
    for i, (annotator, shares) in enumerate(positives.items()):
        # A little apart, so that equal shares do not cover each other.
        shift = 0.4 * (i - (len(positives) - 1) / 2) / len(positives)
        rows = [
            (y + shift, 100 * shares[f]["time_share"]) for y, f in enumerate(order) if f in shares
        ]
        axes.plot([x for _, x in rows], [y for y, _ in rows], linestyle="none", label=annotator,
                  color=colour_of(i), marker=marker_of(i), clip_on=False)  # fmt: skip
    axes.grid(axis="y", color=PALE, linewidth=0.5)
    rows_axis([axes], [_short(titles.get(film) or film) for film in order])
    axes.set_xlim(left=0)
    axes.set_xlabel(
        f"{' or '.join(params.positive_levels)}, % of time ({' and '.join(params.negative_levels)}"
        " the rest)"
    )
    legend_below(figure, axes, columns=2)
    return figure


def _short(title: str) -> str:
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1].rstrip()}…"


def counts_figure(by_annotator: Metrics, caption: str) -> Figure | None:
    """Show how many segments have each concept, by annotator."""
    names = list(next(iter(by_annotator.values())))
    if not names:
        return None
    thick = 0.8 / len(by_annotator)
    figure = new_figure("Concepts by annotator", caption, rows_height_in(len(names), 0.2))
    axes = figure.add_subplot()
    for i, (annotator, counts) in enumerate(by_annotator.items()):
        y = np.arange(len(names)) - 0.4 + thick * (i + 0.5)
        axes.barh(y, [counts[n] for n in names], thick, color=colour_of(i), label=annotator)
    rows_axis([axes], names)
    axes.set_xlabel("segments with the concept")
    legend_below(figure, axes, columns=2)
    return figure


def correlation_figure(correlation: Metrics, caption: str) -> Figure | None:
    """Show the Pearson correlation of each two concepts over all segments."""
    if not correlation:
        return None
    first = next(iter(correlation))
    names = [first, *correlation[first]]
    matrix = np.full((len(names) - 1, len(names) - 1), np.nan)
    for j, name in enumerate(names[:-1]):
        for i, other in enumerate(names[1:]):
            matrix[i, j] = correlation[name].get(other, np.nan)
    figure = new_figure("Correlation of concepts over segments (Pearson r)", caption, 3.2)
    axes = figure.add_subplot()
    limit = max(0.1, float(np.nanmax(np.abs(matrix))))
    shown = np.ma.masked_invalid(matrix)
    # Purple to orange: its ends differ to every kind of colour vision.
    axes.pcolormesh(shown, cmap="PuOr_r", vmin=-limit, vmax=limit, edgecolors="white")
    for (i, j), value in np.ndenumerate(matrix):
        if np.isfinite(value):
            dark = abs(value) > 0.65 * limit
            axes.text(j + 0.5, i + 0.5, _two_digits(value), ha="center", va="center", fontsize=5.5,
                      color="white" if dark else "black")  # fmt: skip
    axes.set_xticks(np.arange(len(names) - 1) + 0.5, names[:-1], rotation=90)
    axes.set_yticks(np.arange(len(names) - 1) + 0.5, names[1:])
    axes.set_ylim(len(names) - 1, 0)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _two_digits(value: float) -> str:
    """Return a correlation without the nought before its point."""
    text = f"{value:.2f}".replace("0.", ".").replace("-", "−")
    return "0" if text in (".00", "−.00") else text


def components_figure(
    components: Metrics, params: DescriptionParams, caption: str
) -> Figure | None:
    """Show what each visual concept contributes to the first two components (Fig. 7b's reading)."""
    rows = f"without_{'_'.join(params.negative_levels)}"
    found = components["visual_concepts"]["covariance"][rows]
    if "undefined" in found:
        return None
    names = list(found["PC1"]["loadings"])
    title = f"Principal components of the visual concepts\n(covariance, {rows.replace('_', ' ')})"
    figure = new_figure(title, caption, rows_height_in(len(names), 0.18, 1.3))
    panels = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
    for axes, (name, component) in zip(panels, found.items(), strict=True):
        _contributions(axes, [component["loadings"][concept] for concept in names])
        axes.set_title(f"{name}: {component['explained']:.0%} of the variance")
        axes.set_xlabel("contribution, %")
    rows_axis(panels, names)
    legend_below(figure, panels[0], columns=2)
    return figure


def _contributions(axes: Axes, loadings: list[float]) -> None:
    """Draw the squares of the loadings, which sum to 100 %, coloured by their signs."""
    weights = np.array(loadings)
    rows = np.arange(len(weights))
    for sign, label, colour in ((1, "positive loading", BLUE), (-1, "negative loading", ORANGE)):
        width = np.where(np.sign(weights) == sign, 100 * weights**2, 0.0)
        axes.barh(rows, width, 0.7, color=colour, label=label)
