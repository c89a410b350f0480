"""The six sample films: what a catalogue says of them, and how their copies differ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

FPS = Fraction(24000, 1001)
PAL = Fraction(25)
ANNOTATORS = ("annotator1", "annotator2")


@dataclass(frozen=True)
class CopyFacts:
    """How the copy differs from the annotated version.

    `subtitles` is where the dialogue stands: in the file, beside it, or nowhere.
    """

    name: str
    fps: Fraction = FPS
    sound: bool = True
    subtitles: Literal["embedded", "sidecar", "none"] = "embedded"
    logo: bool = False
    inserted_scene: bool = False


@dataclass(frozen=True)
class FilmFacts:
    """One film: `movie_id` is its number in the release, `framerate` the number printed there.

    `genres_fr` is the spelling of the SQL dump; `settings` are the places its shots show;
    `opening_line` is spoken under the title where it is given.
    """

    film_id: str
    movie_id: int
    title: str
    year: int
    genres: str
    genres_fr: str
    director: str
    director_gender: str
    palette: str
    settings: tuple[str, ...]
    copy: CopyFacts
    framerate: str = "23.976"
    opening_line: str | None = None

    @property
    def slug(self) -> str:
        """Return the film id without its prefix."""
        return self.film_id.removeprefix("sample-")


FILMS = (
    FilmFacts(
        "sample-ferry",
        12,
        "Ferry at Noon",
        2011,
        "Comedy, Drama",
        "Comedie, Drame",
        "Aurélie Dumont",
        "Women",
        "noon",
        ("sea", "street", "room", "beach"),
        CopyFacts("sample-ferry.mp4", fps=PAL, subtitles="sidecar"),
        opening_line="We meet at the café near the quay.",
    ),
    FilmFacts(
        "sample-glass",
        30,
        "Glass Houses",
        2015,
        "Drama, Mystery",
        "Drame, Mystère",
        "Tom O'Hara",
        "Men",
        "overcast",
        ("room", "street", "station", "hills"),
        CopyFacts("sample-glass.mp4", subtitles="none"),
        framerate="23.9759",
        opening_line="One more crème brûlée, if I may.",
    ),
    FilmFacts(
        "sample-kite",
        4,
        "A Kite in March",
        1994,
        "Family, Drama",
        "Famille, Drame",
        "Ida Berg & Paul Lund",
        "Women & Men",
        "spring",
        ("beach", "hills", "sea", "room"),
        CopyFacts("sample-kite.mkv", sound=False),
    ),
    FilmFacts(
        "sample-lantern",
        9,
        "The Lantern",
        2003,
        "Drama, Romantic",
        "Drame, Romantique",
        "René Aubry",
        "Men",
        "night",
        ("street", "room", "hills", "station"),
        CopyFacts("sample-lantern.mkv"),
    ),
    FilmFacts(
        "sample-orchard",
        21,
        "The Orchard Wall",
        1998,
        "Drama, Family",
        "Drame, Famille",
        "Marta Novak",
        "Women",
        "dawn",
        ("hills", "room", "beach", "street"),
        CopyFacts("sample-orchard.mkv", logo=True),
    ),
    FilmFacts(
        "sample-tram",
        15,
        "Last Tram Home",
        2007,
        "Drama, Thriller",
        "Drame, Thriller",
        "John Keane",
        "Men",
        "dusk",
        ("station", "street", "room", "sea"),
        CopyFacts("sample-tram.mkv", inserted_scene=True),
    ),
)

# Like 30 of MObyGaze's 50, a film that the dump lists and nobody has annotated.
UNANNOTATED = FilmFacts(
    "sample-attic",
    2,
    "The Attic Window",
    1989,
    "Drama",
    "Drame",
    "Noël Perrin",
    "Men",
    "night",
    (),
    CopyFacts(""),
    framerate="24",
)


def film_facts(film_id: str) -> FilmFacts:
    """Return the facts of a film.

    Raises:
        KeyError: there is no such film.
    """
    return {facts.film_id: facts for facts in FILMS}[film_id]


def frames_of(seconds: float, fps: Fraction = FPS) -> int:
    """Return how many whole frames come nearest to a duration."""
    return round(seconds * fps)
