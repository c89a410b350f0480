"""Compare the vectorised distances with a direct loop over segments, on the same pairs.

    python benchmarks/agreement.py [--release DIR] [--thresholds 0.5 0.9] [--whole]

With --release the segments are those of the MObyGaze CSV in DIR, else ones made up at its size
(20 films, 2 annotators, about 6000 segments). --whole also times everything that the stage does.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from gazeline.params.statistics import AgreementParams
from gazeline.statistics.agreement.distances import (
    best_for_concepts,
    best_for_levels,
    f1_distance_of_labels,
    matched_distance,
)
from gazeline.statistics.agreement.measure import measure_agreement
from gazeline.statistics.annotations import Annotations, from_segments
from gazeline.statistics.overlaps import Floats, find_overlaps

LEVELS = ("EN", "HN", "S")
NAMES = {"Easy Negative": "EN", "Hard Negative": "HN", "Not Sure": "NS", "Sure": "S"}
CONCEPTS = ("Type of shot", "Look", "Body", "Clothing", "Posture", "Appearance", "Exp of emotion",
            "Activities", "Speech", "Voice", "Soundtrack")  # fmt: skip
TOLERANCE = 1e-12
UNMATCHED = 2.0

T = TypeVar("T")
Segment = tuple[int, int, str, frozenset[str]]


def main(argv: Sequence[str]) -> int:
    """Run the comparison; return 1 where a distance differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", type=Path)
    parser.add_argument("--thresholds", type=float, nargs="+", default=[0.1, 0.5, 0.8, 0.9])
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args(argv)
    frame = released(options.release) if options.release else synthesised(seed=0)
    annotations = from_segments(frame, CONCEPTS)
    print(f"{len(frame)} segments, {annotations.n_annotations} annotations, all pairs of them")
    worst = compare_all(annotations, options.thresholds)
    if options.whole:
        seconds, _ = timed(lambda: measure_agreement(annotations, whole_params()))
        print(f"everything, with 1000 resamples of the films: {seconds:.1f} s")
    print(f"largest difference {worst:.1e} (at most {TOLERANCE:.0e} allowed)")
    return int(not worst <= TOLERANCE)


def compare_all(annotations: Annotations, thresholds: Sequence[float]) -> float:
    """Compare levels, one concept and F1; print times and ratio; return the worst difference."""
    loops: list[Floats] = []
    direct = 0.0
    segments = by_annotation(annotations)
    for overlap in ("coverage", "iou"):
        for threshold in thresholds:
            for kind in ("levels", "Body"):
                rule = matched_loop(overlap, threshold, kind)
                seconds, distances = timed(lambda rule=rule: all_pairs(segments, rule))
                direct += seconds
                loops.append(distances)
    seconds, distances = timed(lambda: all_pairs(segments, f1_loop))
    loops.append(distances)
    direct += seconds
    vectorised, matrices = min(
        (timed(lambda: vectorised_distances(annotations, thresholds)) for _ in range(3)),
        key=lambda run: run[0],
    )
    worst = max(float(np.nanmax(np.abs(a - b))) for a, b in zip(loops, matrices, strict=True))
    print(
        f"{len(loops)} definitions of distance: loop {direct:.1f} s, vectorised "
        f"{vectorised:.3f} s, {direct / vectorised:.0f} times as fast"
    )
    return worst


def vectorised_distances(annotations: Annotations, thresholds: Sequence[float]) -> list[Floats]:
    """Return the distances in the order of the loop, the search for overlaps included."""
    overlaps = find_overlaps(annotations)
    matrices = []
    for overlap in ("coverage", "iou"):
        levels = best_for_levels(annotations, overlaps, overlap, LEVELS)
        concept = best_for_concepts(annotations, overlaps, overlap, ["Body"])
        for threshold in thresholds:
            matrices.append(matched_distance(levels, threshold, UNMATCHED, "zero"))
            matrices.append(matched_distance(concept, threshold, 1.0, "zero"))
    matrices.append(f1_distance_of_labels(annotations))
    return matrices


def by_annotation(annotations: Annotations) -> list[list[Segment]]:
    """Return the segments of each annotation as plain tuples."""
    lists: list[list[Segment]] = [[] for _ in annotations.films]
    for row, k in enumerate(annotations.of):
        names = frozenset(np.array(CONCEPTS)[annotations.concepts[row]].tolist())
        start, stop = int(annotations.start[row]), int(annotations.stop[row])
        lists[k].append((start, stop, str(annotations.labels[row]), names))
    return lists


