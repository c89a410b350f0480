"""Levels, concepts and annotators of MObyGaze, and the spellings its files have for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

LEVELS = {
    "easy negative": "EN",
    "hard negative": "HN",
    "not sure": "NS",
    "sure": "S",
}
CONCEPTS = (
    "Type of shot",
    "Look",
    "Body",
    "Clothing",
    "Posture",
    "Appearance",
    "Exp of emotion",
    "Activities",
    "Speech",
    "Voice",
    "Soundtrack",
)
VARIANTS = {
    "clothes": "Clothing",
    "expression of emotion": "Exp of emotion",
    "type of plan": "Type of shot",
}
_CANONICAL = {name.casefold(): name for name in CONCEPTS} | VARIANTS
_ANNOTATOR = re.compile(r"annotator[_ ]?(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SortedConcepts:
    """A released concept list: distinct concepts and tags, and how many entries said it again."""

    concepts: tuple[str, ...]
    tags: tuple[str, ...]
    repeated: int


def level(label: str) -> str | None:
    """Return EN, HN, NS or S for a label as released, or None for any other.

    >>> level("Not sure"), level("Maybe")
    ('NS', None)
    """
    return LEVELS.get(_plain(label))


def concept(name: str) -> str | None:
    """Return the canonical spelling of a concept, or None for one outside the thesaurus.

    >>> concept("Exp of  emotion"), concept("Narratology")
    ('Exp of emotion', None)
    """
    return _CANONICAL.get(_plain(name))


def annotator(name: str) -> str:
    """Return the canonical name of an annotator.

    >>> annotator("annotator_1"), annotator("Annotator2")
    ('annotator1', 'annotator2')
    """
    match = _ANNOTATOR.fullmatch(name.strip())
    return f"annotator{match[1]}" if match else name.strip()


def sort_concepts(names: Iterable[str]) -> SortedConcepts:
    """Return the distinct concepts and tags of a released list, sorted.

    >>> sort_concepts(["Clothes", "Clothing", "Narratology"])
    SortedConcepts(concepts=('Clothing',), tags=('Narratology',), repeated=1)
    """
    listed = [name.strip() for name in names]
    concepts = {c for c in map(concept, listed) if c is not None}
    tags = {name for name in listed if name and concept(name) is None}
    entries = sum(bool(name) for name in listed)
    return SortedConcepts(
        tuple(sorted(concepts)), tuple(sorted(tags)), entries - len(concepts) - len(tags)
    )


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
