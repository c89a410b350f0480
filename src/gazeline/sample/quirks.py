"""The quirks of MObyGaze's release in miniature, planted at known places.

Each stands once or twice, so that what reads the release can be held to exact counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gazeline.sample.annotators import EN, HN, Row, S
from gazeline.sample.catalogue import FPS

EARLY_START_MS = 900

PLANTED = {
    "rows_out_of_order": 1,
    "overlaps": 2,
    "gaps": 2,
    "rows_with_duplicated_concepts": 1,
    "rows_with_narratology": 1,
    "hard_negative_rows_without_concept": 1,
    "easy_negative_rows_with_concept": 1,
    "sql_labels_that_differ": 1,
    "sql_concepts_that_differ": 1,
    "sql_start_times_early": 1,
    "movies_with_mojibake": 4,
    # The music note is broken too.
    "cues_with_mojibake": 3,
    "cues_with_tags": 1,
    "cues_with_music_notes": 1,
    "cues_with_brackets": 1,
    "cues_of_zero_length": 1,
    "cues_empty": 1,
    "cues_overlapping": 1,
    "cues_out_of_order": 1,
}


@dataclass(frozen=True)
class ReleasedRow:
    """A row as the CSV has it and as the SQL dump has it."""

    row: Row
    sql_label: str
    sql_concepts: tuple[str, ...]
    sql_early_ms: int = 0


Rows = dict[tuple[str, str], list[Row]]


def released_rows(rows: dict[tuple[str, str], tuple[Row, ...]]) -> list[ReleasedRow]:
    """Return the rows in the order of the files, quirks planted.

    Args:
        rows: by (film_id, annotator), in time order.
    """
    edited = {key: list(value) for key, value in sorted(rows.items())}
    _move_boundaries(edited)
    _plant_concepts(edited)
    swapped = edited["sample-tram", "annotator2"]
    swapped[2], swapped[3] = swapped[3], swapped[2]
    return _plant_sql_differences([row for group in edited.values() for row in group])


def _move_boundaries(rows: Rows) -> None:
    moves = {
        ("sample-lantern", "annotator2", 1): -1,
        ("sample-ferry", "annotator1", 0): -1,
        ("sample-orchard", "annotator2", 2): 1,
        ("sample-kite", "annotator1", 1): 1,
    }
    for (film_id, annotator, index), by in moves.items():
        group = rows[film_id, annotator]
        group[index] = replace(group[index], end_frame=group[index].end_frame + by)


def _plant_concepts(rows: Rows) -> None:
    group, i = _first(rows, lambda row: len(row.concepts) > 1)
    group[i] = replace(group[i], concepts=group[i].concepts * 2)
    group, i = _first(rows, lambda row: row.label == S and not _duplicated(row))
    group[i] = replace(group[i], concepts=(*group[i].concepts, "Narratology"))
    group, i = _first(rows, _easy_after_title, _easy)
    group[i] = replace(group[i], label=HN)
    group, i = _first(rows, _easy_after_title, _easy)
    group[i] = replace(group[i], concepts=("Look",))


def _easy(row: Row) -> bool:
    return row.label == EN


def _easy_after_title(row: Row) -> bool:
    return _easy(row) and row.start_frame > 0


def _duplicated(row: Row) -> bool:
    return len(set(row.concepts)) < len(row.concepts)


def _first(rows: Rows, *wanted: Callable[[Row], bool]) -> tuple[list[Row], int]:
    """Return the group and place of the first row of the first kind that there is."""
    return next(
        (group, index)
        for kind in wanted
        for group in rows.values()
        for index, row in enumerate(group)
        if kind(row)
    )


def _plant_sql_differences(rows: list[Row]) -> list[ReleasedRow]:
    """Let the dump differ from the CSV in one label, one list of concepts and one start time."""
    released = [ReleasedRow(row, row.label, row.concepts) for row in rows]
    label = _last(rows, lambda row: row.label == HN)
    released[label] = replace(released[label], sql_label=S)
    concepts = _last(rows, lambda row: len(row.concepts) > 1)
    shorter = rows[concepts].concepts[:-1]
    released[concepts] = replace(released[concepts], sql_concepts=shorter)
    early = _last(rows, lambda row: row.start_frame > EARLY_START_MS / 1000 * FPS)
    released[early] = replace(released[early], sql_early_ms=EARLY_START_MS)
    return released


def _last(rows: list[Row], wanted: Callable[[Row], bool]) -> int:
    return max(index for index, row in enumerate(rows) if wanted(row))
