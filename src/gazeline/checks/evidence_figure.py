"""Draw what a map was made of: anchors, fitted pieces, what is missing, and residuals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from gazeline.alignment.evidence import MapEvidence
from gazeline.files import atomic_path
from gazeline.statistics.figures.style import (
    BLUE,
    FIXED_METADATA,
    GREY,
    ORANGE,
    PALE,
    VERMILION,
    house_style,
    legend_below,
    new_figure,
)
from gazeline.timeline.maps import Interval

DOTS_PER_INCH = 220
# Offsets closer together than this are drawn on a scale that does not blow up rounding.
SMALLEST_SPAN_S = 1.0
SHORT_FILM_S = 300.0
SMALLEST_RESIDUAL_S = 0.25


def draw_evidence(
    evidence: MapEvidence, title: str, caption: str, duration_s: float, samples: Sequence[Interval]
) -> Figure:
    """Return the figure: offsets over the film above, residuals below.

    The offset is copy time less the main speed times annotation time, so that a film without cuts
    is one level line and each cut is a step.

    Args:
        duration_s: end of the annotated film.
        samples: segments shown on the contact sheet, annotation clock; marked on the axis.
    """
    with house_style():
        figure = new_figure(title, caption, 3.4)
        offsets, residuals = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        _draw_offsets(offsets, evidence, duration_s)
        _draw_residuals(residuals, evidence)
        residuals.set_xlim(0, duration_s)
        residuals.set_xlabel("annotation clock, " + _time_axis(residuals, duration_s))
        for index, (start, end) in enumerate(samples):
            label = "on the contact sheet" if index == 0 else None
            residuals.axvspan(start, end, ymax=0.05, color=ORANGE, lw=0, label=label)
        if samples:
            legend_below(figure, residuals)
        figure.align_ylabels()
    return figure


def write_evidence(path: Path, figure: Figure) -> None:
    """Write the figure as PNG; the same figure gives the same bytes."""
    with house_style(), atomic_path(path) as temporary:
        figure.savefig(
            temporary, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None} | _PNG_METADATA
        )


_PNG_METADATA = {"Creator": FIXED_METADATA["Creator"]}


def _draw_offsets(axes: Axes, evidence: MapEvidence, duration_s: float) -> None:
    pieces = evidence.time_map.pieces
    rate = (
        max(pieces, key=lambda p: p.annotation_end_s - p.annotation_start_s).rate if pieces else 1
    )
    for start, end in missing_intervals(evidence, duration_s):
        axes.axvspan(start, end, color=PALE, lw=0, zorder=0)
        axes.text((start + end) / 2, 0.97, "not in\nthe copy", color=GREY, ha="center", va="top",
                  fontsize=5.5, transform=axes.get_xaxis_transform())  # fmt: skip
    times = np.array([a.annotation_s for a in evidence.anchors])
    offset = np.array([a.copy_s - rate * a.annotation_s for a in evidence.anchors])
    axes.plot(times, offset, "o", color=BLUE, ms=2.2, alpha=0.7, mew=0, label="anchor")
    for index, piece in enumerate(pieces):
        ends = np.array([piece.annotation_start_s, piece.annotation_end_s])
        level = piece.rate * ends + piece.offset_s - rate * ends
        label = "map" if index == 0 else None
        axes.plot(ends, level, color=VERMILION, lw=1, label=label)
    _widen(axes, SMALLEST_SPAN_S)
    axes.set_ylabel("copy − " + ("" if rate == 1 else f"{rate:.5g} × ") + "annotation, s")
    if pieces or evidence.anchors:
        axes.legend(loc="best", ncols=2)
    else:
        _say(axes, "no common moment was found")


def _draw_residuals(axes: Axes, evidence: MapEvidence) -> None:
    pairs = [
        (anchor.annotation_s, residual)
        for anchor, residual in zip(evidence.anchors, evidence.residuals_s(), strict=True)
        if residual is not None
    ]
    axes.axhline(0, color=GREY, lw=0.6)
    axes.set_ylabel("residual, s")
    if not pairs:
        _say(axes, f"no anchors: known by {evidence.method}")
        return
    axes.plot(*zip(*pairs, strict=True), "o", color=BLUE, ms=2.2, alpha=0.7, mew=0)
    _widen(axes, SMALLEST_RESIDUAL_S)


def _time_axis(axes: Axes, duration_s: float) -> str:
    """Show seconds as minutes on the axis of a longer film; return the unit."""
    if duration_s < SHORT_FILM_S:
        return "seconds"
    axes.xaxis.set_major_locator(MultipleLocator(_minutes_apart(duration_s) * 60))
    axes.xaxis.set_major_formatter(lambda seconds, _: f"{seconds / 60:g}")
    return "minutes"


def _minutes_apart(duration_s: float) -> int:
    return next((step for step in (1, 2, 5, 10, 20, 30) if duration_s / 60 / step <= 8), 60)


def missing_intervals(evidence: MapEvidence, duration_s: float) -> list[Interval]:
    """Return the annotated time that the copy lacks, annotation clock."""
    edges = [0.0]
    for piece in evidence.time_map.pieces:
        edges += [piece.annotation_start_s, piece.annotation_end_s]
    edges.append(duration_s)
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return [(start, end) for start, end in gaps if end - start > 1e-3]


def _widen(axes: Axes, smallest: float) -> None:
    low, high = axes.get_ylim()
    if high - low < smallest:
        middle = (low + high) / 2
        axes.set_ylim(middle - smallest / 2, middle + smallest / 2)


def _say(axes: Axes, text: str) -> None:
    axes.text(0.5, 0.5, text, ha="center", va="center", color=GREY, transform=axes.transAxes)
