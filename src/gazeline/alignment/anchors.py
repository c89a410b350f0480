"""Anchors: cues of the corpus and of the copy that speak the same rare words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from gazeline.alignment.dialogue import Floats, Ints, Words

WORDS_IN_A_ROW = 3
MOST_OCCURRENCES = 2
# Words further apart than this are not one phrase.
LONGEST_PHRASE_S = 12.0
# Two cues with five words in a row are the same line; more words add nothing.
MOST_WEIGHT = 3.0

Phrases = dict[tuple[str, ...], list[int]]


@dataclass(frozen=True)
class Anchors:
    """Pairs of cues, sorted by annotation time; all arrays have shape [n].

    `annotation_s` and `copy_s` are the mean times of the words the two cues share; `weight` is
    the number of phrases they share, up to `MOST_WEIGHT`, where a phrase that occurs more than
    once counts for less; `cue` is the corpus cue.
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
    pairs: dict[tuple[int, int], list[tuple[float, float, float]]] = defaultdict(list)
    for phrase, places in ours.items():
        others = theirs.get(phrase)
        if others is None:
            continue
        weight = 1.0 / (len(places) * len(others))
        for i in places:
            for j in others:
                for k in range(WORDS_IN_A_ROW):
                    pair = (int(corpus.cue[i + k]), int(copy.cue[j + k]))
                    pairs[pair].append((corpus.time_s[i + k], copy.time_s[j + k], weight))
    return _merged(pairs)


def _rare_phrases(words: Words) -> Phrases:
    """Return where each phrase starts, without the phrases that occur too often."""
    places: Phrases = defaultdict(list)
    n = WORDS_IN_A_ROW
    for i in range(len(words.text) - n + 1):
        if words.time_s[i + n - 1] - words.time_s[i] <= LONGEST_PHRASE_S:
            places[words.text[i : i + n]].append(i)
    return {phrase: found for phrase, found in places.items() if len(found) <= MOST_OCCURRENCES}


def _merged(pairs: dict[tuple[int, int], list[tuple[float, float, float]]]) -> Anchors:
    """Make one anchor of all that two cues share; each word of a phrase brings a third of it."""
    rows = []
    for (cue, _), shared in pairs.items():
        table = np.array(shared)
        mean = np.average(table[:, :2], axis=0, weights=table[:, 2])
        weight = min(MOST_WEIGHT, float(table[:, 2].sum()) / WORDS_IN_A_ROW)
        rows.append((mean[0], mean[1], weight, cue))
    rows.sort()
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return Anchors(table[:, 0], table[:, 1], table[:, 2], table[:, 3].astype(np.int64))