def all_pairs(
    segments: list[list[Segment]], directed: Callable[[list[Segment], list[Segment]], float]
) -> Floats:
    """Return the symmetric matrix of distances; the diagonal is left out as NaN."""
    k = len(segments)
    matrix = np.full((k, k), np.nan)
    symmetric = f1 if directed is f1_loop else mean
    for i in range(k):
        for j in range(i):
            there, back = directed(segments[i], segments[j]), directed(segments[j], segments[i])
            matrix[i, j] = matrix[j, i] = symmetric(there, back)
    return matrix


def mean(there: float, back: float) -> float:
    """Return the mean of both directions."""
    return (there + back) / 2


def f1(there: float, back: float) -> float:
    """Return 1 - F1."""
    return 1 - (2 * there * back / (there + back) if there + back > 0 else 0.0)


def matched_loop(
    overlap: str, threshold: float, kind: str
) -> Callable[[list[Segment], list[Segment]], float]:
    """Return the directed distance that looks at every segment of both sides in turn."""

    def counts(segment: Segment) -> bool:
        return segment[2] in LEVELS if kind == "levels" else kind in segment[3]

    def hops(one: Segment, other: Segment) -> float:
        if kind != "levels":
            return 0.0
        return float(abs(LEVELS.index(one[2]) - LEVELS.index(other[2])))

    def directed(mine: list[Segment], theirs: list[Segment]) -> float:
        mine = [s for s in mine if counts(s)]
        theirs = [s for s in theirs if counts(s)]
        total = 0.0
        for one in mine:
            best = UNMATCHED if kind == "levels" else 1.0
            for other in theirs:
                common = min(one[1], other[1]) - max(one[0], other[0])
                whole = one[1] - one[0]
                if overlap == "iou":
                    whole += other[1] - other[0] - common
                if common > 0 and common / whole >= threshold:
                    best = min(best, hops(one, other))
            total += best
        return total / len(mine) if mine else 0.0

    return directed


def f1_loop(mine: list[Segment], theirs: list[Segment]) -> float:
    """Return the mean share of a segment's frames that the other side labels the same."""
    shares = []
    for start, stop, label, _ in mine:
        if stop - 1 <= start:
            continue
        same = [s for s in theirs if s[2] == label]
        common = sum(max(0, min(stop, s[1]) - 1 - max(start, s[0])) for s in same)
        shares.append(common / (stop - 1 - start))
    return sum(shares) / len(shares) if shares else 0.0


def released(folder: Path) -> pd.DataFrame:
    """Return the rows of the MObyGaze CSV in the columns that agreement reads."""
    rows = pd.read_csv(folder / "mobygaze_dataframe.csv", sep=";", index_col=0)
    return pd.DataFrame(
        {
            "film_id": rows["imdb_key"],
            "annotator": rows["annotator"],
            "start_frame": rows["start_frame"],
            "end_frame": rows["end_frame"],
            "label": rows["label"].map(NAMES),
            "concepts": [ast.literal_eval(text) for text in rows["concepts"]],
        }
    )


def synthesised(seed: int) -> pd.DataFrame:
    """Return made-up annotations of the size of MObyGaze."""
    rng = np.random.default_rng(seed)
    rows = []
    for film in range(20):
        for annotator, n in (("annotator1", 113), ("annotator2", 190)):
            cuts = np.sort(rng.choice(np.arange(1, 180_000), n - 1, replace=False))
            for start, stop in zip([0, *cuts], [*cuts, 180_000], strict=True):
                label = rng.choice(["EN", "HN", "NS", "S"], p=[0.4, 0.31, 0.05, 0.24])
                named = rng.choice(CONCEPTS, rng.integers(1, 4), replace=False)
                rows.append(
                    {
                        "film_id": f"film-{film:02d}",
                        "annotator": annotator,
                        "start_frame": int(start),
                        "end_frame": int(stop) - 1,
                        "label": str(label),
                        "concepts": [] if label == "EN" else named.tolist(),
                    }
                )
    return pd.DataFrame(rows)


def whole_params() -> AgreementParams:
    """Return the defaults with the paper's five groups."""
    groups = {
        "body-clothing": ("Body", "Clothing"),
        "posture-activities": ("Posture", "Activities"),
        "shot-look": ("Type of shot", "Look"),
        "speech": ("Speech",),
        "audio": ("Voice", "Soundtrack"),
    }
    return AgreementParams(groups=groups)


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return seconds and result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
