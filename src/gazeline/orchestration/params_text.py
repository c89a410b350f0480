"""Edit `params.yaml` line by line, so that every comment and blank line survives.

A YAML library's round trip ties a comment to the entry above it and loses it with that entry;
here it only finds the lines.
"""

from __future__ import annotations

from io import StringIO
from typing import Any

from ruamel.yaml import YAML

from gazeline.errors import ParamsError

INDENT = "  "


def insert_entry(text: str, section: str, block: str) -> str:
    """Append `block`, the YAML of one entry without indentation, to a top-level section.

    Raises:
        ParamsError: there is no such section.
    """
    lines = text.splitlines()
    start, stop = _section_lines(text, section)
    indented = [INDENT + line if line.strip() else "" for line in block.rstrip().splitlines()]
    header = lines[start].split("#")[0].rstrip()
    if not header.endswith(":"):
        lines[start] = lines[start].replace("{}", "", 1).rstrip()
    return "\n".join([*lines[:stop], *indented, *lines[stop:]]) + "\n"


def remove_entry(text: str, section: str, key: str) -> str:
    """Remove one entry of a top-level section, with the comments right above it.

    Raises:
        ParamsError: there is no such entry.
    """
    lines = text.splitlines()
    start, stop = _entry_lines(text, section, key)
    column = len(lines[start]) - len(lines[start].lstrip())
    while start > 0 and lines[start - 1].startswith(" " * column + "#"):
        start -= 1
    kept = [*lines[:start], *lines[stop:]]
    remaining = "\n".join(kept) + "\n"
    if not _load(remaining).get(section):
        header = _section_lines(remaining, section)[0]
        kept[header] = f"{section}: {{}}"
    return "\n".join(kept) + "\n"


def replace_entry(text: str, section: str, key: str, block: str) -> str:
    """Put `block` where the entry stands, keeping the comments above it."""
    lines = text.splitlines()
    start, stop = _entry_lines(text, section, key)
    indented = [INDENT + line if line.strip() else "" for line in block.rstrip().splitlines()]
    return "\n".join([*lines[:start], *indented, *lines[stop:]]) + "\n"


def entry_block(text: str, section: str, key: str) -> str:
    """Return one entry with the comments right above it, without the section's indentation."""
    lines = text.splitlines()
    start, stop = _entry_lines(text, section, key)
    while start > 0 and lines[start - 1].startswith(INDENT + "#"):
        start -= 1
    return "\n".join(line.removeprefix(INDENT) for line in lines[start:stop])


def set_list(text: str, path: tuple[str, str, str], values: list[str]) -> str:
    """Replace a list of names, e.g. at `corpora.sample.exclude`, by one written on one line."""
    section, entry, key = path
    lines = text.splitlines()
    entries: Any = _load(text)[section][entry]
    start = entries.lc.key(key)[0]
    later = [entries.lc.key(name)[0] for name in entries if entries.lc.key(name)[0] > start]
    stop = _content_stop(lines, start, min([*later, _entry_lines(text, section, entry)[1]]))
    head = lines[start][: lines[start].index(key)]
    lines[start:stop] = [f"{head}{key}: [{', '.join(values)}]"]
    return "\n".join(lines) + "\n"


def flow_entry(key: str, value: dict[str, Any]) -> str:
    """Return `key: {a: 1, b: [x]}` as one line of YAML."""
    yaml = YAML()
    yaml.default_flow_style = True
    yaml.width = 10_000
    buffer = StringIO()
    yaml.dump(value, buffer)
    return f"{key}: {buffer.getvalue().strip()}"


def _load(text: str) -> Any:
    return YAML(typ="rt").load(text) or {}


def _section_lines(text: str, section: str) -> tuple[int, int]:
    """Return the lines [header, stop) of a section, without what is written above the next."""
    data = _load(text)
    if section not in data:
        raise ParamsError(f"params.yaml has no section {section}")
    start = data.lc.key(section)[0]
    later = [data.lc.key(name)[0] for name in data if data.lc.key(name)[0] > start]
    return start, _content_stop(text.splitlines(), start, min(later, default=None))


def _entry_lines(text: str, section: str, key: str) -> tuple[int, int]:
    data = _load(text)
    entries: Any = data.get(section) or {}
    if key not in entries:
        raise ParamsError(f"params.yaml has no {section}.{key}")
    start = entries.lc.key(key)[0]
    later = [entries.lc.key(name)[0] for name in entries if entries.lc.key(name)[0] > start]
    section_stop = _section_lines(text, section)[1]
    return start, _content_stop(text.splitlines(), start, min([*later, section_stop]))


def _content_stop(lines: list[str], start: int, limit: int | None) -> int:
    """Return the line after the last content line before `limit`."""
    stop = len(lines) if limit is None else limit
    while stop > start + 1 and (not lines[stop - 1].strip() or lines[stop - 1].lstrip()[0] == "#"):
        stop -= 1
    return stop
