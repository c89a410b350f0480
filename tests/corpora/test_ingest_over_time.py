"""Whole small releases of the MediaEval corpora through ingest."""

from __future__ import annotations

import json

import pytest

from gazeline.corpora.ingest import ingest
from gazeline.corpora.vsd2011.titles import TEST, TRAINING
from gazeline.orchestration.templates import template_data
from gazeline.params.corpora import CorpusParams
from gazeline.params.subset import SubsetParams
from gazeline.schema.annotations import FILMS, FOLDS
from gazeline.schema.temporal import ANNOTATED, EVENTS, SERIES, SHOTS
from gazeline.tables import read_frame


def violence(folder):
    for number, title in enumerate((*TRAINING, *TEST)):
        events = "100 199\n" if number % 2 else ""
        (folder / f"{title.film_id}_violence.txt").write_text(events)
        (folder / f"{title.film_id}_shots.txt").write_text("0 99\n100 999\n")


def affect(folder):
    rows = "".join(f"{s}\t0.1\t-0.2\n" for s in range(10))
    for number in range(66):
        name = f"MEDIAEVAL18_{number:02d}"
        (folder / f"{name}_Valence-Arousal.txt").write_text("Time\tValence\tArousal\n" + rows)
        if not 44 <= number < 54:
            (folder / f"{name}_Fear.txt").write_text("2 5\n" if number % 2 else "")


@pytest.mark.parametrize(
    ("corpus", "write", "sizes"),
    [
        ("vsd2011", violence, {"films": 15, "events": 7, "shots": 30, "series": 0, "looked": 15}),
        ("eim2018", affect, {"films": 66, "events": 28, "shots": 0, "series": 1320, "looked": 56}),
    ],
)
def test_a_release_becomes_tables_an_audit_and_folds(tmp_path, corpus, write, sizes):
    folder, out = tmp_path / "release", tmp_path / "out"
    folder.mkdir()
    write(folder)
    params = CorpusParams.model_validate(template_data(corpus)["corpora"][corpus])
    report = ingest(corpus, folder, params, SubsetParams(), out)
    tables = {"films": FILMS, "events": EVENTS, "shots": SHOTS, "series": SERIES,
              "looked": ANNOTATED}  # fmt: skip
    found = {}
    for name, spec in tables.items():
        found[name] = len(read_frame(out / spec.path.rsplit("/", 1)[1], spec))
    assert found == sizes
    assert json.loads((out / "ingest.json").read_text()) == report
    page = (out / "audit.md").read_text()
    assert "by its own terms" in page
    assert "obtained from their owners" in page
    folds = read_frame(out / "folds.parquet", FOLDS)
    test = folds[(folds["fold"] == 1) & (folds["split"] == "test")]
    assert len(test) == (3 if corpus == "vsd2011" else 12)
    durations = read_frame(out / "films.parquet", FILMS)["duration_s"]
    assert durations.unique().tolist() == [40.0 if corpus == "vsd2011" else 10.0]


def test_a_share_of_the_films_leaves_out_what_ends_later(tmp_path):
    folder, out = tmp_path / "release", tmp_path / "out"
    folder.mkdir()
    affect(folder)
    params = CorpusParams.model_validate(template_data("eim2018")["corpora"]["eim2018"])
    report = ingest("eim2018", folder, params, SubsetParams(share=0.5), out)
    assert report["kept"]["series"] == 660
    assert report["dropped"]["series"]["beyond the subset's share"] == 660
