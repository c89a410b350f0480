"""Read the embedded sample: MObyGaze's files, and beside them events, shots, series and fear.

`violence/` is in the layout of the 2011 violent scenes, `affect/` in that of the 2018 emotional
impact, whose numbers of films are MObyGaze's own. Either may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gazeline.corpora.eim2018.adapter import ANNOTATOR as FEARFUL
from gazeline.corpora.eim2018.adapter import FEAR, fear_events, find_films
from gazeline.corpora.eim2018.fear import read_fear
from gazeline.corpora.eim2018.series import read_series
from gazeline.corpora.mobygaze.adapter import ANNOTATIONS
from gazeline.corpora.mobygaze.adapter import read_release as read_mobygaze
from gazeline.corpora.mobygaze.annotations_csv import read_annotations
from gazeline.corpora.release import Annotated, Event, Reading, Release, Shot
from gazeline.corpora.vsd2011.adapter import ANNOTATOR as VIOLENT
from gazeline.corpora.vsd2011.adapter import released_events
from gazeline.corpora.vsd2011.events import FPS, read_events
from gazeline.corpora.vsd2011.files import find_files
from gazeline.corpora.vsd2011.shots import read_shots
from gazeline.errors import ReleaseError

VIOLENCE, AFFECT = "violence", "affect"


def read_release(folder: Path, frame_rates: Mapping[str, str | float]) -> Release:
    """Read the sample's release.

    Raises:
        ReleaseError: a file cannot be read, or a film of the side folders is none of MObyGaze's.
    """
    release = read_mobygaze(folder, frame_rates)
    known = {film.film_id for film in release.films}
    if (folder / VIOLENCE).is_dir():
        release = _with_violence(release, folder / VIOLENCE, known)
    if (folder / AFFECT).is_dir():
        rows = read_annotations(folder / ANNOTATIONS).rows
        films = {f"{int(row.movie_id):02d}": row.imdb_key for row in rows}
        release = _with_affect(release, folder / AFFECT, films)
    return release


def _with_violence(release: Release, folder: Path, known: set[str]) -> Release:
    events: list[Event] = []
    shots: list[Shot] = []
    looked: list[Annotated] = []
    for film, files in sorted(find_files(folder).items()):
        _check(film in known, film, folder)
        shots += read_shots(files.shots, film) if files.shots else ()
        for kind, path in sorted(files.events.items()):
            events += released_events(film, kind, read_events(path, kind))
            looked.append(Annotated(film, VIOLENT, kind))
    return replace(
        release,
        events=(*release.events, *events),
        shots=tuple(shots),
        annotated=(*release.annotated, *looked),
    )


def _with_affect(release: Release, folder: Path, films: Mapping[str, str]) -> Release:
    events: list[Event] = []
    series: list[Reading] = []
    looked: list[Annotated] = []
    for files in find_films(folder):
        _check(files.number in films, f"MEDIAEVAL18_{files.number}", folder)
        film = films[files.number]
        if files.series:
            series += read_series(files.series, film).readings
        if files.fear:
            events += fear_events(film, read_fear(files.fear), FPS)
            looked.append(Annotated(film, FEARFUL, FEAR))
    return replace(
        release,
        events=(*release.events, *events),
        series=tuple(series),
        annotated=(*release.annotated, *looked),
    )


def _check(known: bool, film: str, folder: Path) -> None:
    if not known:
        raise ReleaseError(
            f"{film} is no film of the sample's annotations",
            where=str(folder),
            todo="run `dvc repro -f sample@films` to make the release again",
        )
