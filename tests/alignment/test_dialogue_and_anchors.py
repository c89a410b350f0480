"""Words with times, and the cues that share rare ones."""

from __future__ import annotations

import pytest

from gazeline.alignment.anchors import find_anchors
from gazeline.alignment.dialogue import spoken_words, words_of
from gazeline.subtitles.reading.read import Cue


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<i>I can’t, Mary!</i>", ["i", "cant", "mary"]),
        ("{\\an8}MAN: Go. [DOOR SLAMS]\nJohn Smith: No (sighs)", ["go", "no"]),
        ("At 5:30: the café", ["at", "5", "30", "the", "cafe"]),
        ("♪ La la ♪", ["la", "la"]),
        ("右に見える", ["右", "に", "見", "え", "る"]),
        ("- ...", []),
    ],
)
def test_only_what_is_spoken_counts(text, words):
    assert spoken_words(text) == words


def test_words_share_the_time_of_their_cue_by_their_letters():
    words = words_of([Cue(10.0, 20.0, "abc d ef")])
    # Letters and a space each: 4, 2 and 3 of 9 parts of 10 s.
    assert words.time_s == pytest.approx([10 + 20 / 9, 10 + 50 / 9, 10 + 75 / 9])


def test_anchor_is_the_mean_time_of_the_words_two_cues_share():
    corpus = words_of([Cue(0.0, 4.0, "aa bb cc dd")])
    copy = words_of([Cue(100.0, 104.0, "aa bb cc dd"), Cue(110.0, 114.0, "xx yy zz")])
    anchors = find_anchors(corpus, copy)
    assert anchors.annotation_s == pytest.approx([2.0])
    assert anchors.copy_s == pytest.approx([102.0])
    assert anchors.weight == pytest.approx([2.0])


def test_phrase_said_three_times_is_no_anchor_and_one_said_twice_counts_for_less():
    three = words_of([Cue(30.0 * i, 30.0 * i + 2, "come over here") for i in range(3)])
    twice = words_of([Cue(30.0 * i, 30.0 * i + 2, "come over here") for i in range(2)])
    assert len(find_anchors(three, twice)) == 0
    both = find_anchors(twice, twice)
    assert both.weight == pytest.approx([0.25] * 4)


def test_cue_split_in_two_is_matched_in_both_halves():
    corpus = words_of([Cue(0.0, 8.0, "aa bb cc dd ee ff gg hh")])
    copy = words_of([Cue(0.0, 4.0, "aa bb cc dd"), Cue(4.0, 8.0, "ee ff gg hh")])
    anchors = find_anchors(corpus, copy)
    assert len(anchors) == 2
    assert anchors.annotation_s == pytest.approx(anchors.copy_s)
