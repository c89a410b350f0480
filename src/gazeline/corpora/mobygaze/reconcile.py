"""Compare the CSV with the SQL dumps. Where they differ the CSV counts, as it does in the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from statistics import median

from gazeline.corpora.mobygaze.annotations_csv import AnnotationsFile, Row
from gazeline.corpora.mobygaze.dumps import Dumps, SqlAnnotation, SqlMovie
from gazeline.corpora.mobygaze.row_quirks import spellings
from gazeline.corpora.mobygaze.vocabulary import annotator, level, sort_concepts
from gazeline.corpora.release import Action, Quirk, examples_of
from gazeline.subtitles.mojibake import repaired
from gazeline.timeline.rates import NTSC, WHOLE, exact_rate, frame_start_s

Key = tuple[str, str, int, int]
RATES = (*NTSC, *WHOLE)
# Time stamps are rounded to the millisecond and some to the frame; a wrong rate is seconds off.
STAMP_TOLERANCE_S = 0.1


def reconciliation(
    file: AnnotationsFile, dumps: Dumps, rates: Mapping[str, Fraction]
) -> list[Quirk]:
    """Return the differences between the CSV and the SQL tables that are there."""
    quirks: list[Quirk] = []
    if dumps.annotations is not None:
        quirks += _annotation_quirks(file.rows, dumps.annotations)
        quirks += _stamp_quirks(file.rows, dumps.annotations, rates)
    if dumps.movies is not None:
        quirks += _movie_quirks(file.rows, dumps.movies)
    return quirks


def _annotation_quirks(
    rows: Sequence[Row], annotations: Sequence[SqlAnnotation]
) -> Iterator[Quirk]:
    by_key = {_sql_key(each): each for each in annotations}
    pairs = [(row, by_key[key]) for row in rows if (key := _csv_key(row)) in by_key]
    labels = _differing(pairs, lambda r: r.level, lambda a: level(a.obj_level))
    concepts = _differing(pairs, lambda r: _concepts(r.concepts), lambda a: _concepts(a.factors))
    comments = _differing(pairs, lambda r: r.comment, lambda a: a.comment)
    alone = [row.name for row in rows if _csv_key(row) not in by_key]
    for name, meaning, found in (
        ("only_in_csv", "row without an SQL row of its annotator and frames", alone),
        ("only_in_sql", "SQL row of the CSV's films without a CSV row", _only_in_sql(by_key, rows)),
        ("sql_label", "level differs between CSV and SQL", labels),
        ("sql_concepts", "concepts differ between CSV and SQL", concepts),
        ("sql_comment", "comment differs between CSV and SQL", comments),
    ):
        # A row that only the SQL has is in no table.
        action: Action = "dropped" if name == "only_in_sql" else "kept"
        yield Quirk(name, meaning, action, "segments", len(found), len(rows), examples_of(found))
    factors = (name for each in annotations for name in each.factors)
    yield spellings("spelling_sql", "the SQL dump", factors)


def _only_in_sql(by_key: Mapping[Key, SqlAnnotation], rows: Sequence[Row]) -> list[str]:
    keys = {_csv_key(row) for row in rows}
    film_ids = {row.movie_id: row.imdb_key for row in rows}
    return [
        f"{film_ids[movie_id]}/{name}: frames {start} to {end}"
        for movie_id, name, start, end in sorted(by_key.keys() - keys)
        if movie_id in film_ids
    ]


def _csv_key(row: Row) -> Key:
    return row.movie_id, row.annotator, row.start_frame, row.end_frame


def _sql_key(each: SqlAnnotation) -> Key:
    return each.movie_id, annotator(each.annotator), each.start_frame, each.end_frame


def _concepts(names: Sequence[str]) -> str:
    both = sort_concepts(names)
    return ", ".join((*both.concepts, *both.tags))


def _differing(
    pairs: Sequence[tuple[Row, SqlAnnotation]],
    csv_value: Callable[[Row], str],
    sql_value: Callable[[SqlAnnotation], str | None],
) -> list[str]:
    return [
        f"{row.name}: {csv_value(row)!r} in the CSV, {sql_value(each)!r} in SQL"
        for row, each in pairs
        if csv_value(row) != sql_value(each)
    ]


def _stamp_quirks(
    rows: Sequence[Row], annotations: Sequence[SqlAnnotation], rates: Mapping[str, Fraction]
) -> Iterator[Quirk]:
    """Compare frames with SQL time stamps: a film at another rate, and single wrong stamps."""
    film_ids = {row.movie_id: row.imdb_key for row in rows}
    n_rows: dict[str, int] = {}
    for row in rows:
        n_rows[row.imdb_key] = n_rows.get(row.imdb_key, 0) + 1
    contradicted: list[str] = []
    wrong: list[str] = []
    affected = 0
    for movie_id, film_id in sorted(film_ids.items()):
        own = [each for each in annotations if each.movie_id == movie_id]
        rate = _rate_of_stamps(own, rates[film_id])
        if rate != rates[film_id]:
            affected += n_rows[film_id]
            shown = f"{film_id}: frames at {rates[film_id]}, time stamps computed at {rate}"
            contradicted.append(shown)
        wrong += _wrong_stamps(own, rate, film_id)
    meaning = "film whose SQL time stamps contradict its frame rate"
    yield Quirk(
        "rate_contradicted", meaning, "kept", "segments", affected, len(rows),
        examples_of(contradicted), details={"films": len(contradicted)},
    )  # fmt: skip
    meaning = "SQL time stamp that is not where its frame is"
    yield Quirk(
        "wrong_time_stamp", meaning, "repaired", "segments", len(wrong), len(rows),
        examples_of(wrong),
    )  # fmt: skip


def _rate_of_stamps(annotations: Sequence[SqlAnnotation], preferred: Fraction) -> Fraction:
    """Return the standard rate that fits the time stamps best; `preferred` wins a tie."""
    if not annotations:
        return preferred
    errors = {rate: _median_error_s(annotations, rate) for rate in (preferred, *RATES)}
    return (
        preferred if errors[preferred] < STAMP_TOLERANCE_S else min(errors, key=errors.__getitem__)
    )


def _median_error_s(annotations: Sequence[SqlAnnotation], rate: Fraction) -> float:
    fps = float(rate)
    return median(abs(each.start_s - each.start_frame / fps) for each in annotations)


def _wrong_stamps(
    annotations: Sequence[SqlAnnotation], rate: Fraction, film_id: str
) -> Iterator[str]:
    for each in annotations:
        for name, stamp_s, frame in (
            ("start", each.start_s, each.start_frame),
            ("end", each.end_s, each.end_frame),
        ):
            off_s = stamp_s - frame_start_s(frame, rate)
            if abs(off_s) > STAMP_TOLERANCE_S:
                where = f"{film_id}/{annotator(each.annotator)} frame {frame}"
                yield f"{where}: {name} {abs(off_s):.1f} s {'late' if off_s > 0 else 'early'}"


def _movie_quirks(rows: Sequence[Row], movies: Sequence[SqlMovie]) -> Iterator[Quirk]:
    broken = [
        f"{m.imdb_key}: {text}"
        for m in movies
        if (text := next((t for t in m.texts if repaired(t) != t), None)) is not None
    ]
    meaning = "row of the movies table in which UTF-8 was read as Latin-1"
    yield _movies_quirk("movie_mojibake", meaning, broken, movies)
    released = {row.imdb_key: row for row in rows}
    shared = [(released[m.imdb_key], m) for m in movies if m.imdb_key in released]
    rates = [
        f"{m.imdb_key}: {row.framerate} in the CSV, {m.framerate} in SQL"
        for row, m in shared
        if exact_rate(row.framerate) != exact_rate(m.framerate)
    ]
    yield _movies_quirk("sql_frame_rate", "frame rate differs between CSV and SQL", rates, movies)
    titles = [
        f"{m.imdb_key}: {row.title!r} in the CSV, {m.title!r} in SQL"
        for row, m in shared
        if repaired(row.title) != repaired(m.title)
    ]
    yield _movies_quirk("sql_title", "title differs between CSV and SQL", titles, movies)


def _movies_quirk(name: str, meaning: str, found: list[str], movies: Sequence[SqlMovie]) -> Quirk:
    return Quirk(name, meaning, "kept", "films", len(found), len(movies), examples_of(found, 5))
