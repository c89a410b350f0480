"""Read the LIRIS-ACCEDE files beside the task's own: the ranking of 9800 clips and their sets.

Columns (tab-separated, with a header) as the collection's readme names them: `id name valenceRank
arousalRank valenceValue arousalValue valenceVariance arousalVariance`, and `id name set` with set
0 (test), 1 (learning) or 2 (validation).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from gazeline.corpora.numbers import decimal, frame_number
from gazeline.corpora.problems import Problems, read_text

RANKING = "ACCEDEranking.txt"
SETS = "ACCEDEsets.txt"
SET_NAMES = {0: "test", 1: "learning", 2: "validation"}
TODO = "take the file as published, with tabs between the columns"


@dataclass(frozen=True, slots=True)
class RankedClip:
    """One clip of the ranking; ranks count from 0, the lowest, on."""

    name: str
    valence_rank: int
    arousal_rank: int
    valence: float
    arousal: float


def read_ranking(path: Path) -> dict[int, RankedClip]:
    """Return the ranked clips by id.

    Raises:
        ReleaseError: a line does not have the columns, or an id stands twice.
    """
    problems, clips = Problems(path), dict[int, RankedClip]()
    for line, fields in _rows(path):
        key = frame_number(fields[0])
        ranks = [frame_number(field) for field in fields[2:4]]
        values = [decimal(field) for field in fields[4:6]]
        if key is None or len(fields) < 6 or None in ranks or None in values or key in clips:
            problems.add("lines that are no ranked clip, or stand twice", line, repr(fields))
            continue
        clips[key] = RankedClip(
            fields[1], int(ranks[0] or 0), int(ranks[1] or 0), values[0] or 0.0, values[1] or 0.0
        )
    problems.check(TODO)
    return clips


def read_sets(path: Path) -> dict[int, str]:
    """Return the set (test, learning or validation) of each clip by id.

    Raises:
        ReleaseError: a line does not have the columns, or an id stands twice.
    """
    problems, sets = Problems(path), dict[int, str]()
    for line, fields in _rows(path):
        key = frame_number(fields[0])
        chosen = frame_number(fields[2]) if len(fields) == 3 else None
        if key is None or chosen not in SET_NAMES or key in sets:
            problems.add("lines that are no clip and set, or stand twice", line, repr(fields))
            continue
        sets[key] = SET_NAMES[chosen]
    problems.check(TODO)
    return sets


def count_clips(folder: Path) -> dict[str, dict[str, int | str]]:
    """Return how many clips the files that are there list, by file and set."""
    found: dict[str, dict[str, int | str]] = {}
    for path in sorted(folder.rglob(RANKING)):
        found[RANKING] = {"clips": len(read_ranking(path))}
    for path in sorted(folder.rglob(SETS)):
        counts = Counter(read_sets(path).values())
        found[SETS] = {"clips": counts.total(), **dict(sorted(counts.items()))}
    return found


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    lines = enumerate(read_text(path).splitlines(), 1)
    rows = [(line, [f.strip() for f in text.split("\t")]) for line, text in lines if text.strip()]
    return rows[1:] if rows and frame_number(rows[0][1][0]) is None else rows
