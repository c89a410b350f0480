"""Empath categories of what is said in a segment (paper Sec. 3.2.2, textual speech concept)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import numpy as np

from gazeline.errors import StatisticsError
from gazeline.statistics.overlaps import Floats

WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")


def words_of(text: str) -> list[str]:
    """Return the words of a text, lower-cased, without punctuation.

    >>> words_of("I don’t KNOW... (sighs)")
    ['i', "don't", 'know', 'sighs']
    """
    return WORD.findall(text.lower().replace("’", "'"))


def empath_lexicon(categories: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return the terms of Empath's categories.

    Raises:
        StatisticsError: a name is no category of Empath.
    """
    from empath import Empath

    known: Mapping[str, list[str]] = Empath().cats
    unknown = [name for name in categories if name not in known]
    if unknown:
        close = get_close_matches(unknown[0], list(known), n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise StatisticsError(
            f"no Empath category: {', '.join(unknown)}{hint}",
            where="the category list",
            todo="correct or remove the name",
        )
    return {name: frozenset(known[name]) for name in categories}


def category_shares(texts: Sequence[str], lexicon: Mapping[str, frozenset[str]]) -> Floats:
    """Return the share of each text's words that is in each category, shape [n, categories].

    This is Empath's normalised count with words split by `words_of`. A text without words is NaN:
    it says nothing, which is not the same as saying nothing of a category.
    """
    names = list(lexicon)
    categories_of: dict[str, list[int]] = {}
    for column, name in enumerate(names):
        for term in lexicon[name]:
            categories_of.setdefault(term, []).append(column)
    shares = np.zeros((len(texts), len(names)))
    for row, text in enumerate(texts):
        words = words_of(text)
        for word, count in Counter(words).items():
            for column in categories_of.get(word, ()):
                shares[row, column] += count
        shares[row] = shares[row] / len(words) if words else np.nan
    return shares
