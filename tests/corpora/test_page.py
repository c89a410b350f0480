"""The audit's page says in words what ingest.json holds."""

from __future__ import annotations

import json

import pytest

from gazeline.corpora.ingest import ingest
from gazeline.corpora.mobygaze.adapter import read_release
from gazeline.corpora.mobygaze.treatment import DONE
from gazeline.params.corpora import IngestParams
from gazeline.params.subset import SubsetParams

CRASH, AWAY = "tt0000002", "tt0000003"


@pytest.fixture
def lines(miniature, tmp_path):
    """Return a function that ingests the miniature and gives the lines of its page."""

    def written(subset=None, **changes):
        values = {"format": "mobygaze", "exclude": [], "frame_rates": {}, "folds": []}
        params = IngestParams.model_validate(values | changes)
        folder = miniature.write(tmp_path / "release")
        ingest("mini", folder, params, subset or SubsetParams(), tmp_path / "out")
        return (tmp_path / "out" / "audit.md").read_text(encoding="utf-8").splitlines()

    return written


def test_a_quirk_has_its_count_share_treatment_and_example(lines):
    page_lines = lines()
    at = page_lines.index(
        "- **1 segment of 7 (14.3 %):** end_clip that is not end_frame // 16. [end_clip]"
    )
    assert page_lines[at + 1 : at + 3] == [
        "  *Repaired*: the column is not used, windows are computed from frames.",
        "  For example `tt0000001/annotator1/id_1: 29, not 30`",
    ]


def test_what_was_read_kept_and_left_out_is_counted(lines):
    page_lines = lines(exclude=[AWAY])
    assert "- mobygaze_dataframe.csv: 7 rows (generation new)" in page_lines
    assert "| films | 3 | 2 | 1 excluded |" in page_lines
    assert "| cues | 7 | 7 | none |" in page_lines
    assert "| S (Sure) | 2 | 33.3 % |" in page_lines
    assert any("1 cues of films without annotations" in line for line in page_lines)


def test_a_page_of_a_subset_says_so(lines):
    page_lines = lines(SubsetParams(films=(CRASH,), share=0.5))
    assert any("a subset only: 1 films, the first 50%" in line for line in page_lines)


def test_what_could_not_be_looked_for_is_named_with_the_reason(lines):
    unknown = [line for line in lines() if line.startswith("- Could not be looked for, since")]
    assert [line.split(":")[0].split("since ")[1] for line in unknown] == [
        "objectification-thesaurus.json is not there",
        "metadata.json is not there",
    ]
    assert "mlcroissant" in unknown[1]


def test_every_quirk_that_was_found_is_on_the_page(lines, tmp_path):
    text = "\n".join(lines())
    report = json.loads((tmp_path / "out" / "ingest.json").read_text(encoding="utf-8"))
    for name, entry in report["quirks"].items():
        assert (f"[{name}]" in text) == bool(entry["count"])
        assert entry["meaning"] in text


def test_examples_cannot_break_the_page(miniature, lines):
    miniature.replace("sql_files/tractive_subtitles.sql", "<i>Hello.</i>", "<i>`a` | *b*</i>")
    assert "  For example `` tt0000001 cue 11: '<i>`a` | *b*</i>' ``" in lines()


def test_why_something_is_unknown_cannot_break_the_page(miniature, lines):
    miniature.files["metadata.json"] = '{"@context": {}, "<b>": [[1]]}'
    miniature.files["objectification-thesaurus.json"] = "<i>"
    text = "\n".join(lines())
    assert "objectification-thesaurus.json is not JSON" in text
    assert "mlcroissant breaks off" in text
    assert "<" not in text.replace("For example `", "").partition("### Files")[2]


def test_an_empty_subset_has_a_page_too(lines):
    page_lines = lines(SubsetParams(films=("tt9999999",)))
    assert "| segments | 7 | 0 | 7 outside the subset's films |" in page_lines


def test_what_was_done_is_worded_for_every_quirk_of_both_generations(
    miniature, old_miniature, tmp_path
):
    seen = {"licence"}
    for index, each in enumerate((miniature, old_miniature)):
        quirks = read_release(each.write(tmp_path / str(index)), {}).quirks
        assert all(quirk.part and quirk.done for quirk in quirks)
        seen |= {quirk.name for quirk in quirks}
    assert set(DONE) == seen
