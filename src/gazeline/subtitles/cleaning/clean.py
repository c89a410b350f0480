"""Apply cleaning rules to cue texts and count how often each changed one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gazeline.subtitles.cleaning.rules import Rule


@dataclass(frozen=True)
class Cleaned:
    """Texts after cleaning, in the order given, and the texts each rule changed."""

    texts: tuple[str, ...]
    fired: dict[str, int]


def clean(texts: Iterable[str], rules: Sequence[Rule]) -> Cleaned:
    """Apply `rules` in order to each text.

    >>> from gazeline.subtitles.cleaning.rules import RULES
    >>> clean(["<i>Oh</i>", "No"], RULES).fired["tags"]
    1
    """
    fired = {rule.name: 0 for rule in rules}
    cleaned = []
    for text in texts:
        for rule in rules:
            after = rule.apply(text)
            fired[rule.name] += after != text
            text = after
        cleaned.append(text)
    return Cleaned(tuple(cleaned), fired)
