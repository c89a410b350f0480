"""A release is translated to films, segments, cues and quirks, whatever its generation."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gazeline.corpora.mobygaze.adapter import read_release
from gazeline.corpora.mobygaze.dumps import seconds

LANTERN, CRASH, AWAY = "tt0000001", "tt0000002", "tt0000003"


@pytest.fixture
def release(miniature, tmp_path):
    return read_release(miniature.write(tmp_path), {})


def test_films_have_the_lists_title_year_and_genres_and_exact_rates(release):
    assert [(f.film_id, f.title, f.year, f.genres, f.fps) for f in release.films] == [
        (LANTERN, "The Lantern", 1999, ("Drama", "Romantic"), Fraction(24000, 1001)),
        (CRASH, "Crash", 2004, ("Drama",), Fraction(24)),
        (AWAY, "Up & Away", 2011, ("Comedy",), Fraction(24000, 1001)),
    ]


def test_a_segment_ends_after_its_last_frame(release):
    segment = release.segments[0]
    assert (segment.start_frame, segment.end_frame) == (0, 239)
    assert segment.start_s == 0.0
    assert segment.end_s == pytest.approx(240 * 1001 / 24000, abs=1e-12)


def test_segments_have_levels_distinct_concepts_tags_and_the_text_as_released(release):
    rows = {s.segment_id: s for s in release.segments}
    assert [s.label for s in release.segments] == ["EN", "HN", "S", "NS", "EN", "S", "S"]
    assert rows[f"{LANTERN}/annotator1/id_1"].concepts == ("Body", "Look")
    assert rows[f"{LANTERN}/annotator1/id_1"].text_released == ' "Well", he said; or so.'
    assert rows[f"{LANTERN}/annotator1/id_2"].concepts == ("Speech",)
    assert rows[f"{LANTERN}/annotator1/id_2"].tags == ("Narratology",)
    assert rows[f"{LANTERN}/annotator1/id_2"].comment == 'quotes "him"; twice'
    assert [s.source_row for s in release.segments] == list(range(7))


def test_cues_take_time_from_their_stamps_and_keep_frames_and_raw_text(release):
    cue = next(c for c in release.cues if c.cue_id == 12)
    assert (cue.film_id, cue.start_s, cue.end_s) == (LANTERN, 3.0, 5.0)
    assert (cue.start_frame, cue.end_frame) == (72, 120)
    assert (cue.text_raw, cue.text) == ("It's a\ncafÃ©.", "It's a\ncafé.")


def test_cues_of_films_without_annotations_are_counted_out(release):
    assert release.dropped == {"cues of films without annotations": 1}
    assert {cue.film_id for cue in release.cues} == {LANTERN, CRASH}


def test_films_without_cues_are_named(release):
    assert release.missing == ("the SQL table subtitles has no cues of tt0000003",)


# Each of these is planted once (or as often as said) in the miniature release.
PLANTED = {
    "rate_printed_oddly": 1,
    "rate_overridden": 0,
    "rows_out_of_order": 1,
    "overlaps": 1,
    "gaps": 1,
    "start_clip": 0,
    "end_clip": 1,
    "repeated_concepts": 1,
    "no_concept": 1,
    "concept_at_en": 1,
    "outside_thesaurus": 1,
    "spelling_csv": 0,
    "text_not_lowercase": 4,
    "text_mojibake": 1,
    "cue_mojibake": 2,
    "cue_tags": 1,
    "cue_music": 1,
    "cue_sdh": 1,
    "cue_empty": 1,
    "cue_zero_length": 1,
    "cue_out_of_order": 1,
    "cue_overlaps": 1,
    "cue_frame_rate": 1,
    "other_cues": 3,
    "only_in_csv": 0,
    "only_in_sql": 1,
    "sql_label": 1,
    "sql_concepts": 0,
    "sql_comment": 0,
    "spelling_sql": 2,
    "rate_contradicted": 1,
    "wrong_time_stamp": 1,
    "movie_mojibake": 1,
    "sql_frame_rate": 0,
    "sql_title": 0,
    "spelling_thesaurus": None,
    "croissant_errors": None,
    "croissant_warnings": None,
    "croissant": None,
}


def test_every_planted_quirk_is_found_as_often_as_it_was_planted(release):
    assert {quirk.name: quirk.count for quirk in release.quirks} == PLANTED
    assert all(bool(q.count) <= bool(q.examples) for q in release.quirks)


def test_an_overlap_is_told_from_a_gap_in_its_example(release):
    examples = {quirk.name: quirk.examples for quirk in release.quirks}
    assert examples["overlaps"] == ("tt0000001/annotator1/id_1: 1 frame shared with id_0",)
    assert examples["gaps"] == ("tt0000001/annotator1/id_2: a gap of 1 frame after id_1",)


def test_a_frame_rate_from_params_replaces_the_released_one(miniature, tmp_path):
    release = read_release(miniature.write(tmp_path), {CRASH: 23.976})
    crash = next(s for s in release.segments if s.film_id == CRASH)
    assert crash.end_s == pytest.approx(101 * 1001 / 24000, abs=1e-12)
    quirks = {quirk.name: quirk.count for quirk in release.quirks}
    assert (quirks["rate_overridden"], quirks["rate_contradicted"]) == (1, 0)
    assert quirks["sql_frame_rate"] == 0


def test_the_old_generation_is_read_and_its_label_columns_checked(old_miniature, tmp_path):
    old_miniature.replace("mobygaze_dataframe.csv", '";1;15;29;1', '";1;15;29;0')
    wrong = old_miniature.replace("mobygaze_dataframe.csv", "Hello.;0;", "Hello.;1;")
    release = read_release(wrong.write(tmp_path), {})
    assert [s.annotator for s in release.segments] == ["annotator1", "annotator2"]
    assert [s.text_released for s in release.segments] == [" Hello.", "two\nlines"]
    assert release.sources["mobygaze_dataframe.csv"] == {"rows": 2, "generation": "old"}
    quirks = {quirk.name: quirk.count for quirk in release.quirks}
    assert (quirks["label_speech"], quirks["label_audio"]) == (1, 0)


def test_what_is_not_there_is_said_and_the_rest_is_read(old_miniature, tmp_path):
    release = read_release(old_miniature.write(tmp_path), {})
    assert release.cues == ()
    assert [(f.title, f.year, f.genres) for f in release.films] == [("The Lantern", None, ())]
    assert [line.split(":")[0] for line in release.missing] == [
        "mobygaze_movielist.csv is not there",
        "no SQL dumps are there",
    ]
    unknown = next(q for q in release.quirks if q.name == "cues")
    assert (unknown.count, unknown.unknown) == (None, "the release has no subtitles table")


def test_without_the_list_the_movies_table_still_gives_years(miniature, tmp_path):
    del miniature.files["mobygaze_movielist.csv"]
    release = read_release(miniature.write(tmp_path), {})
    assert [film.year for film in release.films] == [1999, 2004, 2011]
    assert all(film.genres == () for film in release.films)


def test_all_tables_may_come_in_one_dump(miniature, tmp_path):
    names = [name for name in miniature.files if name.endswith(".sql")]
    whole = "".join(str(miniature.files.pop(name)) for name in names)
    miniature.files["MObyGaze_DB.sql"] = whole
    assert len(read_release(miniature.write(tmp_path), {}).cues) == 7


@pytest.mark.parametrize(
    ("stamp", "value"),
    [("00:00:28.745", 28.745), ("02:24:39.747", 8679.747), ("100:00:00", 360000.0)],
)
def test_time_stamps_are_exact_to_the_millisecond(stamp, value):
    assert seconds(stamp) == value
