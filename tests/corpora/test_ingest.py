"""Ingest writes the canonical tables, leaves out what params say, and accounts for all of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gazeline.corpora.folds import fold_rows
from gazeline.corpora.ingest import ingest
from gazeline.corpora.registry import adapter
from gazeline.errors import ParamsError, ReleaseError
from gazeline.params.base import load_section
from gazeline.params.corpora import FoldParams, IngestParams
from gazeline.params.subset import SubsetParams
from gazeline.schema.annotations import CUES, FILMS, FOLDS, SEGMENTS
from gazeline.tables import read_frame

LANTERN, CRASH, AWAY = "tt0000001", "tt0000002", "tt0000003"
FOLD = {"fold": 1, "test": [LANTERN], "validation": [CRASH]}
OUTS = (
    "annotated.parquet",
    "audit.md",
    "croissant.json",
    "cues.parquet",
    "events.parquet",
    "films.parquet",
    "folds.parquet",
    "ingest.json",
    "segments.parquet",
    "series.parquet",
    "shots.parquet",
)


def params(**changes) -> IngestParams:
    values = {"format": "mobygaze", "exclude": [], "frame_rates": {}, "folds": [FOLD]}
    return IngestParams.model_validate(values | changes)


@pytest.fixture
def run(miniature, tmp_path):
    """Return a function that ingests the miniature and gives the report and the tables."""
    folder = miniature.write(tmp_path / "release")

    def ingested(chosen=None, subset=None):
        out = tmp_path / "out"
        report = ingest("mini", folder, chosen or params(), subset or SubsetParams(), out)
        specs = {"films": FILMS, "segments": SEGMENTS, "cues": CUES, "folds": FOLDS}
        return report, {n: read_frame(out / f"{n}.parquet", s) for n, s in specs.items()}

    return ingested


def test_the_whole_release_is_kept_and_counted(run, tmp_path):
    report, tables = run()
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == list(OUTS)
    assert report["in"] == report["kept"] == {"films": 3, "segments": 7, "cues": 7}
    assert [len(tables[name]) for name in ("films", "segments", "cues")] == [3, 7, 7]
    assert report["segments_by_label"] == {"EN": 2, "HN": 1, "NS": 1, "S": 3}
    assert report["segments_by_annotator"] == {"annotator1": 5, "annotator2": 2}
    assert "subset" not in report


def test_a_films_duration_is_the_end_of_its_last_segment_or_cue(run):
    films = run()[1]["films"].set_index("film_id")
    assert films["duration_s"].to_dict() == pytest.approx(
        {LANTERN: 720 * 1001 / 24000, CRASH: 101 / 24, AWAY: 101 * 1001 / 24000}, abs=1e-12
    )
    assert films.loc[CRASH, ["annotation_fps_num", "annotation_fps_den"]].tolist() == [24, 1]


def test_films_that_a_fold_does_not_name_train(run):
    folds = run()[1]["folds"]
    assert folds.to_dict("records") == [
        {"fold": 1, "film_id": LANTERN, "split": "test"},
        {"fold": 1, "film_id": CRASH, "split": "validation"},
        {"fold": 1, "film_id": AWAY, "split": "train"},
    ]


def test_folds_are_those_of_params_over_the_films_given():
    fold = FoldParams.model_validate(FOLD)
    assert fold_rows([fold], [AWAY]) == [{"fold": 1, "film_id": AWAY, "split": "train"}]


def test_an_excluded_film_is_in_no_table_and_is_counted(run):
    report, tables = run(params(exclude=[LANTERN]))
    assert all(LANTERN not in set(table["film_id"]) for table in tables.values())
    assert report["dropped"]["segments"]["excluded"] == 5
    assert report["dropped"]["cues"]["excluded"] == 6
    assert report["dropped"]["films"]["excluded"] == 1
    assert report["kept"] == {"films": 2, "segments": 2, "cues": 1}


def test_a_subset_of_films_is_kept_stamped_and_counted(run):
    report, tables = run(subset=SubsetParams(films=(CRASH, "tt9999999")))
    assert set(tables["segments"]["film_id"]) == {CRASH}
    assert set(tables["folds"]["film_id"]) == {CRASH}
    assert report["dropped"]["films"] == {"excluded": 0, "outside the subset's films": 2}
    assert report["subset"] == {"films": 2, "share": 1.0}


def test_a_share_keeps_what_ends_within_it_and_the_films_own_duration(run):
    report, tables = run(subset=SubsetParams(share=0.5))
    limit_s = 0.5 * 720 * 1001 / 24000
    lantern = tables["segments"].query("film_id == @LANTERN")
    assert lantern["segment_id"].tolist() == [
        f"{LANTERN}/annotator1/id_0",
        f"{LANTERN}/annotator2/id_1",
    ]
    cues = tables["cues"].query("film_id == @LANTERN")
    assert cues["cue_id"].tolist() == [11, 12, 13]
    assert (cues["end_s"] <= limit_s).all()
    films = tables["films"].set_index("film_id")
    assert films.loc[LANTERN, "duration_s"] == pytest.approx(2 * limit_s)
    assert report["dropped"]["segments"]["beyond the subset's share"] == 5


def test_a_share_that_a_segment_ends_exactly_at_keeps_it(run):
    share = (240 / 720) * (1 - 1e-15)
    kept = run(subset=SubsetParams(share=share))[1]["segments"]["segment_id"]
    assert f"{LANTERN}/annotator1/id_0" in set(kept)


def test_a_subset_of_another_corpus_leaves_empty_tables(run):
    report, tables = run(subset=SubsetParams(films=("tt9999999",)))
    assert report["kept"] == {"films": 0, "segments": 0, "cues": 0}
    assert all(table.empty for table in tables.values())


def test_films_that_params_name_and_the_release_does_not_know_are_all_reported(run, tmp_path):
    chosen = params(
        exclude=["tt7"],
        frame_rates={"tt8": 25},
        folds=[{"fold": 1, "test": [LANTERN, "tt9"], "validation": ["tt10"]}],
    )
    with pytest.raises(ParamsError) as caught:
        run(chosen)
    message = str(caught.value)
    assert "params.yaml has 4 problems" in message
    for line in (
        "corpora.mini.exclude: tt7 is no film of the release",
        "corpora.mini.frame_rates: tt8 is no film of the release",
        "corpora.mini.folds: fold 1: test: tt9 is no film of the release",
        "corpora.mini.folds: fold 1: validation: tt10 is no film of the release",
    ):
        assert line in message
    assert not (tmp_path / "out").exists()


def test_quirks_are_those_of_the_whole_release_whatever_is_left_out(run):
    whole = run()[0]["quirks"]
    assert run(params(exclude=[LANTERN]))[0]["quirks"] == whole


def test_the_same_release_gives_the_same_bytes(run, tmp_path):
    run()
    first = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    run()
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == first


def test_only_the_keys_that_ingest_needs_are_looked_at(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text(
        "corpora:\n  mini: {format: mobygaze, exclude: [], frame_rates: {}, folds: [],\n"
        "         release: x, encoders: nonsense}\n",
        encoding="utf-8",
    )
    assert load_section(IngestParams, "corpora.mini", path).format == "mobygaze"


def test_a_format_that_no_adapter_reads_is_an_error():
    with pytest.raises(ReleaseError, match="No adapter reads the format 'vhs'"):
        adapter("vhs")


def test_the_stage_runs_from_the_plan_and_says_in_one_line_what_it_made(
    miniature, tmp_path, project
):
    miniature.write(tmp_path / "releases" / "mini")
    (tmp_path / "plan.yaml").write_text(
        "plan: {corpora: {mini: {release: releases/mini}}}\n", encoding="utf-8"
    )
    (tmp_path / "params.yaml").write_text(
        "corpora:\n  mini: {format: mobygaze, exclude: [tt0000003], frame_rates: {}, folds: []}\n"
        "subset: {films: [], share: 1.0}\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, project / "stages" / "ingest.py", "mini"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(project / "src"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ingest@mini: 2 films, 6 segments, 7 cues; ")
    assert (tmp_path / "data/corpora/mini/segments.parquet").is_file()
