"""Write what an experiment answered on its test films as a run file of the violent scenes task."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from gazeline.errors import LearningError
from gazeline.evaluation.scores import THRESHOLD
from gazeline.params.kinds import INTERVALS, SHOTS
from gazeline.schema.runs import PREDICTIONS, SAMPLES
from gazeline.schema.temporal import DETECTIONS
from gazeline.scoring.etf import EVENT, Line, write_etf
from gazeline.tables import read_frame


def write_submission(
    experiment: str, task: str, fold: int, out: Path, root: Path = Path()
) -> list[Line]:
    """Write the test answers of one fold, and return them in order of film and time.

    Of shots, the score is the mean over the seeds and the decision that of .5; of intervals, those
    of the first seed are taken, since intervals of several have no mean.

    Raises:
        LearningError: the experiment answers neither shots nor intervals of violence.
        TableError: the experiment has not been run.
    """
    folder = root / "data/runs" / experiment / f"fold-{fold}"
    if task == f"{SHOTS}{EVENT}":
        samples = root / "data/datasets" / experiment / "samples.parquet"
        lines = _shots(read_frame(folder / "predictions.parquet", PREDICTIONS), samples)
    elif task == f"{INTERVALS}{EVENT}":
        lines = _intervals(read_frame(folder / "detections.parquet", DETECTIONS))
    else:
        raise LearningError(
            f"{experiment} answers {task}, which is no run of the violent scenes task",
            where=f"params.yaml, experiments.{experiment}.task",
            todo=f"take an experiment whose task is {SHOTS}{EVENT} or {INTERVALS}{EVENT}",
        )
    lines.sort(key=lambda line: (line.source, line.start_s, line.end_s))
    write_etf(lines, out)
    return lines


def _shots(predictions: pd.DataFrame, samples: Path) -> list[Line]:
    test = predictions[predictions["split"] == "test"].copy()
    test["p"] = [float(score[0]) for score in test["score"]]
    means = test.groupby("segment_id", sort=True)["p"].mean()
    places = read_frame(samples, SAMPLES).set_index("segment_id").loc[means.index]
    return [
        Line(str(film), float(start_s), float(end_s), float(score), bool(score >= THRESHOLD))
        for film, start_s, end_s, score in zip(
            places["film_id"], places["start_s"], places["end_s"], means, strict=True
        )
    ]


def _intervals(detections: pd.DataFrame) -> list[Line]:
    test = detections[(detections["split"] == "test") & (detections["seed"] >= 0)]
    if len(test):
        test = test[test["seed"] == np.min(test["seed"])]
    columns = (test[name].to_list() for name in ("film_id", "start_s", "end_s", "score", "decided"))
    return [Line(*values) for values in zip(*columns, strict=True)]
