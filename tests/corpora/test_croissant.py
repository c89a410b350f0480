"""A release's Croissant file is read by the format's own reader; ours has no errors."""

from __future__ import annotations

import copy
import hashlib
import json
import subprocess
import sys

import mlcroissant as mlc
import pyarrow.parquet as pq
import pytest

from gazeline.corpora.croissant.context import CONFORMS_TO, CONTEXT
from gazeline.corpora.croissant.describe import TABLES
from gazeline.corpora.croissant.validation import Verdict, validate
from gazeline.corpora.ingest import ingest
from gazeline.corpora.mobygaze.about import MOBYGAZE
from gazeline.corpora.mobygaze.adapter import read_release
from gazeline.corpora.release import About
from gazeline.params.corpora import IngestParams
from gazeline.params.sample import SampleParams
from gazeline.params.subset import SubsetParams
from gazeline.sample.release import write_release
from gazeline.sample.story import tell

LANTERN, CRASH = "tt0000001", "tt0000002"
FOLD = {"fold": 1, "test": [LANTERN], "validation": [CRASH]}
RECOMMENDED = {"datePublished", "version"}
RIGHT = {
    "@context": CONTEXT,
    "@type": "sc:Dataset",
    "conformsTo": CONFORMS_TO,
    "name": "MObyGaze",
    "description": "as it should be",
    "license": "https://creativecommons.org/licenses/by-nc-sa/4.0/",
    "url": "https://example.org",
    "distribution": [
        {
            "@type": "cr:FileObject",
            "@id": "csv",
            "name": "csv",
            "contentUrl": "mobygaze_dataframe.csv",
            "encodingFormat": "text/csv",
            "sha256": "0" * 64,
        }
    ],
}


@pytest.fixture
def described(miniature, tmp_path):
    """Return a function that ingests the miniature and gives the path of its description."""

    def written(subset=None, croissant=None):
        if croissant is not None:
            miniature.files["metadata.json"] = json.dumps(croissant)
        values = {"format": "mobygaze", "exclude": [], "frame_rates": {}, "folds": [FOLD]}
        params = IngestParams.model_validate(values)
        folder = miniature.write(tmp_path / "release")
        ingest("mini", folder, params, subset or SubsetParams(), tmp_path / "out")
        return tmp_path / "out" / "croissant.json"

    return written


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def missing(verdict):
    return {warning.split('"')[1].rpartition("/")[2] for warning in verdict.warnings}


def quirks_of(miniature, croissant, folder):
    miniature.files["metadata.json"] = json.dumps(croissant)
    release = read_release(miniature.write(folder), {})
    return {quirk.name: quirk for quirk in release.quirks}, release


def test_our_description_has_no_errors_and_lacks_only_what_is_not_known(described):
    verdict = validate(load(described(croissant=RIGHT)))
    assert (verdict.errors, verdict.stopped) == ((), None)
    assert missing(verdict) == RECOMMENDED


def test_a_corpus_whose_terms_are_not_known_states_none(described):
    content = load(described())
    verdict = validate(content)
    assert (verdict.errors, verdict.stopped) == ((), None)
    assert missing(verdict) == RECOMMENDED | {"license", "citeAs"}
    assert not {"license", "citeAs", "url"} & content.keys()


def test_the_terms_of_mobygaze_are_the_papers(described):
    content = load(described(croissant=RIGHT))
    assert content["license"] == MOBYGAZE.licence
    assert "2505.22084" in content["citeAs"]
    assert "nor commercially" in content["description"]


def test_the_reader_gives_every_record_back_from_our_description(described):
    path = described()
    dataset = mlc.Dataset(str(path))
    for spec in TABLES:
        rows = pq.read_table(path.with_name(f"{spec.name}.parquet")).to_pylist()
        records = list(dataset.records(spec.name))
        assert [_decoded(record, spec.name) for record in records] == rows


def _decoded(record, table):
    return {key.removeprefix(f"{table}/"): _text(value) for key, value in record.items()}


def _text(value):
    if isinstance(value, list):
        return [_text(each) for each in value]
    return value.decode() if isinstance(value, bytes) else value


def test_the_reader_refuses_a_table_that_was_changed_afterwards(described):
    path = described()
    with path.with_name("films.parquet").open("ab") as file:
        file.write(b"x")
    with pytest.raises(mlc.GenerationError) as caught:
        list(mlc.Dataset(str(path)).records("films"))
    assert "not identical" in str(caught.value.__cause__)


