"""Figure of the decision tree, from left to right, a row for each branch that ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gazeline.statistics.description.tree import Branch
from gazeline.statistics.figures.style import BLUE, PALE, new_figure, rows_height_in

ROOM = 1.0
BAR = 0.55


def tree_figure(
    root: Branch | None, scores: Mapping[str, Any], levels: Sequence[str], caption: str
) -> Figure | None:
    """Show the top of the tree; a bar at each end is the share of the positive level.

    Args:
        scores: `tree` of the metrics; its accuracies stand in the title.
        levels: negative and positive level.
    """
    if root is None or root.concept is None:
        return None
    n_rows = len(list(_ends(root)))
    title = f"Decision tree, {levels[1]} or {levels[0]}\n{_words(scores)}"
    figure = new_figure(title, caption, rows_height_in(n_rows, 0.27, 0.85))
    axes = figure.add_subplot()
    depth = _depth(root)
    _draw(axes, root, 0, 0, depth)
    axes.set_xlim(-0.02, depth + ROOM)
    axes.set_ylim(n_rows - 0.3, -0.7)
    axes.set_axis_off()
    axes.text(0, n_rows - 0.35, f"first {depth} questions; up: no, down: yes; bars: share of "
              f"{levels[1]} (n segments)", fontsize=6, va="top")  # fmt: skip
    return figure


def _draw(axes: Axes, branch: Branch, column: int, first_row: int, depth: int) -> tuple[float, int]:
    """Draw a branch from a row on; return the row of its node and the next free row."""
    if branch.without is None or branch.having is None:
        _bar(axes, branch, depth, first_row)
        if column < depth:
            axes.plot([column, depth], [first_row, first_row], color="#666666", linewidth=0.7)
        return first_row, first_row + 1
    upper, middle = _draw(axes, branch.without, column + 1, first_row, depth)
    lower, after = _draw(axes, branch.having, column + 1, middle, depth)
    row = (upper + lower) / 2
    for end, word in ((upper, "no"), (lower, "yes")):
        x = [column, column + 0.12, column + 1]
        axes.plot(x, [row, end, end], color="#666666", linewidth=0.7, zorder=1)
        axes.text(column + 0.15, end - 0.06, word, fontsize=5.5, va="bottom", color="#444444")
    axes.text(column, row, f"{branch.concept}?", fontsize=6.5, va="center",
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8}, zorder=2)  # fmt: skip
    return row, after


def _bar(axes: Axes, branch: Branch, column: int, row: int) -> None:
    axes.barh(row, BAR, 0.5, column, color=PALE)
    axes.barh(row, BAR * branch.share, 0.5, column, color=BLUE)
    text = f"{branch.share:.0%} ({branch.n})"
    axes.text(column + BAR + 0.03, row, text, fontsize=6, va="center")


def _ends(branch: Branch) -> Iterator[Branch]:
    if branch.without is None or branch.having is None:
        yield branch
        return
    yield from _ends(branch.without)
    yield from _ends(branch.having)


def _depth(branch: Branch) -> int:
    if branch.without is None or branch.having is None:
        return 0
    return 1 + max(_depth(branch.without), _depth(branch.having))


def _words(scores: Mapping[str, Any]) -> str:
    words = f"accuracy {scores['in_sample']['accuracy']:.2f} in sample"
    if "out_of_sample" in scores:
        words += f", {scores['out_of_sample']['accuracy']:.2f} out of sample"
    return words
