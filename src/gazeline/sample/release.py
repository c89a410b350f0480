"""Write the release: the files of MObyGaze, in its own format."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gazeline.params.sample import SampleParams
from gazeline.sample.annotators import annotate
from gazeline.sample.catalogue import FILMS, UNANNOTATED, FilmFacts, film_facts
from gazeline.sample.croissant import write_croissant
from gazeline.sample.dialogue import mojibake, released
from gazeline.sample.over_time import write_over_time
from gazeline.sample.quirks import ReleasedRow, released_rows
from gazeline.sample.sqldump import Value, clock, write_dump
from gazeline.sample.story import FilmStory
from gazeline.sample.thesaurus import SQL_SPELLING, thesaurus

COLUMNS = (
    "",
    "clip_index",
    "movie_id",
    "annotator",
    "label",
    "concepts",
    "comment",
    "start_frame",
    "end_frame",
    "imdb_key",
    "movie_title",
    "framerate",
    "subtitle",
    "start_clip",
    "end_clip",
)
# The release made its cue frames at 24 fps although the films run at 23.976.
CUE_FPS = 24
CLIP_FRAMES = 16
FIRST_ANNOTATION_ID = 501
FIRST_SUBTITLE_ID = 9001
# The release dropped and straightened the broken spellings too: "\xe2\x99\xaa" is a broken note.
DROPPED = re.compile("<[^>]*>|\xe2\x99\xaa?|\xe2\x80[\x93\x94]|[\u2013\u2014\u266a\u266b\\\\-]")
SINGLE_QUOTES = re.compile("\xe2\x80[\x98\x99]|[\u2018\u2019]")
DOUBLE_QUOTES = re.compile("\xe2\x80[\x9c\x9d]|[\u201c\u201d]")


@dataclass(frozen=True)
class ReleasedCue:
    """A cue of the dump, with the frames it was given there."""

    subtitle_id: int
    movie_id: int
    start_ms: int
    end_ms: int
    text: str

    @property
    def start_frame(self) -> int:
        """Return the first frame as released."""
        return self.start_ms * CUE_FPS // 1000

    @property
    def end_frame(self) -> int:
        """Return the last frame as released."""
        return self.end_ms * CUE_FPS // 1000


def write_release(stories: Sequence[FilmStory], params: SampleParams, folder: Path) -> int:
    """Write every file of the release into `folder`; return the number of annotated rows."""
    annotated = {
        (story.facts.film_id, annotator): rows
        for story in stories
        for annotator, rows in annotate(story, params).items()
    }
    rows = released_rows(annotated)
    cues = _numbered_cues(stories)
    sql = folder / "sql_files"
    sql.mkdir(parents=True)
    _write_table(folder / "mobygaze_dataframe.csv", COLUMNS, _csv_rows(rows, cues))
    _write_table(folder / "mobygaze_movielist.csv", *_movielist())
    text = json.dumps(thesaurus(), indent=4)
    (folder / "objectification-thesaurus.json").write_text(text, encoding="utf-8")
    write_dump(sql / "tractive_annotations.sql", "annotations", _sql_rows(rows))
    write_dump(sql / "tractive_movies.sql", "movies", _sql_movies())
    write_dump(sql / "tractive_subtitles.sql", "subtitles", _sql_cues(cues))
    write_croissant(folder)
    write_over_time(stories, params, folder)
    return len(rows)


def released_text(cues: Sequence[ReleasedCue], start_frame: int, end_frame: int) -> str:
    """Return the text the release gives a segment (6070 of MObyGaze's 6072 rows byte-exact).

    Args:
        cues: one film's cues in the order of their ids.
        start_frame, end_frame: the segment, inclusive, compared with the cues' frames as they are.
            An empty cue still adds its space.
    """
    return "".join(
        f" {released_cleaning(cue.text)}"
        for cue in cues
        if cue.start_frame <= end_frame and cue.end_frame >= start_frame
    )


def released_cleaning(text: str) -> str:
    """Return a cue without tags, notes, dashes and backslashes, white space collapsed."""
    straight = SINGLE_QUOTES.sub("'", DOUBLE_QUOTES.sub('"', text))
    return " ".join(DROPPED.sub("", straight).split())


def _numbered_cues(stories: Sequence[FilmStory]) -> dict[str, list[ReleasedCue]]:
    """Number the cues film by film, in the order of the movies' numbers."""
    numbered: dict[str, list[ReleasedCue]] = {}
    subtitle_id = FIRST_SUBTITLE_ID
    for story in sorted(stories, key=lambda s: s.facts.movie_id):
        film = numbered.setdefault(story.facts.film_id, [])
        for cue in released(story):
            where = (story.facts.movie_id, cue.start_ms, cue.end_ms)
            film.append(ReleasedCue(subtitle_id, *where, cue.text))
            subtitle_id += 1
    return numbered


def _write_table(path: Path, header: Sequence[str], rows: Iterator[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";", lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _csv_rows(
    rows: Sequence[ReleasedRow], cues: dict[str, list[ReleasedCue]]
) -> Iterator[Sequence[object]]:
    counted: dict[tuple[str, str], int] = {}
    for index, released_row in enumerate(rows):
        row = released_row.row
        facts = film_facts(row.film_id)
        clip = counted.get((row.film_id, row.annotator), 0)
        counted[row.film_id, row.annotator] = clip + 1
        yield (
            index,
            f"id_{clip}",
            facts.movie_id,
            row.annotator,
            row.label,
            list(row.concepts),
            [row.comment] if row.comment else [],
            row.start_frame,
            row.end_frame,
            row.film_id,
            facts.title,
            facts.framerate,
            released_text(cues[row.film_id], row.start_frame, row.end_frame),
            row.start_frame // CLIP_FRAMES,
            # As released: one frame short, unlike start_clip.
            (row.end_frame - 1) // CLIP_FRAMES,
        )


def _movielist() -> tuple[Sequence[str], Iterator[Sequence[object]]]:
    films = sorted(FILMS, key=lambda facts: facts.movie_id)
    header = ("movie_title", "imdb_key", "release_date", "genre")
    return header, iter([(f.title, f.film_id, f.year, f.genres) for f in films])


def _sql_rows(rows: Sequence[ReleasedRow]) -> Iterator[Sequence[Value]]:
    for number, released_row in enumerate(rows, start=FIRST_ANNOTATION_ID):
        row = released_row.row
        facts = film_facts(row.film_id)
        yield (
            number,
            facts.movie_id,
            row.annotator,
            released_row.sql_label,
            ", ".join(SQL_SPELLING.get(c, c) for c in released_row.sql_concepts),
            row.comment,
            row.start_frame,
            row.end_frame,
            clock(_frame_ms(row.start_frame, facts) - released_row.sql_early_ms),
            clock(_frame_ms(row.end_frame, facts)),
        )


def _frame_ms(frame: int, facts: FilmFacts) -> int:
    return round(frame / float(facts.framerate) * 1000)


def _sql_movies() -> Iterator[Sequence[Value]]:
    for facts in sorted((*FILMS, UNANNOTATED), key=lambda f: f.movie_id):
        yield (
            facts.movie_id,
            facts.film_id,
            facts.title,
            facts.year,
            mojibake(facts.genres_fr),
            mojibake(facts.director),
            facts.director_gender,
            "sure" if facts.settings else None,
            float(facts.framerate),
        )


def _sql_cues(cues: dict[str, list[ReleasedCue]]) -> Iterator[Sequence[Value]]:
    for cue in sorted((c for film in cues.values() for c in film), key=lambda c: c.subtitle_id):
        yield (
            cue.subtitle_id,
            cue.movie_id,
            cue.start_frame,
            cue.end_frame,
            clock(cue.start_ms),
            clock(cue.end_ms),
            cue.text,
            -1,
        )