def test_every_column_is_described_and_every_file_hashed(described):
    path = described()
    content = load(path)
    fields = {r["name"]: [f["name"] for f in r["field"]] for r in content["recordSet"]}
    assert fields == {spec.name: [c.name for c in spec.columns] for spec in TABLES}
    assert all(f["description"] for r in content["recordSet"] for f in r["field"])
    for file in content["distribution"]:
        data = path.with_name(file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
        assert file["contentSize"] == f"{len(data)} B"


def test_a_description_of_a_subset_says_so_and_of_none_of_the_films_is_valid(described):
    content = load(described(SubsetParams(films=("tt9999999",))))
    assert "SUBSET: 1 films" in content["description"]
    assert validate(content).errors == ()


def test_nothing_of_this_machine_is_in_the_description(described, tmp_path):
    assert str(tmp_path) not in described().read_text(encoding="utf-8")


def test_our_context_is_the_standard_one():
    assert mlc.Rdf().context == CONTEXT


def test_a_right_croissant_file_has_no_errors(miniature, tmp_path):
    quirks, release = quirks_of(miniature, RIGHT, tmp_path)
    names = ("croissant_errors", "croissant", "licence")
    assert [quirks[name].count for name in names] == [0, 0, 0]
    assert release.about == MOBYGAZE


def test_errors_of_a_croissant_file_are_reported_in_the_readers_words(miniature, tmp_path):
    wrong = copy.deepcopy(RIGHT) | {"datePublished": "7 June 2024", "licence": "CC-BY [update]"}
    del wrong["license"]
    del wrong["distribution"][0]["contentUrl"]
    quirks, _ = quirks_of(miniature, wrong, tmp_path)
    errors = quirks["croissant_errors"]
    assert errors.count == len(errors.examples) == 2
    assert any("7 June 2024" in example for example in errors.examples)
    assert any("contentUrl" in example for example in errors.examples)
    assert quirks["licence"].examples == (
        "'CC-BY [update]' in the file, CC BY-NC-SA 4.0 in the paper",
    )


def test_a_context_without_standard_entries_is_a_warning():
    context = {key: value for key, value in CONTEXT.items() if key not in ("rai", "column")}
    warnings = validate(RIGHT | {"@context": context}).warnings
    assert "The @context lacks column, rai of the standard one" in warnings


@pytest.mark.parametrize(
    "change",
    [
        {"@context": "https://schema.org"},
        {"@context": [CONTEXT, "https://127.0.0.1:9/context"]},
        {"@context": CONTEXT | {"@import": "https://127.0.0.1:9/context"}},
        {"creator": {"@context": "https://127.0.0.1:9/context"}},
    ],
)
def test_a_context_at_another_address_is_not_fetched(change):
    assert validate(RIGHT | change).stopped == (
        "a @context stands at another address, which is not fetched"
    )


def test_a_release_of_another_name_has_no_terms_of_mobygaze(miniature, tmp_path):
    other = RIGHT | {"name": "other", "license": "https://example.org/terms"}
    quirks, release = quirks_of(miniature, other, tmp_path)
    terms = {"licence": "https://example.org/terms", "url": "https://example.org"}
    assert release.about == About("other", **terms, citation="", conditions="")
    assert "licence" not in quirks


@pytest.mark.parametrize("licence", [None, "CC-BY [update]", "https://<b>", ["https://a.org"]])
def test_a_licence_that_is_no_address_is_not_handed_on(miniature, tmp_path, licence):
    _, release = quirks_of(miniature, RIGHT | {"name": "other", "license": licence}, tmp_path)
    assert release.about is None


def test_the_samples_own_file_is_valid_and_its_licence_is_handed_on(tmp_path):
    params = SampleParams(seconds=10)
    write_release(tell(params), params, tmp_path / "release")
    content = load(tmp_path / "release" / "metadata.json")
    assert validate(content) == Verdict((), ())
    for file in content["distribution"]:
        data = (tmp_path / "release" / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
    values = {"format": "mobygaze", "exclude": [], "frame_rates": {}, "folds": []}
    ingest("sample", tmp_path / "release", IngestParams.model_validate(values), SubsetParams(),
           tmp_path / "out")  # fmt: skip
    ours = load(tmp_path / "out" / "croissant.json")
    assert ours["license"] == content["license"]
    assert "None" not in ours["description"]
    assert validate(ours).errors == ()
    page = (tmp_path / "out" / "audit.md").read_text(encoding="utf-8")
    assert f"under the licence <{content['license']}>.\n" in page


@pytest.mark.parametrize(
    "content",
    [
        [],
        7,
        {},
        {"@context": "https://schema.org"},
        {"@context": CONTEXT, "@type": "sc:Dataset", "name": 5, "distribution": 7},
        {"@context": CONTEXT, "@type": "sc:Dataset", "x": [[1]], "recordSet": {"field": None}},
        RIGHT | {"recordSet": [{"@type": "cr:RecordSet", "@id": "a", "field": {"@id": "a"}}]},
    ],
)
def test_a_file_that_the_reader_cannot_make_sense_of_does_not_stop_ingest(
    miniature, tmp_path, content
):
    quirks, _ = quirks_of(miniature, content, tmp_path)
    errors = quirks["croissant_errors"]
    assert errors.count or errors.unknown


def test_the_verdict_is_the_same_in_every_process(tmp_path):
    """Names in sets come in another order under another hash seed."""
    path = tmp_path / "metadata.json"
    nameless = {"@type": "cr:RecordSet", "field": [{"@type": "cr:Field"}, {"@id": "films"}]}
    broken = {**RIGHT, "datePublished": "x", "version": {"@id": "a b"}, "recordSet": [nameless]}
    broken["@context"] = {key: CONTEXT[key] for key in CONTEXT if key not in ("rai", "column")}
    path.write_text(json.dumps(broken), encoding="utf-8")
    code = (
        "import json, sys; from gazeline.corpora.croissant.validation import Verdict, validate;"
        "print(validate(json.load(open(sys.argv[1]))))"
    )
    answers = [
        subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in ("1", "2")
    ]
    assert answers[0].stdout == answers[1].stdout
    assert "file://" not in answers[0].stdout
    assert [answer.stderr for answer in answers] == ["", ""]


def test_a_release_without_a_croissant_file_does_not_load_the_reader(miniature, tmp_path):
    folder = miniature.write(tmp_path)
    code = (
        "import sys; from pathlib import Path;"
        "from gazeline.corpora.mobygaze.adapter import read_release;"
        "read_release(Path(sys.argv[1]), {}); print('mlcroissant' in sys.modules)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "False"
