"""The films of the 2011 task (task paper): 12 to train on, 3 to test on."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

SEPARATORS = re.compile(r"[^a-z0-9]+")
ARTICLES = ("the", "a")


@dataclass(frozen=True, slots=True)
class Title:
    """A film of the task: its id here, title and year (None: the sources do not say which)."""

    film_id: str
    title: str
    year: int | None


TRAINING = (
    Title("armageddon", "Armageddon", 1998),
    Title("billy-elliot", "Billy Elliot", 2000),
    Title("eragon", "Eragon", 2006),
    Title("harry-potter-and-the-order-of-the-phoenix",
          "Harry Potter and the Order of the Phoenix", 2007),
    Title("i-am-legend", "I Am Legend", 2007),
    Title("leon", "Léon", 1994),
    Title("midnight-express", "Midnight Express", 1978),
    Title("pirates-of-the-caribbean-the-curse-of-the-black-pearl",
          "Pirates of the Caribbean: The Curse of the Black Pearl", 2003),
    Title("reservoir-dogs", "Reservoir Dogs", 1992),
    Title("saving-private-ryan", "Saving Private Ryan", 1998),
    Title("the-sixth-sense", "The Sixth Sense", 1999),
    Title("the-wicker-man", "The Wicker Man", None),
)  # fmt: skip
TEST = (
    Title("kill-bill-vol-1", "Kill Bill: Vol. 1", 2003),
    Title("the-bourne-identity", "The Bourne Identity", 2002),
    Title("the-wizard-of-oz", "The Wizard of Oz", 1939),
)
OTHER_NAMES = {
    "harrypotter5": "harry-potter-and-the-order-of-the-phoenix",
    "harrypotter": "harry-potter-and-the-order-of-the-phoenix",
    "piratesofthecaribbean": "pirates-of-the-caribbean-the-curse-of-the-black-pearl",
    "piratesofthecaribbean1": "pirates-of-the-caribbean-the-curse-of-the-black-pearl",
    "pirates": "pirates-of-the-caribbean-the-curse-of-the-black-pearl",
    "killbill": "kill-bill-vol-1",
    "killbill1": "kill-bill-vol-1",
    "killbillvolume1": "kill-bill-vol-1",
    "leontheprofessional": "leon",
    "privateryan": "saving-private-ryan",
    "iamlegend": "i-am-legend",
}


def film_of(name: str) -> Title:
    """Return the film that a file of the release names: one of the task's, else by its own slug."""
    letters = _letters(name)
    known = {_letters(title.title): title for title in (*TRAINING, *TEST)}
    of_id = {title.film_id: title for title in (*TRAINING, *TEST)}
    other = OTHER_NAMES.get(letters) or OTHER_NAMES.get(letters.removeprefix("the"))
    if other:
        return of_id[other]
    for spelling in (letters, *(f"{article}{letters}" for article in ARTICLES)):
        if spelling in known:
            return known[spelling]
    return Title(_slug(name), name.replace("_", " ").strip(), None)


def _plain(name: str) -> str:
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return unicodedata.normalize("NFKD", split).encode("ascii", "ignore").decode().lower()


def _slug(name: str) -> str:
    return SEPARATORS.sub("-", _plain(name)).strip("-")


def _letters(name: str) -> str:
    return SEPARATORS.sub("", _plain(name))
