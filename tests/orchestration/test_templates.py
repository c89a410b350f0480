"""What `gazeline corpus add mobygaze` inserts makes a valid params file and a plan."""

from __future__ import annotations

import re

import pytest
from ruamel.yaml import YAML

from gazeline.orchestration.plan import expand
from gazeline.orchestration.templates import template_data
from gazeline.params.whole import load_params

FILMS_PER_FOLD = (4, 2)


@pytest.fixture(scope="module")
def template():
    return template_data("mobygaze")


@pytest.fixture(scope="module")
def merged(template, project, tmp_path_factory):
    data = YAML(typ="safe").load((project / "params.yaml").read_text(encoding="utf-8"))
    for section, entries in template.items():
        data.setdefault(section, {}).update(entries)
    path = tmp_path_factory.mktemp("merged") / "params.yaml"
    with path.open("w", encoding="utf-8") as file:
        YAML(typ="safe").dump(data, file)
    return load_params(path)


def test_the_merged_params_are_valid_and_hold_every_entry(merged, template):
    assert set(template) == {"corpora", "encoders", "experiments"}
    assert merged.corpora["mobygaze"].format == "mobygaze"
    assert set(template["encoders"]) <= set(merged.encoders)
    assert set(template["experiments"]) <= set(merged.experiments)


def test_without_copies_only_the_text_experiments_are_planned(merged):
    plan = expand(merged)["plan"]
    assert sorted(n for n in plan["experiments"] if n.startswith("mobygaze")) == [
        "mobygaze-speech-text",
        "mobygaze-speech-text-annotator1",
        "mobygaze-speech-text-kernel",
        "mobygaze-speech-text-logistic",
    ]
    assert "mobygaze-visual-video" in plan["left_out"]
    assert [r for r in plan["runs"] if r.startswith("mobygaze-speech-text-annotator1-")] == [
        f"mobygaze-speech-text-annotator1-{k}" for k in range(1, 6)
    ]


def test_every_film_is_tested_in_one_fold_and_none_twice_in_a_fold(merged):
    folds = merged.corpora["mobygaze"].folds
    assert [(len(f.test), len(f.validation)) for f in folds] == [FILMS_PER_FOLD] * 5
    tested = [film for fold in folds for film in fold.test]
    assert len(set(tested)) == len(tested) == 20


def test_the_folds_are_those_of_the_papers_table(merged, shared):
    paper = (shared / "papers" / "mobygaze_2505.22084v3.txt").read_text(encoding="utf-8")
    table = paper.partition("Table 17:")[2].partition("Table 18:")[0]
    rows = re.findall(r"(tt\d{7})[^0-9]*?\dh \d+min \d{4} [^0-9\n]+ (\d)(?: (\d))?\n", table)
    assert len(rows) == 20
    for fold in merged.corpora["mobygaze"].folds:
        assert set(fold.test) == {film for film, test, _ in rows if int(test) == fold.fold}
        assert set(fold.validation) == {f for f, _, v in rows if v and int(v) == fold.fold}
