"""Sentences of the sample films: a small grammar of lines about looks, and about all else.

No sentence is said twice, so a model can only tell the lines of another film by their words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

TAILS = (
    "",
    ", my friend",
    ", they say",
    ", I swear",
    ", believe me",
    ", you know",
    ", as always",
    ", do you not think so",
    ", I tell you",
    ", for once",
)

Slots = tuple[tuple[str, ...], ...]

OBJECTIFYING: tuple[Slots, ...] = (
    (
        ("Look at her in that", "She looks so pretty in that", "I like her better in that"),
        ("tight", "short", "little", "silk", "thin"),
        ("dress", "skirt", "gown", "blouse"),
    ),
    (
        ("What lovely", "Look at those pretty", "Such long, bare", "I only see her soft"),
        ("legs", "lips", "hips", "shoulders", "curves"),
        ("she has", "on that girl", "under the dress", "in that skirt"),
    ),
    (
        ("A pretty girl", "A woman with such curves", "A doll in that dress"),
        ("should smile more", "is made to be looked at", "does not need to think"),
    ),
    (
        ("Turn around and show", "Come here and show", "Do not hide"),
        ("me those", "us your", "him your pretty"),
        ("legs", "hips", "shoulders", "lips"),
    ),
)

PLAIN: tuple[Slots, ...] = (
    (
        ("The train", "The tram", "The ferry", "The last bus"),
        ("leaves", "comes in", "stops here", "turns around"),
        ("at six", "at noon", "after nine", "before the storm"),
    ),
    (
        ("Look at the", "I do not like the", "I only see the", "Such a lot of"),
        ("rain", "snow", "fog", "clouds"),
        ("over the harbour", "on the hills", "at the bridge", "in that valley"),
    ),
    (
        ("The bread", "The soup", "The tea", "The coffee"),
        ("is cold", "is almost ready", "is on the table", "should be warm"),
    ),
    (
        ("I left the", "Come here and show me the", "Do not hide the", "She put the"),
        ("key", "letter", "map", "ticket"),
        ("in the drawer", "under the lamp", "behind the clock", "in that coat"),
    ),
    (
        ("We should paint", "He wants to sell", "It is time to mend"),
        ("the roof", "the boat", "the fence", "the old well"),
        ("before winter", "next week", "with your brother"),
    ),
)


def cores(slots: Slots) -> list[str]:
    """Return every sentence of a family, without tail and full stop, in the grammar's order."""
    return [" ".join(parts) for parts in product(*slots)]


class Deck:
    """The lines of all films, dealt without repetition in an order drawn from the seed."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 101])
        self._objectifying = iter(_dealt(OBJECTIFYING, rng))
        self._plain = iter(_dealt(PLAIN, rng))

    def line(self, objectifying: bool) -> str:
        """Return the next unused line of a kind."""
        return next(self._objectifying if objectifying else self._plain)


def _dealt(families: tuple[Slots, ...], rng: np.random.Generator) -> Iterator[str]:
    """Deal every core once, then once more with another tail, and so on.

    Lines that differ by their tail alone thus stand far apart: alignment matches by wording.
    """
    lines = [core for slots in families for core in cores(slots)]
    # A family is as likely as another, however many sentences it can make.
    weights = np.concatenate([np.full(len(c), 1 / len(c)) for c in map(cores, families)])
    order = rng.choice(len(lines), len(lines), replace=False, p=weights / weights.sum())
    tails = [_tails_in_order(rng) for _ in lines]
    for turn in range(len(TAILS)):
        for i in order:
            tail = tails[i][turn]
            yield f"{lines[i]}{tail}{'?' if 'not think' in tail else '.'}"


def _tails_in_order(rng: np.random.Generator) -> list[str]:
    """Return the tails in a random order; half the sentences first stand without one."""
    tails = [TAILS[i] for i in 1 + rng.permutation(len(TAILS) - 1)]
    return ["", *tails] if rng.random() < 0.5 else [*tails, ""]
