"""Empath categories: against the package itself, and on the real text."""

from __future__ import annotations

import numpy as np
import pytest
from empath import Empath

from gazeline.errors import StatisticsError
from gazeline.params.statistics import ConsistencyParams
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
