"""Cues go to the segments that the join says, cleaned, and none gets lost uncounted."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pytest

from gazeline.corpora.mobygaze.adapter import read_release
from gazeline.files import read_json
from gazeline.params.subtitles import CleaningParams, SubtitlesParams
from gazeline.schema.annotations import CUES, SEGMENT_TEXT, SEGMENTS
from gazeline.subtitles.cleaning.join import join_cues
from gazeline.subtitles.cleaning.segment_text import segment_texts
from gazeline.tables import from_rows, read_frame, write_table

SEGMENTS_24 = [("f/a/0", "f", 0.0, 10.0, 0, 239), ("f/a/1", "f", 10.0, 20.0, 240, 479)]


def segments(rows=SEGMENTS_24, text=""):
    columns = ["segment_id", "film_id", "start_s", "end_s", "start_frame", "end_frame"]
    return pd.DataFrame(rows, columns=columns).assign(text_released=text)


def cues(*rows):
    """Build cues from (id, film, start_s, end_s, text); frames at 24 fps, rounded down."""
    columns = ["cue_id", "film_id", "start_s", "end_s", "text"]
    frame = pd.DataFrame(list(rows), columns=columns)
    return frame.assign(
        start_frame=(frame["start_s"].astype(float) * 24).astype("int64"),
        end_frame=(frame["end_s"].astype(float) * 24).astype("int64"),
        text_raw=frame["text"],
    )


def texts(frame, **params):
    result = segment_texts(segments(), frame, SubtitlesParams.model_validate(params))
    return result.frame["text"].tolist()


ACROSS = (
    (1, "f", 1.0, 2.0, "first"),
    (2, "f", 9.0, 10.5, "mostly before"),
    (3, "f", 9.9, 10.3, "mostly after"),
    (4, "f", 10.0, 11.0, "at the edge"),
    (5, "g", 1.0, 2.0, "another film"),
)


def test_midpoint_gives_a_cue_to_the_segment_its_middle_lies_in():
    assert texts(cues(*ACROSS), join="midpoint") == [
        "first mostly before",
        "mostly after at the edge",
    ]


def test_overlap_gives_a_cue_to_every_segment_it_overlaps():
    before, after = texts(cues(*ACROSS), join="overlap")
    assert before == "first mostly before mostly after"
    assert after == "mostly before mostly after at the edge"


def test_a_cue_that_ends_where_a_segment_starts_is_not_in_it():
    assert texts(cues((1, "f", 8.0, 10.0, "x")), join="overlap") == ["x", ""]


def test_a_middle_on_the_edge_belongs_to_the_segment_that_starts_there():
    assert texts(cues((1, "f", 9.0, 11.0, "x")), join="midpoint") == ["", "x"]


def test_released_joins_by_frames_ends_included_in_the_order_of_numbers():
    frame = cues((2, "f", 1.0, 2.0, "second"), (1, "f", 9.0, 10.0, "first"))
    assert texts(frame, join="released") == ["first second", "first"]


def test_by_time_cues_are_in_spoken_order_whatever_their_numbers():
    frame = cues((2, "f", 1.0, 2.0, "first"), (1, "f", 5.0, 6.0, "second"))
    assert texts(frame, join="midpoint")[0] == "first second"


def test_the_released_preset_has_a_space_before_every_cue_also_an_empty_one():
    frame = cues((1, "f", 1.0, 2.0, "one"), (2, "f", 3.0, 4.0, "♪"), (3, "f", 5.0, 6.0, "two"))
    assert texts(frame, join="released", preset="released")[0] == " one  two"
    assert texts(frame, join="released")[0] == "one two"


def test_the_raw_text_is_what_the_released_preset_cleans():
    frame = cues((1, "f", 1.0, 2.0, "café")).assign(text_raw="cafÃ©")
    assert texts(frame, preset="released")[0] == " cafÃ©"
    assert texts(frame)[0] == "café"


def test_overlapping_segments_of_two_annotators_each_get_the_cue():
    rows = [("f/a/0", "f", 0.0, 10.0, 0, 239), ("f/b/0", "f", 0.0, 5.0, 0, 119)]
    left, right = join_cues(segments(rows), cues((1, "f", 1.0, 2.0, "x")), "midpoint")
    assert (left.tolist(), right.tolist()) == ([0, 1], [0, 0])


def test_every_cue_is_accounted_for():
    frame = cues(
        (1, "f", 1.0, 2.0, "<i>kept</i>"),
        (2, "f", 3.0, 4.0, "[door]"),
        (3, "f", 99.0, 99.5, "late"),
    )
    report = segment_texts(segments(), frame, SubtitlesParams()).report
    assert report["cues"] == {
        "in": 3,
        "joined": 1,
        "dropped": {"nothing left after cleaning": 1, "in no segment": 1},
    }
    assert report["segments"] == {
        "in": 2,
        "with_text": 1,
        "without_text": 1,
        "with_released_text_for_want_of_cues": 0,
    }
    assert report["rules_fired"]["tags"] == 1
    assert report["text"][0] == (
        "Cues: 3 in, 1 joined by the rule midpoint; 1 dropped: nothing left after cleaning; "
        "1 dropped: in no segment."
    )


def test_a_cue_without_text_counts_among_the_cues_of_its_segment():
    frame = cues((1, "f", 1.0, 2.0, "said"), (2, "f", 3.0, 4.0, "[door]"))
    assert segment_texts(segments(), frame, SubtitlesParams()).frame["n_cues"].tolist() == [2, 0]


def test_a_film_without_cues_keeps_the_released_text_and_the_report_says_so():
    released = segments(text=["<i>One</i>", "Two"])
    result = segment_texts(
        released, cues(), SubtitlesParams(cleaning=CleaningParams(lowercase=True))
    )
    assert result.frame["text"].tolist() == ["one", "two"]
    assert result.frame["n_cues"].tolist() == [0, 0]
    assert result.report["films_with_released_text"] == ["f"]
    assert result.report["text"][-1].endswith("stands in for f.")


def test_no_segments_and_no_cues_give_an_empty_table():
    result = segment_texts(segments([]), cues(), SubtitlesParams())
    assert result.frame.empty
    assert result.report["cues"]["in"] == 0


@pytest.fixture(scope="module")
def mobygaze(shared):
    release = read_release(shared / "mobygaze", {})
    return pd.DataFrame(release.segments), pd.DataFrame(release.cues)


def test_the_papers_rule_reproduces_the_released_text_to_the_byte(mobygaze):
    frame, own_cues = mobygaze
    params = SubtitlesParams(join="released", preset="released")
    made = segment_texts(frame, own_cues, params).frame["text"].to_numpy()
    differ = frame[made != frame["text_released"].to_numpy()]
    assert len(frame) - len(differ) == 6070
    # Both are one place, where the release lost "&Ms." of "no red M&Ms. I hope ...".
    assert set(differ["film_id"]) == {"tt0467406"}


def test_every_real_cue_is_joined_or_counted(mobygaze):
    for join, in_none in (("midpoint", 1), ("overlap", 1), ("released", 4)):
        counts = segment_texts(*mobygaze, SubtitlesParams(join=join)).report["cues"]
        assert counts["dropped"] == {"nothing left after cleaning": 295, "in no segment": in_none}
        assert counts["joined"] == 34467 - 295 - in_none


def test_midpoint_gives_a_real_cue_to_one_segment_of_an_annotator_at_most(mobygaze):
    frame, own_cues = mobygaze
    left, right = join_cues(frame, own_cues, "midpoint")
    pairs = pd.DataFrame({"annotator": frame["annotator"].to_numpy()[left], "cue": right})
    # Neighbours overlap by one frame in 39 places: a middle may lie in both.
    assert pairs.duplicated().sum() <= 39


def test_the_stage_writes_the_table_and_the_report(miniature_corpus, project):
    done = subprocess.run(
        [sys.executable, project / "stages" / "subtitles.py", "mini"],
        cwd=miniature_corpus,
        env={"PYTHONPATH": str(project / "src"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "subtitles@mini: Cues: 1 in, 1 joined by the rule overlap. Segments: 2, 1 with text.\n"
    )
    table = read_frame(miniature_corpus / "data/subtitles/mini.parquet", SEGMENT_TEXT)
    assert table.to_dict("records") == [
        {"segment_id": "f/a/0", "n_cues": 1, "text": "Hi"},
        {"segment_id": "f/a/1", "n_cues": 0, "text": ""},
    ]
    assert read_json(miniature_corpus / "data/subtitles/mini.json")["corpus"] == "mini"


@pytest.fixture
def miniature_corpus(tmp_path):
    folder = tmp_path / "data/corpora/mini"
    rows = segments().assign(
        annotator="a", label="EN", concepts=[[]] * 2, tags=[[]] * 2, comment="", source_row=0
    )
    write_table(from_rows(rows.to_dict("records"), SEGMENTS), SEGMENTS, folder / "segments.parquet")
    cue_rows = cues((1, "f", 1.0, 2.0, "<i>Hi</i>")).to_dict("records")
    write_table(from_rows(cue_rows, CUES), CUES, folder / "cues.parquet")
    (tmp_path / "params.yaml").write_text("subtitles: {join: overlap}\n", encoding="utf-8")
    return tmp_path
