"""Translate the MediaEval 2011 violent scenes into films, events and shots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from gazeline.corpora.release import About, Annotated, Film, Release, Shot
from gazeline.corpora.release import Event as Released
from gazeline.corpora.vsd2011.events import AUDIO, FPS, KINDS, VIOLENCE, Event, read_events
from gazeline.corpora.vsd2011.files import FilmFiles, find_files
from gazeline.corpora.vsd2011.quirks import event_quirks
from gazeline.corpora.vsd2011.shots import read_shots
from gazeline.timeline.rates import exact_rate

ANNOTATOR = "consensus"
ABOUT = About(
    name="MediaEval 2011 Affect Task: Violent Scenes Detection",
    licence="",
    citation="",
    url="",
    conditions="The annotations are obtained from their owners by each user; "
    "publications acknowledge MediaEval and Technicolor.",
)


@dataclass(frozen=True)
class FilmEvents:
    """What the files of one film say."""

    film: Film
    files: FilmFiles
    events: tuple[Event, ...]
    shots: tuple[Shot, ...]


def read_release(folder: Path, frame_rates: Mapping[str, str | float]) -> Release:
    """Read a folder with `<Film>_violence.txt`, concept files and, where there are any, shots.

    Events are those of the annotator `consensus`; their label is their kind.

    Args:
        frame_rates: rate that frames are counted at by film id, where it is not 25.

    Raises:
        ReleaseError: no film is there, or a file cannot be read; its lines are named.
    """
    found = [_read_film(files, frame_rates) for _, files in sorted(find_files(folder).items())]
    counts = Counter(event.kind for each in found for event in each.events)
    return Release(
        films=tuple(each.film for each in found),
        segments=(),
        events=tuple(event for each in found for event in _events(each)),
        cues=(),
        quirks=event_quirks({e.film.film_id: (e.events, e.shots) for e in found}),
        dropped={},
        missing=tuple(_missing(found)),
        sources={f"*_{kind}.txt": {"events": counts[kind]} for kind in KINDS if counts[kind]},
        about=ABOUT,
        shots=tuple(shot for each in found for shot in each.shots),
        annotated=tuple(
            Annotated(each.film.film_id, ANNOTATOR, kind)
            for each in found
            for kind in each.files.events
        ),
    )


def _read_film(files: FilmFiles, frame_rates: Mapping[str, str | float]) -> FilmEvents:
    title = files.title
    fps = exact_rate(frame_rates[title.film_id]) if title.film_id in frame_rates else FPS
    events = tuple(
        event
        for kind in KINDS
        if kind in files.events
        for event in read_events(files.events[kind], kind, fps)
    )
    shots = read_shots(files.shots, title.film_id, fps) if files.shots else ()
    film = Film(title.film_id, title.title, title.year, (), Fraction(fps))
    return FilmEvents(film, files, events, shots)


def _events(found: FilmEvents) -> Iterable[Released]:
    for kind in KINDS:
        of_kind = sorted((e for e in found.events if e.kind == kind), key=_place)
        yield from released_events(found.film.film_id, kind, of_kind)


def released_events(film_id: str, kind: str, events: Iterable[Event]) -> Iterable[Released]:
    """Yield events of one film and kind under the name of the annotator."""
    for number, event in enumerate(events):
        yield Released(
            event_id=f"{film_id}/{ANNOTATOR}/{kind}-{number}",
            film_id=film_id,
            annotator=ANNOTATOR,
            label=kind,
            start_s=event.start_s,
            end_s=event.end_s,
            start_frame=event.start_frame,
            end_frame=event.end_frame,
            tags=event.tags,
            source_row=event.line - 1,
        )


def _place(event: Event) -> tuple[float, float, int]:
    return event.start_s, event.end_s, event.line


def _missing(found: list[FilmEvents]) -> Iterable[str]:
    without = [each.film.film_id for each in found if not each.shots]
    if without:
        yield f"no shot boundaries of {', '.join(without)}: shots can be detected in the copies"
    for kind in KINDS:
        lacking = [each.film.film_id for each in found if kind not in each.files.events]
        if lacking and kind != VIOLENCE:
            part = "seconds" if kind in AUDIO else "frames"
            yield f"no file of {kind} ({part}) for {', '.join(lacking)}"
