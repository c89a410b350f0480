"""The files a scholar edits: prompts per visual concept, Empath categories."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from gazeline.params.base import Section, read_yaml, register, validate

Prompts = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]


@register
class PromptFile(Section):
    """Prompts per visual concept, and negative ones: what is in any film."""

    concepts: dict[str, Prompts]
    negative: Prompts


@register
class CategoryFile(Section):
    """Empath categories to compare."""

    categories: Annotated[tuple[str, ...], Field(min_length=1)]

    @field_validator("categories")
    @classmethod
    def _each_once(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"{', '.join(twice)} is given twice")
        return names


@dataclass(frozen=True)
class WordLists:
    """What is compared: prompts with what is seen, categories with what is said."""

    prompts: PromptFile
    categories: tuple[str, ...]


def read_word_lists(prompts: Path, categories: Path) -> WordLists:
    """Read both files (see `read_prompts`)."""
    return WordLists(read_prompts(prompts), read_categories(categories))


def read_prompts(path: Path) -> PromptFile:
    """Read a prompt file.

    Raises:
        ParamsError: every problem of the file, all at once.
    """
    return validate(PromptFile, read_yaml(path), "", path)


def read_categories(path: Path) -> tuple[str, ...]:
    """Read a category file (see `read_prompts`)."""
    return validate(CategoryFile, read_yaml(path), "", path).categories
