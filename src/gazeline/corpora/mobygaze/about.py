"""Whose data a release in this format is: the paper's terms for MObyGaze, else its own."""

from __future__ import annotations

import re
from typing import Any

from gazeline.corpora.release import About, Quirk

# The paper's first page; its authors' names are not part of the text at hand.
MOBYGAZE = About(
    name="MObyGaze",
    licence="https://creativecommons.org/licenses/by-nc-sa/4.0/",
    citation=(
        "@misc{mobygaze, title={MObyGaze: a film dataset of multimodal objectification densely "
        "annotated by experts}, eprint={2505.22084}, archivePrefix={arXiv}, "
        "primaryClass={cs.CV}, url={https://arxiv.org/abs/2505.22084}}"
    ),
    url="https://arxiv.org/abs/2505.22084",
    conditions=(
        "Its authors ask that it is not used for content filtering, regulatory standards or "
        "censorship, nor commercially."
    ),
)
# Without white space or angle brackets, so that it can stand in a page.
_ADDRESS = re.compile(r"https?://[^\s<>]+")
_NAMES = ("CC BY-NC-SA", "CC-BY-NC-SA", "BY-NC-SA/4.0")


def about(croissant: Any) -> About | None:
    """Return whose data it is, if the release's Croissant file says so.

    The terms of MObyGaze are the paper's, whatever its file says. Another release in this format,
    as the embedded sample, has its own if its file has a name and the address of a licence.
    """
    if not isinstance(croissant, dict):
        return None
    if croissant.get("name") == MOBYGAZE.name:
        return MOBYGAZE
    name, licence, citation, url = (
        value if isinstance(value := croissant.get(key), str) else ""
        for key in ("name", "license", "citeAs", "url")
    )
    if not name or not _ADDRESS.fullmatch(licence):
        return None
    return About(name, licence, citation, url if _ADDRESS.fullmatch(url) else "", conditions="")


def licence_quirk(croissant: Any) -> list[Quirk]:
    """Return whether the Croissant file of MObyGaze gives another licence than the paper."""
    if about(croissant) is not MOBYGAZE:
        return []
    # The release spells the key in British English, which Croissant does not know.
    given = croissant.get("license", croissant.get("licence"))
    right = isinstance(given, str) and any(name in given.upper() for name in _NAMES)
    found = () if right else (f"{given!r} in the file, CC BY-NC-SA 4.0 in the paper",)
    meaning = "licence other than the paper's"
    return [Quirk("licence", meaning, "repaired", "licences", len(found), 1, found)]
