"""Translate a release into the canonical tables and say what was done to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from gazeline.corpora.audit import audit
from gazeline.corpora.croissant.describe import description
from gazeline.corpora.folds import check_film_ids, fold_rows
from gazeline.corpora.page import page
from gazeline.corpora.registry import adapter
from gazeline.corpora.release import Film
from gazeline.corpora.selection import Selection, select
from gazeline.files import atomic_path, write_json
from gazeline.params.corpora import IngestParams
from gazeline.params.subset import SubsetParams
from gazeline.schema.annotations import CUES, FILMS, FOLDS, SEGMENTS
from gazeline.schema.temporal import ANNOTATED, EVENTS, SERIES, SHOTS
from gazeline.tables import TableSpec, from_rows, write_table


def ingest(
    name: str, release: Path, params: IngestParams, subset: SubsetParams, out_dir: Path
) -> dict[str, Any]:
    """Write the tables of the corpus `name`, their description and the audit; return the audit.

    The audit is ingest.json and, as a page, audit.md; the description is croissant.json.
    Nothing is written before the whole release is read and found right.

    Args:
        release: folder of the release, as published.
        out_dir: the corpus's folder under data/corpora.

    Raises:
        ReleaseError: the release cannot be read.
        ParamsError: params name films that the release does not have.
    """
    whole = adapter(params.format)(release, params.frame_rates)
    check_film_ids(name, params, {film.film_id for film in whole.films})
    selection = select(whole, params, subset)
    report = audit(name, params.format, whole, selection, subset)
    for spec, table in _tables(name, params, selection):
        write_table(table, spec, out_dir / Path(spec.path).name)
    write_json(out_dir / "ingest.json", report)
    with atomic_path(out_dir / "audit.md") as temporary:
        temporary.write_text(page(report), encoding="utf-8")
    write_json(out_dir / "croissant.json", description(name, whole.about, subset, out_dir))
    return report


def _tables(
    name: str, params: IngestParams, selection: Selection
) -> list[tuple[TableSpec, pa.Table]]:
    release = selection.release
    films = [_film_row(name, film, selection.durations_s[film.film_id]) for film in release.films]
    rows: list[tuple[TableSpec, Sequence[Mapping[str, Any]]]] = [
        (FILMS, films),
        (SEGMENTS, [asdict(segment) for segment in release.segments]),
        (CUES, [asdict(cue) for cue in release.cues]),
        (FOLDS, fold_rows(params.folds, (film.film_id for film in release.films))),
        (EVENTS, [asdict(event) for event in release.events]),
        (SHOTS, [asdict(shot) for shot in release.shots]),
        (SERIES, [asdict(reading) for reading in release.series]),
        (ANNOTATED, [asdict(each) for each in release.annotated]),
    ]
    return [(spec, from_rows(each, spec)) for spec, each in rows]


def _film_row(corpus: str, film: Film, duration_s: float) -> dict[str, Any]:
    return {
        "film_id": film.film_id,
        "corpus": corpus,
        "title": film.title,
        "year": film.year,
        "genres": film.genres,
        "annotation_fps_num": film.fps.numerator,
        "annotation_fps_den": film.fps.denominator,
        "duration_s": duration_s,
    }
