"""`gazeline score …`: score anybody's run files; no project is needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import click

from gazeline.commands.tables import show_table
from gazeline.files import write_json

VIOLENCE_HEADER = (
    "", "cost", "least cost", "false alarms", "misses", "precision", "recall", "F",
)  # fmt: skip
VIOLENCE_COLUMNS = ("cost", "least_cost", "p_fa", "p_miss", "precision", "recall", "f")
AFFECT_COLUMNS = ("mse", "pearson", "pooled_mse", "pooled_pearson")


def score_vsd2011(
    truth: Path, run: Path, *, named: bool, out: Path | None, figure: Path | None
) -> None:
    """Print the scores of a run of the violent scenes task; write them and the DET curve."""
    from gazeline.scoring.violence import score_violence

    if figure is not None:
        from gazeline.scoring.det_figure import check_name

        check_name(figure)
    result = score_violence(truth, run, named=named)
    scores = result.scores
    units = [(name, scores[name]) for name in ("shots", "time") if scores[name]]
    rows = [(f"per {name.rstrip('s')}", *_cells(of, VIOLENCE_COLUMNS)) for name, of in units]
    rows += [
        (film, *_cells(of.get("shots") or of["time"], VIOLENCE_COLUMNS))
        for film, of in scores["per_film"].items()
    ]
    show_table("Violent scenes: cost = false alarm rate + 10 · miss rate", VIOLENCE_HEADER, rows)
    if scores["shots"]:
        names = ("map", "map_at_20", "map_at_100")
        show_table("Ranked shots", ("MAP", "MAP@20", "MAP@100"), [_cells(scores["shots"], names)])
    _say_reasons(scores)
    if scores["not_in_the_run"]:
        click.echo(f"Not in the run, so not violent: {', '.join(scores['not_in_the_run'])}")
    if scores["lines_without_decision"]:
        click.echo(f"{scores['lines_without_decision']} lines without t or f count as decided for")
    _say_films(scores, "not scored")
    if figure is not None:
        _draw(result.curve, run, figure)
    _write(scores, out)


def score_eim2018(truth: Path, run: Path, task: Literal["va", "fear"], out: Path | None) -> None:
    """Print the scores of a run of the emotional impact task; write them."""
    from gazeline.scoring.affect import score_fear, score_values

    if task == "va":
        scores = score_values(truth, run)
        rows = [(m, *_cells(scores[m], AFFECT_COLUMNS)) for m in ("valence", "arousal")]
        header = ("", "MSE", "Pearson r", "pooled MSE", "pooled r")
        show_table("Values per second, means over films and pooled", header, rows)
        for film, left in scores["seconds_left_out"].items():
            click.echo(
                f"film {film}: {left['truth']} seconds of the truth and {left['run']} of the run "
                "have no counterpart and are not scored"
            )
    else:
        scores = score_fear(truth, run)
        rows = [("all", *_cells(scores, ("iou", "pooled_iou")))]
        show_table("Fear: intersection over union of time", ("", "mean of films", "pooled"), rows)
        films = [(n, *_cells(of, ("iou", "true_s", "found_s"))) for n, of in
                 scores["per_film"].items()]  # fmt: skip
        show_table("By film", ("film", "IoU", "true, s", "found, s"), films)
    _say_reasons(scores)
    _say_films(scores, "give a file of each to score them")
    _write(scores, out)


def _cells(scores: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("–" if scores.get(n) is None else f"{scores[n]:.4f}" for n in names)


def _say_reasons(scores: Mapping[str, Any], path: str = "") -> None:
    for name, value in scores.items():
        if isinstance(value, Mapping) and name != "per_film":
            _say_reasons(value, f"{path}{name} ")
        elif name.endswith("_reason"):
            click.echo(f"{path}{name.removesuffix('_reason')} is not defined: {value}")


def _say_films(scores: Mapping[str, Any], what: str) -> None:
    if scores["not_scored"]:
        click.echo(f"Other films of the truth: {', '.join(scores['not_scored'])}; {what}")


def _draw(curve: Any, run: Path, figure: Path) -> None:
    from gazeline.scoring.det_figure import draw_det

    if curve is None:
        click.echo("No DET curve: it needs scores, and violent and other parts")
        return
    draw_det(curve, run.stem, figure)
    click.echo(f"{figure} was written")


def _write(scores: Mapping[str, Any], out: Path | None) -> None:
    if out is not None:
        write_json(out, dict(scores))
        click.echo(f"{out} was written")
