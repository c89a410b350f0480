"""How every figure looks and is written: one print column wide, colour-blind-safe, same bytes."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gazeline.files import atomic_path

logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

COLUMN_IN = 3.4
"""Width of a print column."""
LINE_LETTERS = 52
"""Letters of a title that fit into a column."""

# Okabe and Ito, "Color Universal Design" (2008), in the order they are used.
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#E69F00", "#009E73", "#CC79A7"
SKY, VERMILION, YELLOW, BLACK = "#56B4E9", "#D55E00", "#F0E442", "#000000"
SERIES = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, YELLOW, BLACK)
MARKERS = ("o", "D", "s", "^", "v", "P", "X", "*")
GREY, PALE = "#888888", "#E4E4E4"
# The common levels from none to most; other levels take what SERIES has left.
LEVEL_COLOURS = {"EN": PALE, "HN": SKY, "S": BLUE, "NS": YELLOW}

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.labelsize": 7,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "figure.titlesize": 7.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    # Element ids come from this instead of chance.
    "svg.hashsalt": "gazeline",
}
FIXED_METADATA = {"Date": None, "Creator": "Gazeline"}

Figures = dict[str, Figure | None]


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the style of the project, whatever the user's own matplotlibrc says."""
    import matplotlib

    with rc_context(matplotlib.rcParamsDefault | STYLE):
        yield


def new_figure(title: str, caption: str, height_in: float) -> Figure:
    """Return an empty figure, one column wide, with a title over it.

    Args:
        caption: what is said of a subset, "" for the whole; a line of the title.
    """
    figure = Figure(figsize=(COLUMN_IN, height_in), layout="constrained")
    lines = [wrap(line, LINE_LETTERS) for line in (*title.split("\n"), caption)]
    figure.suptitle("\n".join(part for parts in lines for part in parts))
    return figure


def rows_axis(panels: Iterable[Axes], names: Sequence[str]) -> None:
    """Name rows from top to bottom on the vertical axis that the panels share."""
    for axes in panels:
        axes.set_yticks(np.arange(len(names)), names)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)


def legend_below(figure: Figure, axes: Axes, columns: int = 1) -> None:
    """Put the legend of a panel below the figure, where it covers no data."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)


def rows_height_in(n_rows: int, row_in: float = 0.16, rest_in: float = 1.0) -> float:
    """Return the height of a figure with rows."""
    return rest_in + row_in * n_rows


def pick(table: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Return a colour for each name: its own where it has one, else the next that is free."""
    free = (colour for colour in SERIES * len(names) if colour not in table.values())
    return {name: table.get(name) or next(free) for name in names}


def colour_of(index: int) -> str:
    """Return the colour of the series at an index; after eight they repeat."""
    return SERIES[index % len(SERIES)]


def marker_of(index: int) -> str:
    """Return the marker of the series at an index."""
    return MARKERS[index % len(MARKERS)]


def write_figures(folder: Path, figures: Figures) -> str:
    """Write each figure as `<name>.svg` and say how many there are and which there are not.

    The folder is there afterwards also without any figure. The same figures give the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {name: figure for name, figure in figures.items() if figure is not None}
    with house_style():
        for name, figure in drawn.items():
            with atomic_path(folder / f"{name}.svg") as temporary:
                figure.savefig(temporary, format="svg", metadata=FIXED_METADATA)
    missing = ", ".join(name for name, figure in figures.items() if figure is None)
    if not drawn:
        return f"no figure of {missing}"
    count = f"{len(drawn)} figure{'s' if len(drawn) > 1 else ''}"
    return f"{count}, none of {missing}" if missing else count
