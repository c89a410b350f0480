"""The real MObyGaze release: its published sizes and every quirk of the facts' table."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from gazeline.corpora.croissant.validation import validate
from gazeline.corpora.ingest import ingest
from gazeline.corpora.mobygaze.adapter import read_release
from gazeline.files import read_json
from gazeline.params.corpora import IngestParams
from gazeline.params.subset import SubsetParams
from gazeline.schema.annotations import CUES, FILMS, FOLDS, SEGMENTS
from gazeline.tables import read_frame
from gazeline.timeline.windows import windows_touching

QUIRKS = {
    "rate_printed_oddly": 458,
    "rate_contradicted": 270,
    "wrong_time_stamp": 1,
    "overlaps": 39,
    "gaps": 33,
    "rows_out_of_order": 4,
    "start_clip": 0,
    "end_clip": 399,
    "repeated_concepts": 1,
    "no_concept": 63,
    "concept_at_en": 1,
    "outside_thesaurus": 65,
    "spelling_csv": 0,
    "spelling_sql": 1106 + 559 + 729,
    "spelling_thesaurus": 3,
    "only_in_csv": 0,
    "only_in_sql": 0,
    "sql_label": 2,
    "sql_concepts": 1,
    "sql_comment": 1,
    "sql_frame_rate": 0,
    "sql_title": 0,
    "movie_mojibake": 4,
    # One more than the facts' 436: `UstaÅ¡e` is broken too, but not by Â, Ã or â.
    "cue_mojibake": 437,
    # 90 rows that the round trip repairs (the facts say 91), and 4 in which the no-break space of
    # a broken à was collapsed, so that they cannot be repaired.
    "text_mojibake": 90 + 4,
    "cue_tags": 1668,
    "cue_music": 332,
    "cue_sdh": 574,
    "cue_empty": 2,
    "cue_zero_length": 3,
    "cue_overlaps": 815,
    "cue_out_of_order": 1,
    "cue_frame_rate": 19,
    # Crash at 24, ends inclusive. The facts' 68.9 % takes Crash at 23.976 and ends exclusive.
    "other_cues": 4051,
    "text_not_lowercase": 5548,
    "rate_overridden": 0,
    "croissant_errors": 8,
    "croissant_warnings": 3,
    "croissant": 8,
    "licence": 1,
}


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("mobygaze")


@pytest.fixture(scope="module")
def description(ingested, out):
    return read_json(out / "croissant.json")


@pytest.fixture(scope="module")
def ingested(shared, out):
    fold = {"fold": 1, "test": ["tt0097576"], "validation": ["tt0109830"]}
    params = IngestParams.model_validate(
        {"format": "mobygaze", "exclude": [], "frame_rates": {}, "folds": [fold]}
    )
    report = ingest("mobygaze", shared / "mobygaze", params, SubsetParams(), out)
    specs = {"films": FILMS, "segments": SEGMENTS, "cues": CUES, "folds": FOLDS}
    return report, {name: read_frame(out / f"{name}.parquet", s) for name, s in specs.items()}


def test_every_row_and_cue_is_kept(ingested):
    report, tables = ingested
    sizes = {name: len(table) for name, table in tables.items()}
    assert sizes == {"films": 20, "segments": 6072, "cues": 34467, "folds": 20}
    assert report["segments_by_annotator"] == {"annotator1": 2269, "annotator2": 3803}
    assert report["segments_by_label"] == {"EN": 2407, "HN": 1906, "NS": 289, "S": 1470}
    assert report["missing"] == []


@pytest.mark.parametrize(("name", "count"), QUIRKS.items())
def test_a_quirk_is_counted_as_the_facts_have_it(ingested, name, count):
    assert ingested[0]["quirks"][name]["count"] == count


def test_no_quirk_goes_untested(ingested):
    assert set(ingested[0]["quirks"]) == set(QUIRKS)


def test_quirks_have_the_details_that_the_facts_name(ingested):
    quirks = ingested[0]["quirks"]
    assert quirks["no_concept"]["details"] == {"HN": 37, "NS": 15, "S": 11}
    assert quirks["repeated_concepts"]["examples"] == [
        "tt1142988/annotator2/id_64: 20 entries, 7 distinct"
    ]
    assert quirks["wrong_time_stamp"]["examples"] == [
        "tt1454029/annotator2 frame 166825: start 0.9 s early"
    ]
    assert quirks["cue_frame_rate"]["details"]["worst_drift_s"] == pytest.approx(11, abs=0.1)
    assert quirks["rate_contradicted"]["examples"][0].startswith("tt0375679: frames at 24")


def test_cues_broken_by_the_facts_own_three_letters_are_the_facts_number(ingested):
    cues = ingested[1]["cues"]
    broken = cues[cues["text"] != cues["text_raw"]]
    assert sum(any(c in text for c in "ÃÂâ") for text in broken["text_raw"]) == 436
    assert ingested[0]["quirks"]["text_mojibake"]["details"] == {"repairable_as_a_whole": 90}


QUALITY = {
    "overlaps": "overlaps",
    "gaps": "gaps",
    "nonEN_without_concept": "no_concept",
    "EN_with_concept": "concept_at_en",
    "narratology_rows": "outside_thesaurus",
    "csv_sql_label_differences": "sql_label",
    "end_clip_not_end_floor16": "end_clip",
}


def test_published_quality_is_reproduced_on_the_release(ingested, shared):
    quirks, tables = ingested[0]["quirks"], ingested[1]
    cues = tables["cues"]
    found = {name: quirks[quirk]["count"] for name, quirk in QUALITY.items()}
    # Rows are matched with SQL rows by their frames: with other frames they would find none.
    found["csv_sql_frame_differences"] = (
        quirks["only_in_csv"]["count"] + quirks["only_in_sql"]["count"]
    )
    rows = pd.read_csv(shared / "mobygaze" / "mobygaze_dataframe.csv", sep=";")
    found["end_clip_eq_(end-1)//16"] = (rows["end_clip"] == (rows["end_frame"] - 1) // 16).sum()
    # In whole milliseconds, as the dump has them.
    stamps = [(cues[f"{side}_s"] * 1000).round().astype(int) for side in ("start", "end")]
    found["cue_frame_eq_floor_ts_x24_share"] = np.mean(
        [
            (cues[f"{side}_frame"] == stamp * 24 // 1000).mean()
            for side, stamp in zip(("start", "end"), stamps, strict=True)
        ]
    )
    published = json.loads((shared / "reference" / "published.json").read_text("utf-8"))
    wanted = {
        entry["name"].removeprefix("quality/"): entry["reproduced"]
        for entry in published
        if entry["name"].startswith("quality/")
    }
    assert found == wanted


def test_concepts_are_those_of_the_papers_table_3(ingested, shared):
    published = json.loads((shared / "reference" / "published.json").read_text("utf-8"))
    segments = ingested[1]["segments"]
    counts = Counter(
        f"table3/n_ann/{annotator}/{concept}"
        for annotator, concepts in zip(segments["annotator"], segments["concepts"], strict=True)
        for concept in concepts
    )
    wanted = {e["name"]: e for e in published if e["name"].startswith("table3/n_ann/")}
    assert len(wanted) >= 11
    for name, entry in wanted.items():
        assert counts[name] == entry["reproduced"], name


def test_the_croissant_errors_are_the_readers_own(ingested):
    errors = ingested[0]["quirks"]["croissant_errors"]["examples"]
    assert sum("Got cr:FileObject instead" in error for error in errors) == 4
    assert sum("ISO 8601" in error for error in errors) == 2
    assert ingested[0]["about"]["licence"].endswith("/by-nc-sa/4.0/")


def test_our_description_of_the_real_corpus_has_no_errors(description):
    verdict = validate(description)
    assert (verdict.errors, verdict.stopped) == ((), None)
    assert [warning.split('"')[1].rpartition("/")[2] for warning in verdict.warnings] == [
        "datePublished",
        "version",
    ]


def test_hours_of_film_are_the_papers(ingested):
    segments = ingested[1]["segments"]
    hours = (segments["end_s"] - segments["start_s"]).sum() / 2 / 3600
    assert hours == pytest.approx(42.625, abs=0.005)


def test_windows_of_sixteen_frames_touched_are_the_releases_clips(ingested):
    """With the copy on the annotation clock, windows are start_frame//16 to end_frame//16."""
    segments = ingested[1]["segments"].query("film_id == 'tt0097576'")
    fps = 24000 / 1001
    starts = np.arange(segments["end_frame"].max() // 16 + 2) * 16 / fps
    for row in segments.itertuples():
        first, stop = windows_touching(
            starts, starts + 16 / fps, (row.start_s, row.end_s), 0.5 / fps
        )
        assert (first, stop - 1) == (row.start_frame // 16, row.end_frame // 16)


def test_with_crash_at_its_time_stamps_rate_nothing_contradicts_it(shared):
    release = read_release(shared / "mobygaze", {"tt0375679": "23.976"})
    quirks = {quirk.name: quirk.count for quirk in release.quirks}
    assert quirks["rate_contradicted"] == 0
    assert quirks["rate_overridden"] == 270
    assert quirks["cue_frame_rate"] == 20
