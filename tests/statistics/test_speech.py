"""Empath categories: against the package itself, and on the real text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from empath import Empath

from gazeline.errors import StatisticsError
from gazeline.params.statistics import ConsistencyParams
from gazeline.statistics.annotations import concept_matrix
from gazeline.statistics.consistency.hypotheses import compare, family_metrics, n_significant
from gazeline.statistics.consistency.parts import speech_part
from gazeline.statistics.consistency.speech import category_shares, empath_lexicon, words_of
from gazeline.statistics.consistency.word_lists import read_categories
from statistics_tables import released_segments


@pytest.fixture(scope="module")
def categories(project):
    return read_categories(project / "stages" / "empath_categories.yaml")


def test_words_are_lower_case_without_punctuation():
    assert words_of("She's a WOMAN — isn’t she?\n'Tis 1 thing") == [
        "she's", "a", "woman", "isn't", "she", "tis", "thing",
    ]  # fmt: skip
    assert words_of("... 12!") == []


def test_shares_equal_empaths_own(categories):
    texts = ["She is a beautiful woman, and he hates her dress.", "Fight! Fight for your money"]
    found = category_shares(texts, empath_lexicon(categories))
    for row, text in zip(found, texts, strict=True):
        own = Empath().analyze(
            text, categories=list(categories), tokenizer=words_of, normalize=True
        )
        np.testing.assert_allclose(row, [own[name] for name in categories])
    assert found.any()


def test_empaths_own_splitting_misses_words_beside_punctuation_and_capitals(categories):
    text = "Woman! Is she a woman, or a woman too?"
    own = Empath().analyze(text, categories=["feminine"])
    assert own == {"feminine": 1.0}
    shares = category_shares([text], empath_lexicon(["feminine"]))
    assert shares[0, 0] == pytest.approx(3 / 9)


@pytest.mark.slow
def test_fewer_categories_go_with_speech_by_empaths_own_splitting(shared, categories):
    """The numbers of docs/consistency.md."""
    table = released_segments(shared)
    table = table[table["annotator"] == "annotator1"]
    own = Empath()
    found = [
        own.analyze(text, categories=list(categories), normalize=True)
        for text in table["text_released"]
    ]
    rows = [f is not None for f in found]
    assert sum(rows) == 2097
    values = pd.DataFrame([f for f in found if f]).to_numpy()
    has = concept_matrix(table, ["Speech"])[rows, 0]
    family = family_metrics({c: compare(values[:, k], has) for k, c in enumerate(categories)})
    assert n_significant(family, 0.05) == 23
    part = speech_part(table, table["text_released"], ["Speech"], categories, ConsistencyParams())
    ours = part.metrics["released_text"]["tested"]["annotator1"]["Speech"]
    assert (ours["n_significant"], ours["n_tested"]) == (34, 71)


def test_a_text_without_words_says_nothing():
    found = category_shares(["", "!", "love"], empath_lexicon(["love", "war"]))
    assert np.isnan(found[:2]).all()
    assert list(found[2]) == [1.0, 0.0]


def test_an_unknown_category_is_an_error_with_a_suggestion():
    with pytest.raises(StatisticsError, match="feminin; did you mean feminine"):
        empath_lexicon(["love", "feminin"])


def test_the_list_is_as_long_as_the_papers(categories):
    assert len(categories) == 71
    assert len(empath_lexicon(categories)) == 71


def test_categories_the_paper_names_go_with_speech_on_the_release(shared, categories):
    """Fig. 4: feminine, negative emotion, sexual, appearance for both; family, childish for one."""
    segments = released_segments(shared)
    part = speech_part(
        segments, segments["text_released"], ["Speech"], categories, ConsistencyParams()
    )
    found = part.metrics["released_text"]["annotators"]
    for name in ("feminine", "negative_emotion", "sexual", "appearance"):
        for annotator in ("annotator1", "annotator2"):
            entry = found[annotator]["Speech"][name]
            assert entry["q"] < 0.05
            assert entry["effect"] > 0
    for name in ("family", "childish"):
        assert found["annotator1"]["Speech"][name]["q"] < 0.05
        assert found["annotator2"]["Speech"][name]["q"] > 0.05
    counts = found["annotator1"]["Speech"]["feminine"]
    empty = part.metrics["released_text"]["n_without_words"]
    both = counts["n_positive"] + counts["n_negative"]
    other = found["annotator2"]["Speech"]["feminine"]
    assert both + other["n_positive"] + other["n_negative"] + empty == 6072
