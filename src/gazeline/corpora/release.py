"""What an adapter makes of a release, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

Action = Literal["kept", "repaired", "dropped"]


@dataclass(frozen=True, slots=True)
class Film:
    """One film; `fps` is the rate of its annotation frames."""

    film_id: str
    title: str
    year: int | None
    genres: tuple[str, ...]
    fps: Fraction


@dataclass(frozen=True, slots=True)
class Segment:
    """One annotated interval [start_s, end_s), with its frames as released."""

    segment_id: str
    film_id: str
    annotator: str
    start_s: float
    end_s: float
    start_frame: int
    end_frame: int
    label: str
    concepts: tuple[str, ...]
    tags: tuple[str, ...]
    comment: str
    text_released: str
    source_row: int


@dataclass(frozen=True, slots=True)
class Cue:
    """One subtitle cue [start_s, end_s), with its frames as released."""

    cue_id: int
    film_id: str
    start_s: float
    end_s: float
    start_frame: int
    end_frame: int
    text_raw: str
    text: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens in [start_s, end_s) of a film; `end_frame` is inclusive."""

    event_id: str
    film_id: str
    annotator: str
    label: str
    start_s: float
    end_s: float
    start_frame: int
    end_frame: int
    tags: tuple[str, ...]
    source_row: int


@dataclass(frozen=True, slots=True)
class Shot:
    """One camera shot [start_s, end_s), with its frames as released (the last one inclusive)."""

    film_id: str
    shot: int
    start_s: float
    end_s: float
    start_frame: int
    end_frame: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The value of a measure (valence, arousal) in [second, second + 1) of a film."""

    film_id: str
    measure: str
    second: int
    value: float

    @property
    def end_s(self) -> float:
        """Return the end of its second."""
        return float(self.second + 1)


@dataclass(frozen=True, slots=True)
class Annotated:
    """A label that an annotator looked for in a film, whether or not an event has it."""

    film_id: str
    annotator: str
    label: str


@dataclass(frozen=True, slots=True)
class Quirk:
    """Something odd about a release: how often, an example, and what was done about it.

    A quirk that was looked for and not found has count 0; one that could not be looked for
    (`unknown` says why) has none. `part` is the part of the release it is about and `done` says
    in plain words what the `action` came to.
    """

    name: str
    meaning: str
    action: Action
    unit: str
    count: int | None
    total: int | None = None
    examples: tuple[str, ...] = ()
    unknown: str | None = None
    details: Mapping[str, int | float] = field(default_factory=dict)
    part: str = ""
    done: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """Whose data a release is.

    Attributes:
        licence: address of the licence that counts.
        citation: BibTeX entry of the work to cite, "" where none is known.
        url: page that describes the data, or "".
        conditions: a sentence saying what the authors ask of users, or "".
    """

    name: str
    licence: str
    citation: str
    url: str
    conditions: str


@dataclass(frozen=True)
class Release:
    """A release, translated but whole: nothing excluded, no subset taken.

    Attributes:
        dropped: how many of what the release has are not in the tables, by reason.
        missing: a sentence per part that the release may have and does not.
        sources: rows read per file of the release.
        about: whose data it is, where the release itself says so.
        events, shots, series: where the release has them.
        annotated: what was looked for in which film, where labels are no levels.
    """

    films: tuple[Film, ...]
    segments: tuple[Segment, ...]
    cues: tuple[Cue, ...]
    quirks: tuple[Quirk, ...]
    dropped: Mapping[str, int]
    missing: tuple[str, ...]
    sources: Mapping[str, Mapping[str, int | str]]
    about: About | None = None
    events: tuple[Event, ...] = ()
    shots: tuple[Shot, ...] = ()
    series: tuple[Reading, ...] = ()
    annotated: tuple[Annotated, ...] = ()


def examples_of(items: list[str], most: int = 3) -> tuple[str, ...]:
    """Return the first few of a list of examples."""
    return tuple(items[:most])
