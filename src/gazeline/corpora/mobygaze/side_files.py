"""What is odd about the files that describe the release: its thesaurus and its Croissant file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gazeline.corpora.croissant.validation import Verdict, validate
from gazeline.corpora.mobygaze.about import licence_quirk
from gazeline.corpora.mobygaze.annotations_csv import DELIMITER
from gazeline.corpora.mobygaze.row_quirks import spellings
from gazeline.corpora.mobygaze.vocabulary import LEVELS, level
from gazeline.corpora.release import Quirk

THESAURUS = "objectification-thesaurus.json"
CROISSANT = "metadata.json"
_CSV_LEVELS = ("Easy Negative", "Hard Negative", "Not Sure", "Sure")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def read_croissant(folder: Path) -> tuple[Any, str | None]:
    """Return the content of the release's Croissant file, or why there is none."""
    return _read_json(folder / CROISSANT)


def side_file_quirks(folder: Path) -> list[Quirk]:
    """Return the quirks of the describing files; unknown where one is not there or not JSON."""
    data, reason = read_croissant(folder)
    if reason is None and not isinstance(data, dict):
        reason = f"{CROISSANT} does not hold a JSON object"
    return [
        _thesaurus_quirk(folder / THESAURUS),
        *_reader_quirks(data, reason),
        _croissant_quirk(data, reason, folder),
        *licence_quirk(data),
    ]


def _thesaurus_quirk(path: Path) -> Quirk:
    data, reason = _read_json(path)
    if reason is not None:
        return replace(
            spellings("spelling_thesaurus", "the thesaurus", ()), count=None, unknown=reason
        )
    names = [node["name"] for node in _nodes(data) if isinstance(node.get("name"), str)]
    quirk = spellings("spelling_thesaurus", "the thesaurus", names)
    levels = sorted({n for n in names if level(n) and n not in _CSV_LEVELS})
    shown = [f"{each!r} for {LEVELS[each.casefold()]}" for each in levels]
    return replace(
        quirk,
        meaning="concept or level spelt otherwise in the thesaurus",
        count=(quirk.count or 0) + len(levels),
        examples=(*quirk.examples, *shown),
    )


def _reader_quirks(data: Any, reason: str | None) -> list[Quirk]:
    """Return what mlcroissant objects to; all of it, since each objection is another one."""
    verdict = validate(data) if reason is None else Verdict((), ())
    unknown = reason or verdict.stopped
    found = (
        ("croissant_errors", "error that mlcroissant, the format's reader, finds", verdict.errors),
        ("croissant_warnings", "warning that mlcroissant gives", verdict.warnings),
    )
    return [
        Quirk(
            name, f"{meaning} in {CROISSANT}", "dropped", name.removeprefix("croissant_"),
            len(issues) if unknown is None else None, None, issues, unknown,
        )
        for name, meaning, issues in found
    ]  # fmt: skip


def _croissant_quirk(data: Any, reason: str | None, folder: Path) -> Quirk:
    """Check what the format's reader does not look at before it opens the data files."""
    meaning = (
        f"fault in {CROISSANT} that its reader does not look for (hashes, columns, references)"
    )
    if reason is not None:
        return Quirk("croissant", meaning, "dropped", "faults", None, unknown=reason)
    faults = [*_bad_hashes(data), *_absent_columns(data, folder), *_dangling(data)]
    return Quirk("croissant", meaning, "dropped", "faults", len(faults), None, tuple(faults))


def _read_json(path: Path) -> tuple[Any, str | None]:
    """Return the content of a describing file, or why it cannot be looked at."""
    try:
        return json.loads(path.read_text(encoding="utf-8")), None
    except FileNotFoundError:
        return None, f"{path.name} is not there"
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        return None, f"{path.name} is not JSON: {error}"


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every JSON object in a JSON value."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _nodes(item)


def _bad_hashes(data: Any) -> Iterator[str]:
    for node in _nodes(data):
        digest = node.get("sha256")
        if isinstance(digest, str) and not _SHA256.fullmatch(digest):
            yield f"{node.get('@id')}: sha256 of {len(digest)} characters"


def _absent_columns(data: Any, folder: Path) -> Iterator[str]:
    files = {
        node.get("@id"): str(node["contentUrl"]).rpartition("/")[2]
        for node in _nodes(data)
        if "contentUrl" in node
    }
    headers = {name: _header(folder / name) for name in set(files.values())}
    for node in _nodes(data):
        source = node.get("source")
        if not isinstance(source, dict) or not isinstance(source.get("fileObject"), dict):
            continue
        file = files.get(source["fileObject"].get("@id"), "")
        column = source.get("extract", {}).get("column")
        header = headers.get(file)
        if header is not None and column is not None and column not in header:
            yield f"{node.get('@id')}: {file} has no column {column}"


def _header(path: Path) -> list[str] | None:
    if path.suffix != ".csv" or not path.is_file():
        return None
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.readline().strip("\n\r").split(DELIMITER)


def _dangling(data: Any) -> Iterator[str]:
    defined = {node["@id"] for node in _nodes(data) if len(node) > 1 and "@id" in node}
    for node in _nodes(data):
        source = node.get("source")
        field = source.get("field") if isinstance(source, dict) else None
        if isinstance(field, dict) and field.get("@id") not in defined:
            yield f"{node.get('@id')}: refers to {field.get('@id')}, which does not exist"
