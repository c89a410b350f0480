"""Score anybody's run of the emotional impact task: values per second, or fear intervals.

A run is a folder with a text file a film, whose name holds the film's number as the truth's does.
Values: `time valence arousal` a line (a header is passed over), or two columns, one line a second.
Fear: any layout that the truth may have.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gazeline.corpora.eim2018.adapter import find_films
from gazeline.corpora.eim2018.fear import read_fear
from gazeline.corpora.eim2018.series import MEASURES, read_series
from gazeline.corpora.numbers import decimal
from gazeline.corpora.problems import Problems, read_text
from gazeline.errors import ReleaseError
from gazeline.evaluation.scoring.affect import Pair, film_scores, series_scores
from gazeline.evaluation.scoring.spans import common, intersection_over_union, length_s, union

# The number after MediaEval and its year, else the only two digits of the name.
TASK_NUMBER = re.compile(r"mediaeval(?:20)?1[5-8][_-]?(\d{2})(?!\d)", re.IGNORECASE)
LONE_NUMBER = re.compile(r"(?<!\d)\d{2}(?!\d)")
TODO = "write `time valence arousal`, or `valence arousal`, on each line"
CONSTANT = "the answer or the truth is constant, or they share fewer than two seconds"
FEW = "they share no second"


@dataclass(frozen=True)
class Values:
    """What a run answers: values [seconds, 2] from `first` second on."""

    first: int
    values: np.ndarray[Any, np.dtype[np.float64]]


def score_values(truth_folder: Path, run_folder: Path) -> dict[str, Any]:
    """Score valence and arousal on the films that the run answers.

    Truth and answer are compared on the seconds that both have; how many are left out is said.

    Raises:
        ReleaseError: truth or run cannot be read, or the run names a film that the truth has not.
    """
    truth = {film.number: film.series for film in find_films(truth_folder) if film.series}
    runs = _files(run_folder, set(truth))
    pairs: dict[str, dict[str, Pair]] = {measure: {} for measure in MEASURES}
    left_out: dict[str, dict[str, int]] = {}
    for number, path in runs.items():
        readings = read_series(truth[number], number).readings
        true = {m: {r.second: r.value for r in readings if r.measure == m} for m in MEASURES}
        answered = read_values(path)
        seconds = range(answered.first, answered.first + len(answered.values))
        shared = [s for s in seconds if s in true[MEASURES[0]]]
        left_out[number] = {
            "truth": len(true[MEASURES[0]]) - len(shared),
            "run": len(seconds) - len(shared),
        }
        for column, measure in enumerate(MEASURES):
            values = [answered.values[s - answered.first, column] for s in shared]
            pairs[measure][number] = Pair(
                np.array([true[measure][s] for s in shared], dtype=np.float64),
                np.array(values, dtype=np.float64),
            )
    scores: dict[str, Any] = {m: _with_reasons(series_scores(of)) for m, of in pairs.items()}
    scores["per_film"] = {
        number: {m: _with_reasons(film_scores(of)[number]) for m, of in pairs.items()}
        for number in runs
    }
    scores["films"] = sorted(runs)
    scores["films_without_pearson"] = {
        m: [n for n in runs if scores["per_film"][n][m]["pearson"] is None] for m in MEASURES
    }
    scores["not_scored"] = sorted(set(truth) - set(runs))
    scores["seconds_left_out"] = {n: of for n, of in left_out.items() if any(of.values())}
    return scores


def score_fear(truth_folder: Path, run_folder: Path) -> dict[str, Any]:
    """Score fear intervals on the films that the run answers; an empty file answers no fear.

    Raises:
        ReleaseError: truth or run cannot be read, or the run names a film that the truth has not.
    """
    truth = {film.number: film.fear for film in find_films(truth_folder) if film.fear}
    runs = _files(run_folder, set(truth))
    ours = {n: union(read_fear(truth[n]).intervals) for n in runs}
    theirs = {n: union(read_fear(path).intervals) for n, path in runs.items()}
    both = sum(length_s(common(ours[n], theirs[n])) for n in runs)
    either = sum(length_s(ours[n]) + length_s(theirs[n]) for n in runs) - both
    per_film = {
        n: {
            "iou": intersection_over_union(ours[n], theirs[n]),
            "true_s": length_s(ours[n]),
            "found_s": length_s(theirs[n]),
        }
        for n in sorted(runs)
    }
    return {
        "iou": float(np.mean([of["iou"] for of in per_film.values()])),
        "pooled_iou": both / either if either else 1.0,
        "per_film": per_film,
        "films": sorted(runs),
        "not_scored": sorted(set(truth) - set(runs)),
        "layouts": sorted({read_fear(path).layout for path in runs.values()}),
    }


def read_values(path: Path) -> Values:
    """Return the values of a run's file.

    Raises:
        ReleaseError: a line has other columns, a value is missing or a second is left out.
    """
    problems = Problems(path)
    rows: list[tuple[int, list[float]]] = []
    for line, content in enumerate(read_text(path).splitlines(), 1):
        fields = re.split(r"[\s;]+", content.strip())
        numbers = [decimal(field) for field in fields]
        if fields == [""] or (not rows and all(n is None for n in numbers)):
            continue
        whole = [n for n in numbers if n is not None]
        if len(whole) != len(fields) or len(whole) not in (2, 3):
            problems.add("lines of other columns", line, repr(content))
        else:
            rows.append((line, whole))
    widths = {len(whole) for _, whole in rows}
    if not rows:
        problems.add("no value", 1, "the file has no line of numbers")
    elif len(widths) > 1:
        problems.add("lines of two layouts", rows[0][0], "two columns and three")
    elif widths == {3}:
        for (_, before), (line, after) in itertools.pairwise(rows):
            if int(after[0]) != int(before[0]) + 1:
                problems.add("seconds that do not follow the one above", line, f"{after[0]:g}")
    problems.check(TODO)
    first = int(rows[0][1][0]) if widths == {3} else 0
    return Values(first, np.array([whole[-2:] for _, whole in rows], dtype=np.float64))


def _files(folder: Path, known: set[str]) -> dict[str, Path]:
    """Return the files of a run by the number of the film."""
    paths = [folder] if folder.is_file() else sorted(folder.glob("*.txt"))
    found: dict[str, Path] = {}
    for path in paths:
        number = _number(path.stem)
        if number not in known:
            said = f"film {number}, which the truth has not" if number else "no one film"
            raise ReleaseError(
                f"{path.name} names {said}",
                where=f"{path}; the truth has {', '.join(sorted(known))}",
                todo="name a run's files MEDIAEVAL18_XX.txt, with a film's number",
            )
        if number in found:
            raise ReleaseError(
                f"Two files of the run are of film {number}",
                where=f"{found[number]} and {path}",
                todo="leave one of them",
            )
        found[number] = path
    if not found:
        raise ReleaseError(
            "The run has no text file",
            where=str(folder),
            todo="give a file MEDIAEVAL18_XX.txt a film",
        )
    return found


def _number(stem: str) -> str | None:
    """Return the number of the film that a file name holds, or None where it holds not one.

    >>> _number("run10_MEDIAEVAL2018_54"), _number("54"), _number("10-54")
    ('54', '54', None)
    """
    found = set(TASK_NUMBER.findall(stem)) or set(LONE_NUMBER.findall(stem))
    return found.pop() if len(found) == 1 else None


def _with_reasons(scores: Mapping[str, float]) -> dict[str, Any]:
    """Return scores as JSON: a null where one is undefined, with the reason beside it."""
    found: dict[str, Any] = {}
    for name, value in scores.items():
        found[name] = value if math.isfinite(value) else None
        if not math.isfinite(value):
            found[f"{name}_reason"] = CONSTANT if "pearson" in name else FEW
    return found
