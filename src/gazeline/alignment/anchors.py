"""Anchors: cues of the corpus and of the copy that speak the same rare words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from statistics import fmean

import numpy as np

from gazeline.alignment.dialogue import Floats, Ints, Words

WORDS_IN_A_ROW = 3
MOST_OCCURRENCES = 2
# Words further apart than this are not one phrase.
LONGEST_PHRASE_S = 12.0
# Two cues with five words in a row are the same line; more words add nothing.
MOST_WEIGHT = 3.0

Phrases = dict[tuple[str, ...], list[int]]
# A word's index in the corpus, in the copy, and its weight.
SharedWord = tuple[int, int, float]


@dataclass(frozen=True)
class Anchors:
    """Pairs of cues, sorted by annotation time; all arrays have shape [n].

    `annotation_s` and `copy_s` are the times of the edges that the two cues have in common, which
    are exact, else the mean times of the words they share; `weight` is the number of phrases they
    share, up to `MOST_WEIGHT`, where a phrase that occurs more than once counts for less; `cue`
    is the corpus cue.
    """

    annotation_s: Floats
    copy_s: Floats
    weight: Floats
    cue: Ints

    def __len__(self) -> int:
        return len(self.annotation_s)


def find_anchors(corpus: Words, copy: Words) -> Anchors:
    """Pair the cues that share phrases of three words which occur at most twice on each side."""
    ours, theirs = _rare_phrases(corpus), _rare_phrases(copy)
    pairs: dict[tuple[int, int], list[SharedWord]] = defaultdict(list)
    for phrase, places in ours.items():
        others = theirs.get(phrase, ())
        for i, j in product(places, others):
            weight = 1.0 / (len(places) * len(others))
            for k in range(WORDS_IN_A_ROW):
                pair = (int(corpus.cue[i + k]), int(copy.cue[j + k]))
                pairs[pair].append((i + k, j + k, weight))
    rows = sorted(_anchor(corpus, copy, *pair, shared) for pair, shared in pairs.items())
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return Anchors(table[:, 0], table[:, 1], table[:, 2], table[:, 3].astype(np.int64))


def _rare_phrases(words: Words) -> Phrases:
    """Return where each phrase starts, without the phrases that occur too often."""
    places: Phrases = defaultdict(list)
    n = WORDS_IN_A_ROW
    for i in range(len(words.text) - n + 1):
        if words.time_s[i + n - 1] - words.time_s[i] <= LONGEST_PHRASE_S:
            places[words.text[i : i + n]].append(i)
    return {phrase: found for phrase, found in places.items() if len(found) <= MOST_OCCURRENCES}


def _anchor(
    corpus: Words, copy: Words, ours: int, theirs: int, shared: list[SharedWord]
) -> tuple[float, float, float, int]:
    """Make one anchor of all that two cues share; each word of a phrase brings a third of it."""
    weight = min(MOST_WEIGHT, sum(w for _, _, w in shared) / WORDS_IN_A_ROW)
    edges = _common_edges(corpus, copy, ours, theirs, {(i, j) for i, j, _ in shared})
    if not edges:
        edges = [(float(corpus.time_s[i]), float(copy.time_s[j])) for i, j, _ in shared]
    return fmean(a for a, _ in edges), fmean(b for _, b in edges), weight, ours


def _common_edges(
    corpus: Words, copy: Words, ours: int, theirs: int, shared: set[tuple[int, int]]
) -> list[tuple[float, float]]:
    """Return the starts, if both cues begin with the same word, and the ends, if they so end.

    Words within cues of different length are spread differently; edges are what was timed.
    """
    edges = []
    if (corpus.first[ours], copy.first[theirs]) in shared:
        edges.append((float(corpus.cue_start_s[ours]), float(copy.cue_start_s[theirs])))
    if (corpus.first[ours + 1] - 1, copy.first[theirs + 1] - 1) in shared:
        edges.append((float(corpus.cue_end_s[ours]), float(copy.cue_end_s[theirs])))
    return edges
