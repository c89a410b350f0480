"""Runs written by hand, as the train stage would leave them."""

from __future__ import annotations

import numpy as np

from gazeline.files import write_json
from gazeline.schema.runs import PREDICTIONS
from gazeline.tables import from_rows, write_table

BINARY = ("negative", "positive")


def write_run(
    root,
    experiment,
    fold,
    targets,
    scores,
    *,
    classes=BINARY,
    epochs=(2, 3),
    task="speech",
    annotator="annotator1",
    seeds=None,
    film="film",
):
    """Write a run of two test films with the answers given: scores[seed] per segment."""
    folder = root / f"data/runs/{experiment}/fold-{fold}"
    rows, lines = [], ["seed,epoch,train_loss,validation_loss,lr"]
    for index_of_seed, of_seed in enumerate(scores):
        seed = seeds[index_of_seed] if seeds else index_of_seed
        for index, (target, score) in enumerate(zip(targets, of_seed, strict=True)):
            name = f"{film}-{fold}-{index % 2}"
            rows.append(
                {
                    "seed": seed,
                    "split": "test",
                    "segment_id": f"{name}/{annotator}/{index}",
                    "film_id": name,
                    "annotator": annotator,
                    "target": target,
                    "score": np.atleast_1d(score).tolist(),
                }
            )
        rows.append({**rows[-1], "split": "validation", "segment_id": "elsewhere"})
        for epoch in range(1, epochs[index_of_seed % len(epochs)] + 1):
            lines.append(f"{seed},{epoch},{1 / epoch},{seed + 1 / epoch},0.1")
    write_table(from_rows(rows, PREDICTIONS), PREDICTIONS, folder / "predictions.parquet")
    (folder / "history.csv").write_text("\n".join(lines) + "\n")
    write_json(folder / "run.json", {"classes": list(classes), "task": task, "parameters": 9})
