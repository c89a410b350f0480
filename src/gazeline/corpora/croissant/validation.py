"""Read a Croissant description with mlcroissant, the format's own reader, for its problems."""

from __future__ import annotations

import copy
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gazeline.corpora.croissant.context import CONTEXT

# What mlcroissant and rdflib raise, beside a ValidationError, on JSON they did not expect.
_STOPS = (
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True)
class Verdict:
    """The errors and warnings of a description, sorted; `stopped` says why reading broke off."""

    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    stopped: str | None = None


def validate(description: Mapping[str, Any]) -> Verdict:
    """Return what mlcroissant objects to in a Croissant description; no data file is opened."""
    import mlcroissant as mlc

    context = mlc.Context()
    stopped = None
    with _quiet():
        try:
            # A copy: reading adds to what it reads.
            metadata = mlc.Metadata.from_json(ctx=context, json_=copy.deepcopy(dict(description)))
            mlc.Dataset.from_metadata(metadata)
        except mlc.ValidationError:
            pass
        except _STOPS as error:
            stopped = f"mlcroissant breaks off with {type(error).__name__}: {error}"
    issues = context.issues
    warnings = {*issues.warnings, *_context_gaps(description)}
    return Verdict(tuple(sorted(issues.errors)), tuple(sorted(warnings)), stopped)


def _context_gaps(description: Mapping[str, Any]) -> Iterator[str]:
    """Say what mlcroissant only logs, in an order that changes from run to run."""
    context = description.get("@context")
    missing = sorted(CONTEXT.keys() - context.keys()) if isinstance(context, dict) else []
    if missing:
        yield f"The @context lacks {', '.join(missing)} of the standard one"


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep mlcroissant from logging what the verdict says anyway."""
    logger = logging.getLogger("absl")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before
