"""What is odd about the events of a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby, pairwise

from gazeline.corpora.release import Action, Quirk, Shot, examples_of
from gazeline.corpora.vsd2011.events import Event

PART = "Events"
STAND = "the event stands as released"
OfFilms = Mapping[str, tuple[tuple[Event, ...], tuple[Shot, ...]]]


def event_quirks(films: OfFilms) -> tuple[Quirk, ...]:
    """Return what was looked for in the events, found or not; films are by id."""
    total = sum(len(events) for events, _ in films.values())

    def quirk(name: str, meaning: str, action: Action, done: str, found: list[str]) -> Quirk:
        shown = examples_of(found)
        return Quirk(
            name, meaning, action, "events", len(found), total, shown, part=PART, done=done
        )

    return (
        quirk(
            "events_out_of_order",
            "event that starts before the line above it",
            "repaired",
            "the table is in order of time",
            list(_disorder(films)),
        ),
        quirk(
            "events_overlap",
            "event that overlaps the one before it, of the same kind",
            "kept",
            f"{STAND}; scores count shared time once",
            list(_overlaps(films)),
        ),
        quirk(
            "events_past_the_end",
            "event that ends after the film's last shot",
            "kept",
            f"{STAND}; scores do not look past the film's end",
            list(_late(films)),
        ),
        quirk(
            "decimal_comma",
            "time with a decimal comma",
            "repaired",
            "read as a decimal point",
            [_named(film, e) for film, (events, _) in films.items() for e in events if e.comma],
        ),
        Quirk(
            "films_without_event",
            "film without a violent event",
            "kept",
            "films",
            count=len(empty := list(_peaceful(films))),
            total=len(films),
            examples=examples_of(empty),
            part=PART,
            done="all of it counts as not violent",
        ),
    )


def _named(film: str, event: Event) -> str:
    return f"{film}, {event.kind}, line {event.line}"


def _of_kinds(films: OfFilms) -> Iterator[tuple[str, list[Event]]]:
    for film, (events, _) in films.items():
        for _, of_kind in groupby(events, key=lambda event: event.kind):
            yield film, list(of_kind)


def _disorder(films: OfFilms) -> Iterator[str]:
    for film, events in _of_kinds(films):
        yield from (_named(film, b) for a, b in pairwise(events) if b.start_s < a.start_s)


def _overlaps(films: OfFilms) -> Iterator[str]:
    for film, events in _of_kinds(films):
        end_s = 0.0
        for event in sorted(events, key=lambda e: (e.start_s, e.end_s)):
            if event.start_s < end_s:
                yield _named(film, event)
            end_s = max(end_s, event.end_s)


def _late(films: OfFilms) -> Iterator[str]:
    for film, (events, shots) in films.items():
        if shots:
            yield from (_named(film, e) for e in events if e.end_s > shots[-1].end_s)


def _peaceful(films: OfFilms) -> Iterator[str]:
    for film, (events, _) in films.items():
        if not any(event.kind == "violence" for event in events):
            yield film
