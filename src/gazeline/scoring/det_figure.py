"""Draw a DET curve: misses over false alarms on normal-deviate axes (Martin et al. 1997)."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from scipy.special import ndtri

from gazeline.errors import GazelineError
from gazeline.evaluation.scoring.violence import Det
from gazeline.files import atomic_path

TICKS = (0.001, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 0.999)
EDGE = 5e-4


def check_name(path: Path) -> None:
    """Check that a figure can be written under a name.

    Raises:
        GazelineError: it ends in neither .png nor .svg.
    """
    if path.suffix.lower() not in (".png", ".svg"):
        raise GazelineError(
            f"{path.name} is neither a PNG nor an SVG", todo="let the name end in .png or .svg"
        )


def draw_det(curve: Det, title: str, path: Path) -> None:
    """Write a PNG or SVG of a curve, with the point of least cost marked."""
    check_name(path)
    with mpl.rc_context({"font.size": 9, "svg.hashsalt": "gazeline"}):
        figure = Figure(figsize=(4.6, 4.4), layout="constrained")
        axes = figure.add_subplot()
        x, y = (ndtri(np.clip(rate, EDGE, 1 - EDGE)) for rate in (curve.p_fa, curve.p_miss))
        axes.plot(x, y, color="#1f4e79", linewidth=1.4)
        cost, _ = curve.least_cost()
        best = int(np.argmin(curve.p_fa + 10 * curve.p_miss))
        axes.plot(x[best], y[best], "o", color="#b03a2e", label=f"least cost {cost:.3f}")
        places = ndtri(np.array(TICKS))
        labels = [f"{100 * tick:g}" for tick in TICKS]
        axes.set_xticks(places, labels, rotation=60)
        axes.set_yticks(places, labels)
        axes.set(
            xlim=(ndtri(EDGE), ndtri(1 - EDGE)),
            ylim=(ndtri(EDGE), ndtri(1 - EDGE)),
            xlabel="false alarms, %",
            ylabel="misses, %",
            title=title,
        )
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.legend(frameon=False, loc="upper right")
        with atomic_path(path) as temporary:
            kind = path.suffix.lower().lstrip(".")
            metadata = {"Date": None} if kind == "svg" else None
            figure.savefig(temporary, format=kind, dpi=150, metadata=metadata)
