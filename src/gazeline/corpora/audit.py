"""The data audit: what a release had, what became of it and what is odd about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gazeline.corpora.release import Quirk, Release
from gazeline.corpora.selection import Selection
from gazeline.params.subset import SubsetParams

Report = dict[str, Any]


def audit(
    corpus: str, release_format: str, whole: Release, selection: Selection, subset: SubsetParams
) -> Report:
    """Return the content of ingest.json, without its readable form.

    Quirks are those of the whole release, also where films are excluded or a subset is taken.
    """
    kept = selection.release
    return {
        "corpus": corpus,
        "format": release_format,
        "sources": {name: dict(facts) for name, facts in whole.sources.items()},
        "missing": list(whole.missing),
        "in": _sizes(whole),
        "kept": _sizes(kept),
        "dropped": {
            **{part: dict(reasons) for part, reasons in selection.dropped.items()},
            "before reading": dict(whole.dropped),
        },
        "segments_by_label": _counts(s.label for s in kept.segments),
        "segments_by_annotator": _counts(s.annotator for s in kept.segments),
        "quirks": {quirk.name: _entry(quirk) for quirk in whole.quirks},
        **subset.stamp(),
    }


def _sizes(release: Release) -> dict[str, int]:
    return {
        "films": len(release.films),
        "segments": len(release.segments),
        "cues": len(release.cues),
    }


def _counts(values: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _entry(quirk: Quirk) -> Report:
    entry: Report = {
        "meaning": quirk.meaning,
        "action": quirk.action,
        "unit": quirk.unit,
        "count": quirk.count,
        "examples": list(quirk.examples),
    }
    optional = {"of": quirk.total, "reason": quirk.unknown, "details": dict(quirk.details) or None}
    return entry | {key: value for key, value in optional.items() if value is not None}


def readable(report: Mapping[str, Any]) -> list[str]:
    """Return the audit as lines of plain text."""
    return [
        f"Corpus {report['corpus']}, a release in the format {report['format']}.",
        *(f"Read {name}: {_facts(facts)}." for name, facts in report["sources"].items()),
        *(f"Missing: {line}." for line in report["missing"]),
        *_size_lines(report),
        "Segments: "
        + _facts(report["segments_by_label"])
        + "; "
        + _facts(report["segments_by_annotator"])
        + ".",
        *(_quirk_line(name, entry) for name, entry in report["quirks"].items()),
    ]


def _facts(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items()) or "none"


def _size_lines(report: Mapping[str, Any]) -> Iterator[str]:
    for part, n_in in report["in"].items():
        reasons = {why: n for why, n in report["dropped"][part].items() if n}
        dropped = f"; dropped: {_facts(reasons)}" if reasons else ""
        yield f"{part.capitalize()}: {n_in} in, {report['kept'][part]} kept{dropped}."
    for reason, count in report["dropped"]["before reading"].items():
        if count:
            yield f"Not read: {count} {reason}."


def _quirk_line(name: str, entry: Mapping[str, Any]) -> str:
    if entry["count"] is None:
        return f"{name}: {entry['meaning']}: not known, {entry['reason']}."
    of = f" of {entry['of']}" if "of" in entry else ""
    line = f"{name}: {entry['count']}{of} {entry['unit']}: {entry['meaning']}"
    if entry["count"] == 0:
        return f"{line}."
    details = f" ({_facts(entry['details'])})" if "details" in entry else ""
    example = f"; e.g. {entry['examples'][0]}" if entry["examples"] else ""
    return f"{line}{details}; {entry['action']}{example}."
