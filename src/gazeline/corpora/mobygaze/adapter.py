"""Translate a MObyGaze release into films, segments and cues.

Also the format of the embedded sample's release.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path

from gazeline.corpora.mobygaze.about import about
from gazeline.corpora.mobygaze.annotations_csv import AnnotationsFile, Row, read_annotations
from gazeline.corpora.mobygaze.cue_quirks import cue_quirks
from gazeline.corpora.mobygaze.dumps import Dumps, SqlCue, dump_paths, read_dumps
from gazeline.corpora.mobygaze.movielist import ListedFilm, read_movielist
from gazeline.corpora.mobygaze.reconcile import reconciliation
from gazeline.corpora.mobygaze.row_quirks import row_quirks
from gazeline.corpora.mobygaze.side_files import read_croissant, side_file_quirks
from gazeline.corpora.mobygaze.treatment import treated
from gazeline.corpora.mobygaze.vocabulary import sort_concepts
from gazeline.corpora.release import Cue, Film, Release, Segment
from gazeline.errors import ReleaseError
from gazeline.subtitles.mojibake import repaired
from gazeline.timeline.rates import exact_rate, inclusive_interval_s

ANNOTATIONS = "mobygaze_dataframe.csv"
MOVIES = "mobygaze_movielist.csv"


def read_release(folder: Path, frame_rates: Mapping[str, str | float]) -> Release:
    """Read a release folder as published.

    Args:
        frame_rates: annotation frame rate by film id, where the release's own is wrong.

    Raises:
        ReleaseError: the annotations are not there, or a file cannot be read; everything wrong
            with that file is named.
    """
    annotations = read_annotations(_annotations_path(folder))
    listed = read_movielist(folder / MOVIES) if (folder / MOVIES).is_file() else {}
    dumps = read_dumps(folder)
    films = _films(annotations.rows, listed, dumps, frame_rates)
    rates = {film.film_id: film.fps for film in films}
    segments = tuple(_segment(row, rates[row.imdb_key]) for row in annotations.rows)
    film_ids = {row.movie_id: row.imdb_key for row in annotations.rows}
    cues = tuple(_cue(cue, film_ids) for cue in dumps.cues or () if cue.movie_id in film_ids)
    return Release(
        films=films,
        segments=segments,
        cues=cues,
        quirks=(
            *treated("Annotations", row_quirks(annotations, rates)),
            *treated("Subtitle cues", cue_quirks(cues, segments, films, dumps.cues is not None)),
            *treated("CSV and SQL compared", reconciliation(annotations, dumps, rates)),
            *treated("Files that describe the release", side_file_quirks(folder)),
        ),
        dropped={"cues of films without annotations": len(dumps.cues or ()) - len(cues)},
        missing=tuple(_missing(folder, annotations, listed, dumps)),
        sources=_sources(folder, annotations, listed, dumps),
        about=about(read_croissant(folder)[0]),
    )


def _annotations_path(folder: Path) -> Path:
    path = folder / ANNOTATIONS
    if path.is_file():
        return path
    there = sorted(p.name for p in folder.iterdir()) if folder.is_dir() else []
    raise ReleaseError(
        f"The release has no {ANNOTATIONS}"
        + (f"; it has {', '.join(there[:8])}" if there else "; the folder is empty or not there"),
        where=str(folder),
        todo=f"point the corpus at the folder that holds {ANNOTATIONS}, as published",
    )


def _films(
    rows: Iterable[Row],
    listed: Mapping[str, ListedFilm],
    dumps: Dumps,
    frame_rates: Mapping[str, str | float],
) -> tuple[Film, ...]:
    """Return a film per IMDb key of the rows; the list has the better title and the genres."""
    years = {movie.imdb_key: movie.year for movie in dumps.movies or ()}
    films = {}
    for row in rows:
        key = row.imdb_key
        if key in films:
            continue
        entry = listed.get(key)
        films[key] = Film(
            film_id=key,
            title=repaired(entry.title if entry else row.title),
            year=entry.year if entry else years.get(key),
            genres=tuple(map(repaired, entry.genres)) if entry else (),
            fps=exact_rate(frame_rates.get(key, row.framerate)),
        )
    return tuple(films[key] for key in sorted(films))


def _segment(row: Row, fps: Fraction) -> Segment:
    start_s, end_s = inclusive_interval_s(row.start_frame, row.end_frame, fps)
    names = sort_concepts(row.concepts)
    return Segment(
        segment_id=row.name,
        film_id=row.imdb_key,
        annotator=row.annotator,
        start_s=start_s,
        end_s=end_s,
        start_frame=row.start_frame,
        end_frame=row.end_frame,
        label=row.level,
        concepts=names.concepts,
        tags=names.tags,
        comment=row.comment,
        text_released=row.text,
        source_row=row.source_row,
    )


def _cue(cue: SqlCue, film_ids: Mapping[str, str]) -> Cue:
    return Cue(
        cue_id=cue.cue_id,
        film_id=film_ids[cue.movie_id],
        start_s=cue.start_s,
        end_s=cue.end_s,
        start_frame=cue.start_frame,
        end_frame=cue.end_frame,
        text_raw=cue.text,
        text=repaired(cue.text),
    )


def _missing(
    folder: Path, annotations: AnnotationsFile, listed: Mapping[str, ListedFilm], dumps: Dumps
) -> Iterable[str]:
    if not (folder / MOVIES).is_file():
        yield f"{MOVIES} is not there: films are those of {ANNOTATIONS}, without genres"
    else:
        keys = sorted({row.imdb_key for row in annotations.rows} - set(listed))
        if keys:
            yield f"{MOVIES} does not list {', '.join(keys)}: these films have no genres"
    if not dump_paths(folder):
        yield "no SQL dumps are there: no cues, and nothing to compare the CSV with"
        return
    for name, table in (
        ("subtitles", dumps.cues),
        ("annotations", dumps.annotations),
        ("movies", dumps.movies),
    ):
        if table is None:
            yield f"no SQL dump has the table {name}"
    spoken = {cue.movie_id for cue in dumps.cues or ()}
    silent = {row.imdb_key for row in annotations.rows if row.movie_id not in spoken}
    if dumps.cues is not None and silent:
        yield f"the SQL table subtitles has no cues of {', '.join(sorted(silent))}"


def _sources(
    folder: Path, annotations: AnnotationsFile, listed: Mapping[str, ListedFilm], dumps: Dumps
) -> dict[str, dict[str, int | str]]:
    sources: dict[str, dict[str, int | str]] = {
        ANNOTATIONS: {"rows": len(annotations.rows), "generation": annotations.generation}
    }
    if annotations.unread_columns:
        sources[ANNOTATIONS]["columns not read"] = ", ".join(annotations.unread_columns)
    if (folder / MOVIES).is_file():
        sources[MOVIES] = {"rows": len(listed)}
    for name in ("annotations", "movies", "cues"):
        table = getattr(dumps, name)
        if table is not None:
            sources[f"SQL table {'subtitles' if name == 'cues' else name}"] = {"rows": len(table)}
    return sources
