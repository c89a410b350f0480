"""Read a Croissant description with mlcroissant, the format's own reader, for its problems."""

from __future__ import annotations

import copy
import logging
import re
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
# The folder that relative names are put in, names made up for nameless nodes, and addresses.
_UNSTABLE = (
    (re.compile(r"file://\S*?/cr_base_iri/"), ""),
    (re.compile(r"_:[Nn][0-9a-f]{32}"), "_:nameless"),
    (re.compile(r" at 0x[0-9a-f]+"), ""),
)


@dataclass(frozen=True)
class Verdict:
    """The errors and warnings of a description, sorted; `stopped` says why reading broke off."""

    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    stopped: str | None = None


def validate(description: Mapping[str, Any]) -> Verdict:
    """Return what mlcroissant objects to in a Croissant description.

    No data file is opened and nothing is fetched.
    """
    if _fetches(description):
        return Verdict((), (), "a @context stands at another address, which is not fetched")
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
    warnings = {*map(_stable, issues.warnings), *_context_gaps(description)}
    return Verdict(
        tuple(sorted(set(map(_stable, issues.errors)))),
        tuple(sorted(warnings)),
        None if stopped is None else _stable(stopped),
    )


def _fetches(value: Any) -> bool:
    """Return whether reading would download a context: one that is named, or imported."""
    if isinstance(value, list):
        return any(map(_fetches, value))
    if not isinstance(value, Mapping):
        return False
    contexts = value.get("@context")
    named = [contexts] if not isinstance(contexts, list) else contexts
    if "@import" in value or any(isinstance(each, str) for each in named):
        return True
    return any(map(_fetches, value.values()))


def _stable(message: str) -> str:
    """Leave out of a message what differs from run to run, and this machine's folders."""
    for pattern, instead in _UNSTABLE:
        message = pattern.sub(instead, message)
    return message


def _context_gaps(description: Mapping[str, Any]) -> Iterator[str]:
    """Say what mlcroissant only logs, in an order that changes from run to run."""
    context = description.get("@context")
    missing = sorted(CONTEXT.keys() - context.keys()) if isinstance(context, dict) else []
    if missing:
        yield f"The @context lacks {', '.join(missing)} of the standard one"


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep mlcroissant and rdflib from logging what the verdict says anyway."""
    loggers = [logging.getLogger(name) for name in ("absl", "rdflib.term")]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.disabled = was
