"""Translate the MediaEval 2018 emotional impact release into films, series and fear events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from gazeline.corpora.eim2018.accede import count_clips
from gazeline.corpora.eim2018.fear import FearFile, read_fear
from gazeline.corpora.eim2018.features import count_features
from gazeline.corpora.eim2018.quirks import release_quirks
from gazeline.corpora.eim2018.series import SeriesFile, read_series
from gazeline.corpora.release import About, Annotated, Event, Film, Release
from gazeline.errors import ReleaseError
from gazeline.timeline.rates import exact_rate

ANNOTATOR = "nicam"
FEAR = "fear"
FPS = Fraction(25)
SERIES_NAME = re.compile(r"mediaeval18_(\d\d).*valence.*arousal.*\.txt", re.IGNORECASE)
FEAR_NAME = re.compile(r"mediaeval18_(\d\d).*fear.*\.txt", re.IGNORECASE)
ABOUT = About(
    name="MediaEval 2018 Emotional Impact of Movies (LIRIS-ACCEDE)",
    licence="",
    citation="",
    url="",
    conditions="The annotations are obtained from their owners by each user, under their terms.",
)


@dataclass
class FilmFiles:
    """The files of one film; a film of the third part has no fear file."""

    number: str
    series: Path | None = None
    fear: Path | None = None
    readings: SeriesFile | None = field(default=None)
    intervals: FearFile | None = field(default=None)

    @property
    def film_id(self) -> str:
        """Return the id of the film in every table."""
        return film_id_of(self.number)


def film_id_of(number: str) -> str:
    """Return the id of the film with a number of the task, as `mediaeval18-06`."""
    return f"mediaeval18-{number}"


def read_release(folder: Path, frame_rates: Mapping[str, str | float]) -> Release:
    """Read the annotation files of a folder, however deep they lie.

    Valence and arousal become the series, fear intervals events of the annotator `nicam`.

    Args:
        frame_rates: rate that the frames of events are counted at by film id, where not 25.

    Raises:
        ReleaseError: no annotation is there, or a file cannot be read; its lines are named.
    """
    films = find_films(folder)
    for each in films:
        each.readings = read_series(each.series, each.film_id) if each.series else None
        each.intervals = read_fear(each.fear) if each.fear else None
    layouts = sorted({each.intervals.layout for each in films if each.intervals})
    return Release(
        films=tuple(_film(each, frame_rates) for each in films),
        segments=(),
        events=tuple(
            event
            for each in films
            if each.intervals
            for event in fear_events(each.film_id, each.intervals, _rate(each.film_id, frame_rates))
        ),
        cues=(),
        quirks=release_quirks(
            {f.number: (f.readings, f.intervals) for f in films}, count_features(folder)
        ),
        dropped={},
        missing=tuple(_missing(films)),
        sources={
            "*_Valence-Arousal.txt": {"films": sum(each.series is not None for each in films)},
            "*_Fear.txt": {
                "films": sum(each.fear is not None for each in films),
                "layouts": "; ".join(layouts) or "none",
            },
            **count_clips(folder),
        },
        about=ABOUT,
        annotated=tuple(Annotated(f.film_id, ANNOTATOR, FEAR) for f in films if f.fear),
        series=tuple(r for each in films if each.readings for r in each.readings.readings),
    )


def find_films(folder: Path) -> list[FilmFiles]:
    """Return the films of a release, in order of their numbers, with their files.

    Raises:
        ReleaseError: there is none, or two files say the same of a film.
    """
    films: dict[str, FilmFiles] = {}
    for path in sorted(folder.rglob("*.txt")) if folder.is_dir() else []:
        for pattern, kind in ((SERIES_NAME, "series"), (FEAR_NAME, "fear")):
            match = pattern.fullmatch(path.name)
            if match is None:
                continue
            entry = films.setdefault(match[1], FilmFiles(match[1]))
            if getattr(entry, kind) is not None:
                raise ReleaseError(
                    f"Two files say the same of film {match[1]}: {path.name}",
                    where=f"{getattr(entry, kind)} and {path}",
                    todo="leave one of them in the release folder",
                )
            setattr(entry, kind, path)
    if not films:
        raise ReleaseError(
            "The release has no MEDIAEVAL18_XX_Valence-Arousal.txt",
            where=str(folder),
            todo="point at the folder of the annotations, as the owners hand it out",
        )
    return [films[number] for number in sorted(films)]


def _rate(film_id: str, frame_rates: Mapping[str, str | float]) -> Fraction:
    return exact_rate(frame_rates[film_id]) if film_id in frame_rates else FPS


def _film(files: FilmFiles, frame_rates: Mapping[str, str | float]) -> Film:
    rate = _rate(files.film_id, frame_rates)
    return Film(files.film_id, f"MEDIAEVAL18_{files.number}", None, (), rate)


def fear_events(film_id: str, fear: FearFile, fps: Fraction) -> Iterable[Event]:
    """Yield the fear intervals of a film as events."""
    for number, (start_s, end_s) in enumerate(fear.intervals):
        first = int(start_s * fps)
        yield Event(
            event_id=f"{film_id}/{ANNOTATOR}/{FEAR}-{number}",
            film_id=film_id,
            annotator=ANNOTATOR,
            label=FEAR,
            start_s=start_s,
            end_s=end_s,
            start_frame=first,
            end_frame=max(first, int(end_s * fps) - 1),
            tags=(),
            source_row=number,
        )


def _missing(films: list[FilmFiles]) -> Iterable[str]:
    no_series = [each.number for each in films if each.series is None]
    no_fear = [each.number for each in films if each.fear is None]
    if no_series:
        yield f"no valence and arousal of films {', '.join(no_series)}"
    if no_fear:
        yield f"no fear file of films {', '.join(no_fear)}: they are not used for fear"
